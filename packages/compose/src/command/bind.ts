/**
 * Words to named, typed arguments, as a command declares them. By name first (`name=value`,
 * `--name value`, where the command takes names), the other words in order. What does not fit is an
 * issue for the person who typed it, never a value of the wrong type.
 */
import { splitWords } from "../argv.ts";
import type { Json } from "../draft.ts";
import type { CommandArgs } from "../template/tree.ts";
import { usageHint } from "./complete.ts";
import type { ArgumentSpec, CommandEntry } from "./entry.ts";

export type Bound =
  | { readonly ok: true; readonly args: CommandArgs }
  | { readonly ok: false; readonly issues: readonly string[]; readonly usage: string };

export function readArgs(raw: string): CommandArgs {
  return { raw, argv: raw === "" ? [] : splitWords(raw) };
}

export const usageOf = (entry: CommandEntry): string => {
  const hint = entry.argumentHint ?? usageHint(entry.arguments ?? []);
  return hint === "" ? `/${entry.name}` : `/${entry.name} ${hint}`;
};

/** `given` are arguments that a surface already has by name; they come before all words. */
export function bindArgs(
  entry: CommandEntry,
  args: CommandArgs,
  given: Readonly<Record<string, Json>> = {},
): Bound {
  const specs = entry.arguments ?? [];
  const byName = new Map<string, Json>(Object.entries(given));
  if (specs.length === 0) {
    return { ok: true, args: byName.size === 0 ? args : { ...args, named: given } };
  }
  const words = entry.namedWords ? takeNamed(specs, args.argv, byName) : [...args.argv];
  takeInOrder(specs, words, byName);
  const issues: string[] = [];
  const named: Record<string, Json> = {};
  for (const [name, value] of byName) setOwn(named, name, value);
  for (const spec of specs) {
    const value = checked(spec, byName.get(spec.name), issues);
    if (value !== undefined) setOwn(named, spec.name, value);
  }
  if (issues.length > 0) return { ok: false, issues, usage: usageOf(entry) };
  return { ok: true, args: Object.keys(named).length === 0 ? args : { ...args, named } };
}

/** An argument may be called `__proto__`; it is then only that. */
function setOwn(named: Record<string, Json>, name: string, value: Json): void {
  Object.defineProperty(named, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

function takeNamed(
  specs: readonly ArgumentSpec[],
  argv: readonly string[],
  byName: Map<string, Json>,
): string[] {
  const declared = new Map(specs.map((spec) => [spec.name, spec]));
  const words: string[] = [];
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] as string;
    if (word === "--") return [...words, ...argv.slice(index + 1)];
    const dashed = word.startsWith("--");
    const [name = "", value] = cut(dashed ? word.slice(2) : word);
    const spec = declared.get(name);
    if (spec === undefined || byName.has(name) || (!dashed && value === undefined))
      words.push(word);
    else if (value !== undefined) byName.set(name, value);
    else if (spec.type === "boolean") byName.set(name, "true");
    else if (index + 1 < argv.length) byName.set(name, argv[++index] as string);
    else words.push(word);
  }
  return words;
}

function cut(word: string): [string, string | undefined] {
  const at = word.indexOf("=");
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

function takeInOrder(
  specs: readonly ArgumentSpec[],
  words: readonly string[],
  byName: Map<string, Json>,
): void {
  let next = 0;
  for (const spec of specs) {
    if (next >= words.length) return;
    if (byName.has(spec.name)) continue;
    byName.set(spec.name, spec.rest ? words.slice(next).join(" ") : (words[next] as string));
    next = spec.rest ? words.length : next + 1;
  }
}

function checked(spec: ArgumentSpec, value: Json | undefined, issues: string[]): Json | undefined {
  if (value === undefined || (value === "" && spec.required)) {
    if (spec.default !== undefined) return spec.default;
    if (spec.required) issues.push(`${spec.name} is missing`);
    return value;
  }
  const read = typeof value === "string" ? readValue(spec, value) : checkValue(spec, value);
  if (read === undefined) issues.push(`${spec.name} is ${show(value)}, not ${wantOf(spec)}`);
  return read;
}

/** A word as a value of the declared type; undefined when it is none. */
export function readValue(spec: ArgumentSpec, word: string): Json | undefined {
  if (spec.enum !== undefined && !spec.enum.includes(word)) return undefined;
  switch (spec.type) {
    case "string":
    case "path":
      return word;
    case "integer":
      return /^[+-]?\d{1,15}$/.test(word) ? Number(word) : undefined;
    case "number": {
      const number = Number(word);
      return word.trim() !== "" && Number.isFinite(number) ? number : undefined;
    }
    case "boolean":
      return BOOLEANS.get(word.toLowerCase());
  }
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["yes", true],
  ["on", true],
  ["1", true],
  ["false", false],
  ["no", false],
  ["off", false],
  ["0", false],
]);

/** A value that a surface sends already typed. */
function checkValue(spec: ArgumentSpec, value: Json): Json | undefined {
  if (spec.type === "boolean") return typeof value === "boolean" ? value : undefined;
  if (spec.type === "number") return typeof value === "number" ? value : undefined;
  if (spec.type === "integer") return Number.isInteger(value) ? value : undefined;
  return undefined;
}

function wantOf({ type, enum: values }: ArgumentSpec): string {
  if (values !== undefined) return `one of ${values.join(", ")}`;
  return {
    string: "text",
    path: "a path",
    integer: "a whole number",
    number: "a number",
    boolean: "true or false",
  }[type];
}

/** At most a line of it: it goes into a sentence. */
function show(value: Json): string {
  const text = typeof value === "string" ? JSON.stringify(value) : (JSON.stringify(value) ?? "");
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
