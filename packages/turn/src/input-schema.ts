/**
 * Whether a call's input is what its tool takes. A refusal is a sentence for the model: each line
 * names a place and what is wrong there, so that the next call can be right.
 */
import { type OutputUnit, Validator } from "@cfworker/json-schema";
import type { ToolDefinition } from "@galley/assemble";

/** More lines would say the same again. */
const MOST_LINES = 5;

/** Undefined when the input fits. Throws when the schema itself is none. */
export function inputFault(definition: ToolDefinition, input: unknown): string | undefined {
  const { valid, errors } = validatorOf(definition).validate(input ?? null);
  if (valid) return undefined;
  const lines = [...new Set(errors.filter(isLeaf).map(lineOf))];
  const shown = lines.slice(0, MOST_LINES);
  const rest = lines.length - shown.length;
  const more = rest > 0 ? [`and ${rest} more`] : [];
  return [`the input does not fit the tool ${definition.name}:`, ...shown, ...more].join("\n- ");
}

/** By definition: a tool's own is the same object at every call. */
const validators = new WeakMap<ToolDefinition, Validator>();

function validatorOf(definition: ToolDefinition): Validator {
  const known = validators.get(definition);
  if (known) return known;
  // Every error, not the first: the model corrects all of them at once.
  const made = new Validator(definition.input_schema, "2020-12", false);
  validators.set(definition, made);
  return made;
}

/** Errors of these keywords only say that one of the errors below them happened. */
const OUTER = new Set(["properties", "items", "prefixItems", "additionalProperties", "allOf"]);

const isLeaf = ({ keyword }: OutputUnit): boolean => !OUTER.has(keyword) && keyword !== "$ref";

function lineOf({ instanceLocation, keyword, error }: OutputUnit): string {
  const place = placeOf(instanceLocation);
  // What `additionalProperties: false` says of a key that is not there.
  const wrong = keyword === "false" ? "there is no such field" : error.replace(/\.$/, "");
  return `${place}: ${wrong}`;
}

/** `#/list/0/x` → `list[0].x`, as the model writes it. */
function placeOf(pointer: string): string {
  const names = pointer.split("/").slice(1).map(decode);
  const place = names.map((name) => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`)).join("");
  return place === "" ? "input" : place.replace(/^\./, "");
}

const decode = (token: string): string => token.replaceAll("~1", "/").replaceAll("~0", "~");
