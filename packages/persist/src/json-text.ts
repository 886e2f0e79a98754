/**
 * JSON columns are text and stay text: read to look inside, edited member by member.
 *
 * Parsing and printing again would round large numbers and reorder keys that belong to others, so a
 * change touches only the members it names.
 */
import { StoreError } from "./store-error.ts";

type Json = Readonly<Record<string, unknown>>;

/** The object in a JSON text, for reading only. */
export function readObject(text: string, what: string): Json {
  const value = readJson(text, what);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw StoreError.make("invalid", { what, issue: "it is not a JSON object" });
  }
  return value as Json;
}

export function readJson(text: string, what: string): unknown {
  keepable(text, what);
  try {
    return JSON.parse(text);
  } catch (cause) {
    // A SyntaxError is all that JSON.parse throws on a string.
    throw StoreError.make("invalid", { what, issue: "it is not JSON" }, { cause });
  }
}

/** Half of a surrogate pair has no UTF-8 form: storing it would store something else. */
export function keepable(text: string, what: string): string {
  if (text.isWellFormed()) return text;
  throw StoreError.make("invalid", { what, issue: "it holds half of a surrogate pair" });
}

/** Sets members of a JSON object, or takes them away where the value is `undefined`. */
export function withMembers(text: string, changes: Json): string {
  const left = new Map(Object.entries(changes));
  const members = membersOf(text);
  const kept = members.filter(
    ({ key }, at) => !left.has(key) || (left.get(key) !== undefined && isLast(members, at)),
  );
  const printed = kept.map(({ key, source }) => {
    if (!left.has(key)) return source;
    const value = left.get(key);
    left.delete(key);
    return member(key, value);
  });
  for (const [key, value] of left) if (value !== undefined) printed.push(member(key, value));
  return `{${printed.join(",")}}`;
}

const member = (key: string, value: unknown) => `${JSON.stringify(key)}:${JSON.stringify(value)}`;

type Member = { readonly key: string; readonly source: string };

/** Of members with one key the last one counts, as it does for a parser. */
function isLast(members: readonly Member[], at: number): boolean {
  return !members.some(({ key }, other) => other > at && key === members[at]?.key);
}

/** The members of a text that is known to be a JSON object. */
function membersOf(text: string): Member[] {
  const members: Member[] = [];
  let at = skipBlank(text, text.indexOf("{") + 1);
  while (text[at] !== "}") {
    const keyEnd = endOfString(text, at);
    const end = endOfValue(text, skipBlank(text, keyEnd) + 1);
    members.push({
      key: JSON.parse(text.slice(at, keyEnd)),
      source: text.slice(at, end).trimEnd(),
    });
    at = text[end] === "," ? skipBlank(text, end + 1) : end;
  }
  return members;
}

function skipBlank(text: string, from: number): number {
  let at = from;
  while (/[ \t\r\n]/.test(text[at] ?? "")) at++;
  return at;
}

function endOfString(text: string, open: number): number {
  let at = open + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

/** Where the comma or the brace after a member stands. */
function endOfValue(text: string, from: number): number {
  let depth = 0;
  let at = from;
  for (;;) {
    const here = text[at] ?? "";
    if (here === '"') {
      at = endOfString(text, at);
      continue;
    }
    if (depth === 0 && (here === "," || here === "}")) return at;
    if (here === "{" || here === "[") depth++;
    if (here === "}" || here === "]") depth--;
    at++;
  }
}
