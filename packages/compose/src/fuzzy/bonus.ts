/**
 * What a place in a path is worth to whoever matches it. One table: the class of the character
 * before, the class of the character itself, and whether it stands in the last segment.
 *
 * The last segment outbids the rest and its first character outbids all, so a run that begins
 * there is the best that any alignment can reach.
 */

/** A mark is one byte: the bonus of the place, and whether folding changed the character there. */
export const BONUS = 0x7f;
export const CHANGED = 0x80;

/** The start of a text counts as following a slash. */
export const SLASH = 0;
export const DELIMITER = 1;
export const LOWER = 2;
export const UPPER = 3;
export const DIGIT = 4;
const CLASSES = 5;

export type CharClass = 0 | 1 | 2 | 3 | 4;

export const BASENAME_START = 28;
export const PATH_START = 22;
const SEGMENT_START = 20;
const AFTER_DELIMITER = 16;
/** Also the last capital of several, as the `S` of `HTTPServer`. */
export const CAMEL_HUMP = 14;
const FIRST_DIGIT = 10;
export const SEPARATOR = 8;
/** What a place of the last segment has over the same place elsewhere; slashes are nobody's. */
export const IN_BASENAME = 4;
/** The most that the beginning of a word earns, the first of a path and of its name aside. */
export const WORD_START = Math.max(SEGMENT_START, AFTER_DELIMITER + IN_BASENAME);

function worth(before: CharClass, self: CharClass): number {
  if (self === SLASH || self === DELIMITER) return SEPARATOR;
  if (before === SLASH) return SEGMENT_START;
  if (before === DELIMITER) return AFTER_DELIMITER;
  if (self === UPPER && before === LOWER) return CAMEL_HUMP;
  return self === DIGIT && before !== DIGIT ? FIRST_DIGIT : 0;
}

const ALL: readonly CharClass[] = [SLASH, DELIMITER, LOWER, UPPER, DIGIT];

const WORTHS = new Uint8Array(ALL.flatMap((before) => ALL.map((self) => worth(before, self))));

export function bonusOf(before: CharClass, self: CharClass, inBasename: boolean): number {
  const extra = inBasename && self !== SLASH ? IN_BASENAME : 0;
  return (WORTHS[before * CLASSES + self] ?? 0) + extra;
}

function classOf(code: number): CharClass {
  if (code === 47) return SLASH;
  if (code >= 48 && code <= 57) return DIGIT;
  if (code >= 65 && code <= 90) return UPPER;
  return code >= 97 && code <= 122 ? LOWER : DELIMITER;
}

const ASCII: readonly CharClass[] = Array.from({ length: 128 }, (_, code) => classOf(code));

/** Beyond ASCII everything is a letter, large where folding changes it. */
export function charClass(point: number, folded: number): CharClass {
  return ASCII[point] ?? (point === folded ? LOWER : UPPER);
}
