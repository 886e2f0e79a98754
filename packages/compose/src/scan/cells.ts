/**
 * A stream and its tokens to the cells of a message, in order: parts that are done, and commands
 * that are still to be settled. Text around tokens keeps every character; where an escape made it
 * differ from what was typed, the typed form stays beside it.
 */
import type { UserPart } from "@galley/parts";
import type { CommandEntry } from "../command/entry.ts";
import type { CommandLine } from "../command/settle.ts";
import type { Piece, Stream } from "./stream.ts";
import type { CommandToken, Token } from "./tokens.ts";

export type Cell =
  | {
      readonly kind: "part";
      readonly part: UserPart;
      /** A text that was given as a part: no token was looked for in it. */
      readonly given?: true;
    }
  | {
      readonly kind: "command";
      readonly line: CommandLine;
      readonly entry: CommandEntry | undefined;
    };

type Chunk = { readonly pasted: boolean; text: string; literal: string };

export function cellsOf(stream: Stream, tokens: readonly Token[]): Cell[] {
  const cells: Cell[] = [];
  let run: Chunk[] = [];
  let next = 0;
  const flush = (): void => {
    cells.push(...textCells(run));
    run = [];
  };
  for (const piece of stream.pieces) {
    if (piece.kind === "part") {
      flush();
      cells.push({
        kind: "part",
        part: piece.part,
        ...(piece.part.type === "text" && { given: true }),
      });
      continue;
    }
    let at = piece.from;
    // A token begins in a typed piece; a command may end in a later one, which it then covers.
    while (next < tokens.length && (tokens[next] as Token).from < piece.to) {
      const token = tokens[next] as Token;
      if (token.from >= at) {
        addText(run, stream, piece, at, token.from);
        if (token.kind === "escape") addEscape(run, stream, token);
        else {
          flush();
          cells.push(...tokenCells(stream, token));
        }
      }
      at = Math.max(at, token.to);
      if (token.to > piece.to) break;
      next += 1;
    }
    addText(run, stream, piece, at, piece.to);
  }
  flush();
  return cells;
}

function addText(run: Chunk[], { original }: Stream, piece: Piece, from: number, to: number): void {
  if (from >= to) return;
  const text = original.slice(from, to);
  const pasted = piece.kind === "pasted";
  const last = run.at(-1);
  if (last !== undefined && !pasted && !last.pasted) {
    last.text += text;
    last.literal += text;
  } else run.push({ pasted, text, literal: text });
}

function addEscape(run: Chunk[], { original }: Stream, { from, to }: Token): void {
  const last = run.at(-1);
  const literal = original.slice(from, to);
  if (last === undefined || last.pasted) run.push({ pasted: false, text: "", literal });
  else last.literal += literal;
}

/** Nothing in it could be read as a token or as code, wherever it is cut. */
const INERT = /^[^@/\\`~]*$/;

function textCells(run: readonly Chunk[]): Cell[] {
  if (run.length > 1 && run.every(({ literal }) => INERT.test(literal))) {
    return [{ kind: "part", part: { type: "text", text: run.map(({ text }) => text).join("") } }];
  }
  return run.map(({ pasted, text, literal }) => ({
    kind: "part",
    part: {
      type: "text",
      text,
      ...(pasted && { source: "paste" }),
      ...(literal !== text && { literal }),
    },
  }));
}

function tokenCells({ original }: Stream, token: Exclude<Token, { kind: "escape" }>): Cell[] {
  const literal = original.slice(token.from, token.to);
  if (token.kind === "command") return [commandCell(token, literal)];
  return token.parts.map((part, index) => ({
    kind: "part",
    part: { ...part, literal: index === 0 ? literal : "" } as UserPart,
  }));
}

const commandCell = ({ name, raw, entry }: CommandToken, literal: string): Cell => ({
  kind: "command",
  line: { id: `/${name}`, raw, keep: { literal } },
  entry,
});
