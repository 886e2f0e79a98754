/**
 * The `Schema` message: a closed subset of OpenAPI 3.0. Most refused tools are JSON Schemas sent
 * where this is wanted (`additionalProperties`, `$ref`, `const`); JSON Schema itself goes into
 * `parametersJsonSchema`.
 */
import {
  anything,
  byType,
  flag,
  integer,
  into,
  isJson,
  type Json,
  lazy,
  list,
  number,
  type ObjectOptions,
  object,
  optional,
  type Path,
  type Shape,
  text,
} from "../check.ts";
import type { Complaint } from "../refuse.ts";
import { rule } from "./complain.ts";

const camel = (key: string): string =>
  key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Proto JSON: either spelling of a name, and null for absent. */
export const PROTO: ObjectOptions = { alias: camel, nullIsAbsent: true };

const TYPES = [
  "TYPE_UNSPECIFIED",
  "STRING",
  "NUMBER",
  "INTEGER",
  "BOOLEAN",
  "ARRAY",
  "OBJECT",
  "NULL",
];

/** Observed: the lower-case names of JSON Schema are taken too. */
const schemaType: Shape = (value, path, report) => {
  if (typeof value === "string" && TYPES.includes(value.toUpperCase())) return value.toUpperCase();
  report({ kind: "choice", path, allowed: TYPES, got: value });
  return value;
};

const int64 = byType({ string: text({ pattern: /^-?\d+$/ }), number: integer() });
const self = lazy(() => schemaMessage);

/** A map from property names, which are the caller's own and are not renamed. */
const properties: Shape = (value, path, report) => {
  if (!isJson(value)) return object({})(value, path, report);
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, self(entry, into(path, key), report)]),
  );
};

export const schemaMessage: Shape = object(
  {
    type: optional(schemaType),
    format: optional(text()),
    title: optional(text()),
    description: optional(text()),
    nullable: optional(flag),
    enum: optional(list(text())),
    items: optional(self),
    maxItems: optional(int64),
    minItems: optional(int64),
    properties: optional(properties),
    required: optional(list(text())),
    minProperties: optional(int64),
    maxProperties: optional(int64),
    minimum: optional(number()),
    maximum: optional(number()),
    minLength: optional(int64),
    maxLength: optional(int64),
    pattern: optional(text()),
    example: optional(anything),
    anyOf: optional(list(self)),
    propertyOrdering: optional(list(text())),
    default: optional(anything),
  },
  PROTO,
);

export type Schema = Json & {
  readonly type?: string;
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
};

/** Observed: all four sentences. */
export function refuseSchema(schema: Schema, path: Path): Complaint | undefined {
  const names = Object.keys(schema.properties ?? {});
  if (schema.type === "OBJECT" && schema.properties && names.length === 0) {
    return rule([...path, "properties"], "should be non-empty for OBJECT type");
  }
  const undefinedName = (schema.required ?? []).findIndex((name) => !names.includes(name));
  if (undefinedName !== -1) {
    return rule([...path, "required", undefinedName], "property is not defined");
  }
  if (schema.type === "ARRAY" && !schema.items) return rule([...path, "items"], "missing field.");
  if (schema.enum && schema.type !== "STRING") {
    return rule([...path, "enum"], "only allowed for STRING type");
  }
  const inner: [Schema, Path][] = [
    ...names.map((name): [Schema, Path] => [
      schema.properties?.[name] ?? {},
      [...path, "properties", name],
    ]),
    ...(schema.items ? [[schema.items, [...path, "items"]] as [Schema, Path]] : []),
    ...(schema.anyOf ?? []).map((s, at): [Schema, Path] => [s, [...path, "anyOf", at]]),
  ];
  for (const [one, at] of inner) {
    const complaint = refuseSchema(one, at);
    if (complaint) return complaint;
  }
  return undefined;
}
