/** What Anthropic demands of a tool's `input_schema` beyond being an object. Sentences observed. */
import { isJson, type Json, type Path } from "../check.ts";
import type { Complaint } from "../refuse.ts";
import { at } from "./complain.ts";
import type { Tool } from "./shape.ts";

const KEY = /^[a-zA-Z0-9_.-]{1,64}$/;
const TYPES = ["string", "number", "integer", "boolean", "array", "object", "null"];

export function refuseSchemas(tools: readonly Tool[]): Complaint | undefined {
  for (const [index, { input_schema: schema }] of tools.entries()) {
    const complaint = isJson(schema)
      ? refuseSchema(schema, ["tools", index, "custom", "input_schema"])
      : undefined;
    if (complaint) return complaint;
  }
  return undefined;
}

function refuseSchema(schema: Json, path: Path): Complaint | undefined {
  if (["oneOf", "allOf", "anyOf"].some((key) => key in schema)) {
    return at(path, "input_schema does not support oneOf, allOf, or anyOf at the top level");
  }
  const keys = isJson(schema.properties) ? Object.keys(schema.properties) : [];
  if (!keys.every((key) => KEY.test(key))) {
    return at([...path, "properties"], `Property keys should match pattern '${KEY.source}'`);
  }
  return isValid(schema)
    ? undefined
    : at(
        path,
        "JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12).",
      );
}

/** The two mistakes people make: a type that is none, and properties that are no schemas. */
function isValid(schema: unknown): boolean {
  if (typeof schema === "boolean") return true;
  if (!isJson(schema)) return false;
  const { type, properties, items } = schema;
  const types = Array.isArray(type) ? type : type === undefined ? [] : [type];
  if (!types.every((one) => TYPES.includes(String(one)))) return false;
  if (isJson(properties) && !Object.values(properties).every(isValid)) return false;
  return items === undefined || isValid(items);
}
