/**
 * How each tool writes its slots, one row a dialect. A row reads what stands at a `$` (or at `{{`)
 * and says where shell commands and includes may stand; the parser does the rest.
 */
import type { DialectId, Slot } from "./tree.ts";

export type FoundSlot = { readonly slot: Slot; readonly end: number };
/** A literal dollar: two characters that stand for one. */
export type FoundText = { readonly text: string; readonly end: number };

export type SlotReader = (
  text: string,
  at: number,
  names: readonly string[],
) => FoundSlot | FoundText | undefined;

export type Dialect = {
  readonly slotAt: SlotReader;
  /** `dollar`: `\$` is a dollar. `slot`: `\` keeps a slot literal. */
  readonly escape?: "dollar" | "slot";
  readonly shell: "none" | "anywhere" | "word" | "braces";
  readonly file: "none" | "word" | "braces";
  /** Arguments of a template that has no slot for them. */
  readonly leftover: "unused" | "append" | "append-labelled";
  /** Whether the slot with the highest number takes the rest. */
  readonly lastTakesRest?: true;
};

const one = (digits: string): number => Number(digits) - 1;

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

const withFallback = (fallback: string | undefined) => (fallback === undefined ? {} : { fallback });

const GALLEY =
  /\$(?:(\$)|(\d+)|(@|ARGUMENTS(?![A-Za-z0-9_]))|\{(?:@:(\d{1,9})(?::(\d{1,9}))?|(?:(\d{1,9})|(@|ARGUMENTS)|([A-Za-z_][\w-]{0,63}))(?::-([^}]{0,1000}))?)\})/y;

const readGalley: SlotReader = (text, at, names) => {
  const found = match(GALLEY, text, at);
  if (!found) return undefined;
  const end = at + found[0].length;
  const [, dollar, bare, all, from, count, braced, bracedAll, name, fallback] = found;
  if (dollar !== undefined) return { text: "$", end };
  if (all !== undefined) return { slot: { kind: "all" }, end };
  if (from !== undefined) return { slot: slice(from, count), end };
  if (bracedAll !== undefined) return { slot: { kind: "all", ...withFallback(fallback) }, end };
  if (name !== undefined) {
    // `${HOME}` in prose is prose: only a name that the file declares is a slot.
    if (!names.includes(name)) return undefined;
    return { slot: { kind: "named", name, ...withFallback(fallback) }, end };
  }
  const index = one(bare ?? braced ?? "0");
  if (index < 0) return undefined;
  return { slot: { kind: "positional", index, ...withFallback(fallback) }, end };
};

function slice(from: string, count: string | undefined): Slot {
  const start = Math.max(0, one(from));
  return count === undefined
    ? { kind: "slice", from: start }
    : { kind: "slice", from: start, count: Number(count) };
}

const CLAUDE = /\$(?:ARGUMENTS(?:\[(\d{1,9})\])?|(\d+)|([A-Za-z_][\w-]*))/y;

const readClaude: SlotReader = (text, at, names) => {
  const found = match(CLAUDE, text, at);
  if (!found) return undefined;
  const [whole, indexed, bare, name] = found;
  const end = at + whole.length;
  if (name !== undefined) return claudeName(name, at, names);
  const digits = indexed ?? bare;
  if (digits === undefined) return { slot: { kind: "all" }, end };
  return { slot: { kind: "positional", index: Number(digits), missing: "literal" }, end };
};

/** `$issue-title` may be the name `issue-title`, or the name `issue` before a dash. */
function claudeName(name: string, at: number, names: readonly string[]): FoundSlot | undefined {
  const declared = names
    .filter((each) => name === each || (name.startsWith(each) && name[each.length] === "-"))
    .toSorted((a, b) => b.length - a.length)[0];
  if (declared === undefined) return undefined;
  const slot: Slot = { kind: "named", name: declared };
  return { slot, end: at + 1 + declared.length };
}

const OPENCODE = /\$(?:ARGUMENTS|(\d+))/y;

const readOpencode: SlotReader = (text, at) => {
  const found = match(OPENCODE, text, at);
  if (!found) return undefined;
  const end = at + found[0].length;
  if (found[1] === undefined) return { slot: { kind: "all" }, end };
  const index = one(found[1]);
  return index < 0 ? undefined : { slot: { kind: "positional", index }, end };
};

const PI =
  /\$(?:(\d+)|@|ARGUMENTS|\{(?:@:(\d{1,9})(?::(\d{1,9}))?|(?:(\d{1,9})|@|ARGUMENTS):-([^}]{0,1000}))\})/y;

const readPi: SlotReader = (text, at) => {
  const found = match(PI, text, at);
  if (!found) return undefined;
  const end = at + found[0].length;
  const [, bare, from, count, braced, fallback] = found;
  if (from !== undefined) return { slot: slice(from, count), end };
  const digits = bare ?? braced;
  if (digits === undefined) return { slot: { kind: "all", ...withFallback(fallback) }, end };
  return { slot: { kind: "positional", index: one(digits), ...withFallback(fallback) }, end };
};

const GEMINI = "{{args}}";

const readGemini: SlotReader = (text, at) =>
  text.startsWith(GEMINI, at) ? { slot: { kind: "all" }, end: at + GEMINI.length } : undefined;

export const DIALECT: { readonly [D in DialectId]: Dialect } = {
  galley: { slotAt: readGalley, escape: "dollar", shell: "word", file: "word", leftover: "unused" },
  claude: {
    slotAt: readClaude,
    escape: "slot",
    shell: "word",
    file: "word",
    leftover: "append-labelled",
  },
  opencode: {
    slotAt: readOpencode,
    shell: "anywhere",
    file: "word",
    leftover: "append",
    lastTakesRest: true,
  },
  pi: { slotAt: readPi, shell: "none", file: "none", leftover: "unused" },
  gemini: { slotAt: readGemini, shell: "braces", file: "braces", leftover: "append" },
};
