/**
 * A draft as one run of text to scan, with everything that is not typed masked to the same length,
 * so that a position in the one is a position in the other. Tokens are looked for in `shown` and
 * taken from `original`.
 */
import type { UserPart } from "@galley/parts";
import { type Draft, isPastedEntity, isPastedText, isTyped, type PastedText } from "../draft.ts";
import type { Note } from "../note.ts";
import { entityPart, PASTE_CHARS, pastedFile } from "../paste.ts";

/** Stands for pasted characters: they may be in a command's arguments and in no token. */
export const PASTE = "\uFFFB";
/** Stands for a part that has its own shape: no token reaches over it. */
export const CHIP = "\uFFFC";

export type Piece =
  | { readonly kind: "typed" | "pasted"; readonly from: number; readonly to: number }
  | { readonly kind: "part"; readonly from: number; readonly to: number; readonly part: UserPart };

export type Stream = {
  readonly original: string;
  readonly shown: string;
  readonly pieces: readonly Piece[];
  readonly notes: readonly Note[];
};

export function streamOf(draft: Draft, pasteChars = PASTE_CHARS): Stream {
  const original: string[] = [];
  const shown: string[] = [];
  const pieces: Piece[] = [];
  const notes: Note[] = [];
  let from = 0;
  let pastes = 0;
  const add = (text: string, mask: string, piece: { kind: Piece["kind"]; part?: UserPart }) => {
    original.push(text);
    shown.push(mask);
    // The two shapes of a piece differ in `part` alone, which the callers below give or leave out.
    pieces.push({ ...piece, from, to: from + text.length } as Piece);
    from += text.length;
  };
  const addPart = (part: UserPart): void => {
    const text = part.type === "text" && typeof part.text === "string" ? part.text : "";
    if (text === "") add(CHIP, CHIP, { kind: "part", part });
    // One mark at least, also for blank text: a command's arguments end before a part.
    else add(text, CHIP + masked(text, CHIP).slice(1), { kind: "part", part });
  };
  const addPaste = (paste: PastedText): void => {
    const text = String(paste.text);
    if (text.length <= pasteChars) add(text, masked(text, PASTE), { kind: "pasted" });
    else {
      pastes += 1;
      if (!text.isWellFormed()) notes.push(MENDED);
      addPart(pastedFile({ ...paste, text }, pastes));
    }
  };
  for (const part of draft.parts) {
    if (isTyped(part)) add(String(part.text), String(part.text), { kind: "typed" });
    else if (isPastedText(part)) addPaste(part);
    else if (isPastedEntity(part)) addPart(entityPart(part));
    else addPart(part);
  }
  return { original: original.join(""), shown: shown.join(""), pieces, notes };
}

const MENDED: Note = {
  code: "mended-text",
  message: "half a surrogate pair in the pasted text became U+FFFD",
};

/** Spaces at the end stay, so that a word or a line may begin after them. */
function masked(text: string, mask: string): string {
  const end = text.trimEnd().length;
  return mask.repeat(end) + text.slice(end);
}
