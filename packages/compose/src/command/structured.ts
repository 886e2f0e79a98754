/**
 * A command that a surface sends as a part: its arguments are there already, by position, by name
 * or as text, and are settled as if they had been typed.
 */
import type { Json } from "../draft.ts";
import type { CommandEntry } from "./entry.ts";
import type { CommandLine, CommandPart } from "./settle.ts";

/** What settling writes; the rest of a part is its sender's and stays. */
const SETTLED = [
  "type",
  "id",
  "args",
  "outcome",
  "expansion",
  "source",
  "settings",
  "intent",
  "result",
  "deferred",
];

export function unsettled(part: CommandPart): CommandPart {
  const kept = Object.entries(part).filter(([key]) => !SETTLED.includes(key));
  const { type, id, args } = part;
  return { type, id, ...(args !== undefined && { args }), ...Object.fromEntries(kept) };
}

export function lineOf(part: CommandPart, entry: CommandEntry | undefined): CommandLine {
  const { raw, argv, named, ...loose } = part.args ?? {};
  const byName: Record<string, Json> = { ...declared(loose, entry), ...named };
  const { type: _type, id, args: _args, ...keep } = unsettled(part);
  return {
    id,
    raw: raw ?? argv?.map(shown).join(" ") ?? inOrder(byName, entry),
    ...(argv !== undefined && { argv }),
    ...(Object.keys(byName).length > 0 && { named: byName }),
    loose,
    keep,
  };
}

/** `args: { query: "…" }` says by name what the command declares. */
function declared(
  loose: Readonly<Record<string, unknown>>,
  entry: CommandEntry | undefined,
): Record<string, Json> {
  const names = new Set(entry?.arguments?.map(({ name }) => name));
  // What arrives in a part is JSON.
  return Object.fromEntries(Object.entries(loose).filter(([key]) => names.has(key))) as Record<
    string,
    Json
  >;
}

/** One word of a command line, quoted where it would fall apart. */
const shown = (word: string): string =>
  word === "" || /[\s"'\\]/u.test(word) ? `"${word.replace(/["\\]/g, "\\$&")}"` : word;

const inOrder = (named: Readonly<Record<string, Json>>, entry: CommandEntry | undefined): string =>
  (entry?.arguments ?? [])
    .flatMap(({ name, rest }) => {
      if (!Object.hasOwn(named, name)) return [];
      const value = named[name];
      const text = typeof value === "string" ? value : JSON.stringify(value);
      return [rest ? text : shown(text)];
    })
    .join(" ");
