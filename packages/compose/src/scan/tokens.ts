/**
 * The tokens of a draft's typed text, in order and without overlap.
 *
 * A command is a line: it stands at its start and takes it to the end, and no code span reaches
 * over it. A mention stands at the start of a word. Code is passed over. A backslash before what
 * would be a token keeps it as text, and is then itself dropped; before anything else it is a
 * backslash.
 */
import type { ExpansionPart } from "@galley/parts";
import type { Catalogue } from "../command/catalogue.ts";
import type { CommandEntry } from "../command/entry.ts";
import type { Note } from "../note.ts";
import { codeSpansOf, fencesOf, type Region, regionReader } from "./code-regions.ts";
import { type MentionReader, opensWord } from "./mention-token.ts";
import { CHIP, type Stream } from "./stream.ts";

export type CommandToken = Region & {
  readonly kind: "command";
  readonly name: string;
  readonly raw: string;
  /** Absent: a name that nobody knows, at the very start of the message. */
  readonly entry?: CommandEntry;
};

export type Token =
  | CommandToken
  | (Region & { readonly kind: "mention"; readonly parts: readonly ExpansionPart[] })
  /** A backslash that has done its work. */
  | (Region & { readonly kind: "escape" });

export async function tokensOf(
  stream: Stream,
  catalogue: Catalogue,
  readMention: MentionReader,
  notes: Note[],
): Promise<readonly Token[]> {
  const fences = fencesOf(stream.shown);
  const commands = commandsOf(stream, fences, catalogue);
  const lines = commands.filter(({ kind }) => kind === "command");
  const blocks = inOrder([...fences, ...lines, ...settledCommands(stream)]);
  const mentions = await mentionsOf(stream.shown, blocks, readMention, notes);
  return inOrder([...commands, ...mentions]);
}

const inOrder = <R extends Region>(regions: readonly R[]): readonly R[] =>
  regions.toSorted((a, b) => a.from - b.from);

/** A command that came as a part ends a paragraph as a typed one does. */
const settledCommands = ({ pieces }: Stream): Region[] =>
  pieces.filter((piece) => piece.kind === "part" && piece.part.type === "command");

function commandsOf(stream: Stream, fences: readonly Region[], catalogue: Catalogue): Token[] {
  const isCode = regionReader(fences);
  const tokens: Token[] = [];
  for (const { 0: mark, index } of stream.shown.matchAll(/(?<=^|\n)\\?\//g)) {
    if (isCode(index)) continue;
    const slash = index + mark.length - 1;
    const token = readCommand(stream, slash, index === 0, catalogue);
    if (token === undefined) continue;
    tokens.push(slash === index ? token : { kind: "escape", from: index, to: slash });
  }
  return tokens;
}

const NAME = /\/([^\s\uFFFB\uFFFC]+)(?=\s|$)/y;
/** What a command that nobody knows may look like; `/usr/bin` and `/*` do not. */
const PLAUSIBLE = /^[\p{L}_][\p{L}\p{N}_:.-]*$/u;

function readCommand(
  { shown, original }: Stream,
  from: number,
  atStart: boolean,
  catalogue: Catalogue,
): CommandToken | undefined {
  NAME.lastIndex = from;
  const name = NAME.exec(shown)?.[1];
  if (name === undefined) return undefined;
  const entry = catalogue.find(name);
  if (entry === undefined && !(atStart && PLAUSIBLE.test(name))) return undefined;
  const to = lineEnd(shown, from);
  const raw = original.slice(from + 1 + name.length, to).trim();
  return { kind: "command", from, to, name, raw, ...(entry && { entry }) };
}

function lineEnd(shown: string, from: number): number {
  const newline = shown.indexOf("\n", from);
  const line = newline < 0 ? shown.length : newline;
  const chip = shown.slice(from, line).indexOf(CHIP);
  if (chip >= 0) return from + chip;
  return newline >= 0 && shown[newline - 1] === "\r" ? newline - 1 : line;
}

async function mentionsOf(
  shown: string,
  blocks: readonly Region[],
  readMention: MentionReader,
  notes: Note[],
): Promise<Token[]> {
  if (!shown.includes("@")) return [];
  const isCode = regionReader(inOrder([...blocks, ...codeSpansOf(shown, blocks)]));
  const tokens: Token[] = [];
  let end = -1;
  for (const { 0: mark, index } of shown.matchAll(/\\?@/g)) {
    // No word begins right behind a mention, whatever its last character.
    if (index <= end || isCode(index) || !opensWord(shown, index)) continue;
    const at = index + mark.length - 1;
    const found = await readMention(shown, at);
    if (found === undefined) continue;
    if ("unresolved" in found) {
      const message = `${found.unresolved} stands for nothing here: kept as text`;
      if (at === index) notes.push({ code: "unresolved-mention", message });
      continue;
    }
    end = found.end;
    if (at > index) tokens.push({ kind: "escape", from: index, to: at });
    else tokens.push({ kind: "mention", from: at, to: end, parts: found.parts });
  }
  return tokens;
}
