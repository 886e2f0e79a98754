/**
 * What OpenAI demands of a function's JSON Schema: an object at the root, items for arrays, and in
 * strict mode (documented under "Structured outputs") closed objects with every key required.
 */
import { isJson, type Json } from "../check.ts";
import type { Complaint } from "../refuse.ts";
import { invalid } from "./complain.ts";

export function refuseFunctionSchema(
  name: string,
  parameters: unknown,
  strict: boolean,
  param: string,
): Complaint | undefined {
  // No parameters at all means a function without any (documented).
  if (!isJson(parameters)) return undefined;
  const wrong = (why: string) =>
    invalid(`Invalid schema for function '${name}': ${why}`, param, "invalid_function_parameters");
  if (parameters.type !== "object") {
    return wrong(
      `schema must be a JSON Schema of 'type: "object"', got 'type: "${parameters.type ?? "None"}"'.`,
    );
  }
  if (["oneOf", "anyOf", "allOf", "enum", "not"].some((key) => key in parameters)) {
    return wrong(
      "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.",
    );
  }
  const why = faultIn(parameters, [], strict);
  return why === undefined ? undefined : wrong(why);
}

export function refuseFormatSchema(
  name: string,
  schema: unknown,
  strict: boolean,
  param: string,
): Complaint | undefined {
  const why = isJson(schema) && strict ? faultIn(schema, [], true) : undefined;
  return why === undefined
    ? undefined
    : invalid(`Invalid schema for response_format '${name}': ${why}`, param, "invalid_json_schema");
}

const TYPES = ["string", "number", "integer", "boolean", "array", "object", "null"];

function faultIn(schema: Json, place: readonly string[], strict: boolean): string | undefined {
  const context = `In context=(${place.map((step) => `'${step}'`).join(", ")})`;
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? "object"];
  const stranger = types.find((type) => !TYPES.includes(String(type)));
  if (stranger !== undefined) {
    return `${context}, '${stranger}' is not valid under any of the given schemas.`;
  }
  if (schema.type === "array" && schema.items === undefined) {
    return `${context}, array schema missing items.`;
  }
  const strictFault = strict && schema.type === "object" ? openness(schema, context) : undefined;
  if (strictFault) return strictFault;
  for (const [inner, at] of innerSchemas(schema)) {
    const found = faultIn(inner, [...place, ...at], strict);
    if (found) return found;
  }
  return undefined;
}

function openness(schema: Json, context: string): string | undefined {
  if (schema.additionalProperties !== false) {
    return `${context}, 'additionalProperties' is required to be supplied and to be false.`;
  }
  const required = Array.isArray(schema.required) ? schema.required : [];
  const keys = isJson(schema.properties) ? Object.keys(schema.properties) : [];
  const absent = keys.find((key) => !required.includes(key));
  return absent === undefined
    ? undefined
    : `${context}, 'required' is required to be supplied and to be an array including every key in properties. Missing '${absent}'.`;
}

function* innerSchemas(schema: Json): Generator<[Json, string[]]> {
  for (const group of ["properties", "$defs", "definitions"]) {
    const entries = schema[group];
    if (!isJson(entries)) continue;
    for (const [key, inner] of Object.entries(entries)) {
      if (isJson(inner)) yield [inner, [group, key]];
    }
  }
  if (isJson(schema.items)) yield [schema.items, ["items"]];
  for (const [index, inner] of (Array.isArray(schema.anyOf) ? schema.anyOf : []).entries()) {
    if (isJson(inner)) yield [inner, ["anyOf", String(index)]];
  }
}
