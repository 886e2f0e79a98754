/**
 * Whether a server's input schema can stand in a request: a provider that refuses one tool's schema
 * refuses the whole request. What the strictest of them takes is taken here.
 *
 * The schema is looked at and never run; its patterns are somebody else's.
 */

type Json = Readonly<Record<string, unknown>>;

const MOST_BYTES = 32 * 1024;
const MOST_DEPTH = 32;
const TYPES = ["string", "number", "integer", "boolean", "array", "object", "null"];
const TOP_LEVEL = ["oneOf", "anyOf", "allOf", "enum", "not"];
const KEY = /^[a-zA-Z0-9_.-]{1,64}$/;

/** Undefined when every provider takes it. */
export function schemaProblem(schema: unknown): string | undefined {
  if (!isJson(schema)) return "its input schema is no object";
  if (schema.type !== "object") return "its input schema is not of the type object";
  const top = TOP_LEVEL.find((key) => key in schema);
  if (top !== undefined) return `its input schema has ${top} at the top, which no provider takes`;
  if (JSON.stringify(schema).length > MOST_BYTES) {
    return `its input schema is longer than ${MOST_BYTES} bytes`;
  }
  const keys = isJson(schema.properties) ? Object.keys(schema.properties) : [];
  if (!keys.every((key) => KEY.test(key))) {
    return "its input schema has a property whose name is not letters, digits, _, . and - (64 at most)";
  }
  return problemIn(schema, 0);
}

function problemIn(schema: unknown, depth: number): string | undefined {
  if (typeof schema === "boolean") return undefined;
  if (!isJson(schema)) return "a schema inside its input schema is none";
  if (depth > MOST_DEPTH) return `its input schema is nested more than ${MOST_DEPTH} levels deep`;
  const own = ownProblem(schema);
  if (own !== undefined) return own;
  for (const inner of innerSchemas(schema)) {
    const found = problemIn(inner, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function ownProblem({ type, items, $ref }: Json): string | undefined {
  const types = Array.isArray(type) ? type : type === undefined ? [] : [type];
  if (!types.every((each) => TYPES.includes(String(each)))) {
    return "its input schema names a type that JSON does not have";
  }
  if (types.includes("array") && items === undefined) {
    return "its input schema has an array that does not say of what";
  }
  if ($ref !== undefined && !(typeof $ref === "string" && $ref.startsWith("#"))) {
    return "its input schema refers to something outside itself";
  }
  return undefined;
}

const NAMED = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
const LISTED = ["anyOf", "oneOf", "allOf", "prefixItems"];
const SINGLE = [
  "items",
  "additionalProperties",
  "not",
  "if",
  "then",
  "else",
  "contains",
  "propertyNames",
];

function* innerSchemas(schema: Json): Generator<unknown> {
  for (const key of NAMED) if (schema[key] !== undefined) yield* valuesOf(schema[key]);
  for (const key of LISTED) {
    if (schema[key] !== undefined) yield* Array.isArray(schema[key]) ? schema[key] : [schema[key]];
  }
  for (const key of SINGLE) if (schema[key] !== undefined) yield schema[key];
}

/** Something else than a table of schemas is itself the one that is none. */
const valuesOf = (table: unknown): readonly unknown[] =>
  isJson(table) ? Object.values(table) : [undefined];

export const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** As it is shown: without the line that names its dialect, which not every provider takes. */
export function shownSchema({ $schema: _dialect, ...schema }: Json): Json {
  return schema;
}
