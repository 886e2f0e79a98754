/**
 * Names, ids and inputs of tool calls as every provider takes them. Names and ids are letters,
 * digits, `_` and `-`, at most 64; a name does not begin with a digit or a dash. What already fits
 * is never touched, so a pair keeps its id on every protocol.
 */
import { isObject } from "./json-value.ts";

const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const ID = /^[A-Za-z0-9_-]{1,64}$/;
const LONGEST = 64;

export const toolName = (name: string): string => (NAME.test(name) ? name : fit(name, "tool"));
export const toolCallId = (id: string): string => (ID.test(id) ? id : fit(id, "call"));

/** An input is an object; anything else that a model once wrote is kept under a key. */
export function inputObject(input: unknown): object {
  return isObject(input) ? input : { value: input };
}

function fit(text: string, prefix: string): string {
  const replaced = text.replace(/[^A-Za-z0-9_-]/g, "_");
  const clean = /^[A-Za-z_]/.test(replaced) ? replaced : prefix + replaced;
  // The digest keeps two names apart that differ only in what was replaced or cut.
  const suffix = `_${digest(text)}`;
  return clean.slice(0, LONGEST - suffix.length) + suffix;
}

/** FNV-1a, 32 bits: short and stable; chance collisions of two ids in one request do not matter here. */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, "0");
}
