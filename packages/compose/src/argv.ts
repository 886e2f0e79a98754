/**
 * The text after a command's name as words, the way a shell splits them, but for prose: an
 * apostrophe inside a word is an apostrophe, and a quote that is never closed is a character.
 * Nothing is expanded and nothing fails.
 */

const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const BACKSLASH = 0x5c;
const EQUALS = 0x3d;

const isSpace = (code: number): boolean =>
  code === 0x20 || (code >= 0x09 && code <= 0x0d) || (code >= 0xa0 && isRareSpace(code));

const isRareSpace = (code: number): boolean =>
  code === 0xa0 ||
  code === 0x1680 ||
  (code >= 0x2000 && code <= 0x200a) ||
  code === 0x2028 ||
  code === 0x2029 ||
  code === 0x202f ||
  code === 0x205f ||
  code === 0x3000 ||
  code === 0xfeff;

/** Outside quotes a backslash frees a quote, a space or a backslash; `C:\temp` keeps its own. */
const isFreed = (code: number): boolean =>
  code === QUOTE || code === APOSTROPHE || code === BACKSLASH || isSpace(code);

const HAS_QUOTING = /["'\\]/;

export function splitWords(raw: string): string[] {
  return HAS_QUOTING.test(raw) ? quotedWords(raw) : plainWords(raw);
}

function plainWords(raw: string): string[] {
  const words: string[] = [];
  let start = -1;
  for (let at = 0; at < raw.length; at++) {
    const space = isSpace(raw.charCodeAt(at));
    if (!space && start < 0) start = at;
    else if (space && start >= 0) {
      words.push(raw.slice(start, at));
      start = -1;
    }
  }
  if (start >= 0) words.push(raw.slice(start));
  return words;
}

type Quoted = { readonly text: string; readonly end: number };

function quotedWords(raw: string): string[] {
  const words: string[] = [];
  const closers = { double: true, single: true };
  let word: string | undefined;
  let at = 0;
  while (at < raw.length) {
    const code = raw.charCodeAt(at);
    if (isSpace(code)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      at += 1;
      continue;
    }
    const quoted = readQuoted(raw, at, code, word === undefined, closers);
    if (quoted !== undefined) {
      word = (word ?? "") + quoted.text;
      at = quoted.end;
    } else if (code === BACKSLASH && at + 1 < raw.length && isFreed(raw.charCodeAt(at + 1))) {
      word = (word ?? "") + raw.charAt(at + 1);
      at += 2;
    } else {
      word = (word ?? "") + raw.charAt(at);
      at += 1;
    }
  }
  if (word !== undefined) words.push(word);
  return words;
}

/** `closers` remembers that no closing quote follows, so that the search is not made again. */
function readQuoted(
  raw: string,
  at: number,
  code: number,
  atWordStart: boolean,
  closers: { double: boolean; single: boolean },
): Quoted | undefined {
  if (code === QUOTE && closers.double) {
    const found = readDouble(raw, at + 1);
    closers.double = found !== undefined;
    return found;
  }
  const mayOpen = atWordStart || raw.charCodeAt(at - 1) === EQUALS;
  if (code === APOSTROPHE && mayOpen && closers.single) {
    const end = closingApostrophe(raw, at + 1);
    closers.single = end >= 0;
    return end < 0 ? undefined : { text: raw.slice(at + 1, end), end: end + 1 };
  }
  return undefined;
}

function readDouble(raw: string, from: number): Quoted | undefined {
  let text = "";
  for (let at = from; at < raw.length; at++) {
    const code = raw.charCodeAt(at);
    if (code === QUOTE) return { text, end: at + 1 };
    const next = raw.charCodeAt(at + 1);
    if (code === BACKSLASH && (next === QUOTE || next === BACKSLASH)) at += 1;
    text += raw.charAt(at);
  }
  return undefined;
}

/** The first apostrophe that ends a word: `'don't stop' now` has its end after `stop`. */
function closingApostrophe(raw: string, from: number): number {
  let at = raw.indexOf("'", from);
  while (at >= 0 && at + 1 < raw.length && !isSpace(raw.charCodeAt(at + 1))) {
    at = raw.indexOf("'", at + 1);
  }
  return at;
}
