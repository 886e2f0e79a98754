/**
 * Where in a POSIX shell command an argument would stand, and how it is written there.
 *
 * An argument goes into single quotes, closing and re-opening the quotes that the author has open.
 * That is right only where the shell's reading is certain, so whatever nests (substitutions, here
 * documents, arithmetic, comments) makes every later slot of the command unsafe, and an unsafe
 * slot is refused instead of guessed.
 */
import type { ShellPlace } from "./tree.ts";

const NESTS_ANYWHERE = /`|\$[({[]/y;
/** A dollar at the end would make `$'…'` of the quotes that the argument brings. */
const NESTS_BARE = /\$(?:['"]|$)|<<|\(\(/y;

const startsAt = (pattern: RegExp, text: string, at: number): boolean => {
  pattern.lastIndex = at;
  return pattern.test(text);
};

/** The place after `text`, when the place before it was `place`. */
export function placeAfter(text: string, place: ShellPlace): ShellPlace {
  let now = place;
  let wordStart = place === "bare";
  for (let at = 0; at < text.length && now !== "unsafe"; at++) {
    const char = text[at] as string;
    if (now === "single") {
      if (char === "'") now = "bare";
      continue;
    }
    if (nests(text, at, now)) return "unsafe";
    if (char === "\\") {
      // At the very end it would take the quote that the argument begins with.
      if (at + 1 >= text.length) return "unsafe";
      at += 1;
    } else if (char === '"') now = now === "double" ? "bare" : "double";
    else if (char === "'" && now === "bare") now = "single";
    else if (char === "#" && now === "bare" && wordStart) return "unsafe";
    wordStart = /[\s;|&()]/.test(char);
  }
  return now;
}

const nests = (text: string, at: number, place: ShellPlace): boolean =>
  startsAt(NESTS_ANYWHERE, text, at) || (place === "bare" && startsAt(NESTS_BARE, text, at));

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** NUL cannot be in an argument of any program, and a host that cuts there would run half. */
export const canBePassed = (word: string): boolean => !word.includes("\0");

/** The words as the shell must read them at this place: one text inside quotes, else one each. */
export function quoteWords(words: readonly string[], place: Exclude<ShellPlace, "unsafe">): string {
  switch (place) {
    case "bare":
      return words.map(quoted).join(" ");
    case "single":
      return `'${quoted(words.join(" "))}'`;
    case "double":
      return `"${quoted(words.join(" "))}"`;
  }
}
