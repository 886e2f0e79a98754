/**
 * Text as the bytes that are compared: folded to lower case, one UTF-8 sequence for each code
 * point, so that characters of the text and of the bytes correspond one to one.
 *
 * A surrogate without its partner gets the three bytes that its number would have. It then equals
 * only itself, and never a half of a whole character.
 */

/** Most bytes that one UTF-16 unit of text can take. */
export const MAX_BYTES_A_UNIT = 3;

const ASCII_END = 0x80;

/** The lower case where that is one code point too; the point itself where it is none or several. */
export function foldPoint(point: number): number {
  if (point < ASCII_END) return point >= 65 && point <= 90 ? point + 32 : point;
  const lower = String.fromCodePoint(point).toLowerCase();
  const folded = lower.codePointAt(0) ?? point;
  return lower.length === unitsOf(folded) ? folded : point;
}

export const unitsOf = (point: number): number => (point > 0xffff ? 2 : 1);

/** Writes a folded point at `at`; answers where the next one goes. */
export function writePoint(point: number, bytes: Uint8Array, at: number): number {
  if (point < ASCII_END) {
    bytes[at] = point;
    return at + 1;
  }
  const tails = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
  const marker = tails === 1 ? 0xc0 : tails === 2 ? 0xe0 : 0xf0;
  bytes[at] = marker | (point >> (6 * tails));
  for (let tail = 1; tail <= tails; tail += 1) {
    bytes[at + tail] = 0x80 | ((point >> (6 * (tails - tail))) & 0x3f);
  }
  return at + tails + 1;
}

export const isTail = (byte: number): boolean => (byte & 0xc0) === 0x80;
