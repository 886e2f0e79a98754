/**
 * Tokens, estimated from characters by class in one pass.
 *
 * It is linear on any text, which no tokenizer is. The weights are tokens a character, or a run of
 * them, fitted to a tokenizer in wide use. Providers differ by class, so the sum is kept by class:
 * calibration weighs the classes.
 */
import type { ImageSize } from "@galley/parts";

/**
 * Of characters, not of files: letters and digits are prose, punctuation and indentation are code,
 * and every source has some of both.
 */
export const TOKEN_CLASSES = ["prose", "code", "cjk", "base64", "other", "media"] as const;
export type TokenClass = (typeof TOKEN_CLASSES)[number];

/** Tokens by class. */
export type Measure = { readonly [C in TokenClass]: number };

export const NO_TOKENS: Measure = { prose: 0, code: 0, cjk: 0, base64: 0, other: 0, media: 0 };

export const addMeasure = (one: Measure, other: Measure, times = 1): Measure => ({
  prose: one.prose + times * other.prose,
  code: one.code + times * other.code,
  cjk: one.cjk + times * other.cjk,
  base64: one.base64 + times * other.base64,
  other: one.other + times * other.other,
  media: one.media + times * other.media,
});

/** A sum in the making: histories are long, and a new object for each of their blocks is slow. */
export type Tally = { -readonly [C in TokenClass]: number };

export function tallyInto(tally: Tally, more: Measure, times = 1): void {
  tally.prose += times * more.prose;
  tally.code += times * more.code;
  tally.cjk += times * more.cjk;
  tally.base64 += times * more.base64;
  tally.other += times * more.other;
  tally.media += times * more.media;
}

export const sumOf = ({ prose, code, cjk, base64, other, media }: Measure): number =>
  prose + code + cjk + base64 + other + media;

/** Sums of fractions that ought to be whole end a little above it. */
const ROUNDING = 1e-6;

export const tokensOf = (measure: Measure): number =>
  Math.max(0, Math.ceil(sumOf(measure) - ROUNDING));

/** A blank goes with the word after it; alone it is a token all the same. */
export const estimateTokens = (text: string): number =>
  text === "" ? 0 : Math.max(1, tokensOf(measureText(text)));

/** Tokens of one character; `numbers` are runs of up to three digits. */
const EACH = { letter: 0.235, number: 1.4, sign: 0.25, space: 0.07, base64: 0.69, hex: 0.56 };
/** What a run of signs, or of white space, costs beside its characters. */
const RUN = { signs: 0.42, spaces: 0.38 };

/** From this length on a run may be data, if it changes often enough between cases and digits. */
const DENSE_LENGTH = 16;
const DENSE_CHANGES = 0.37;

type Kind = 0 | 1 | 2 | 3 | 4 | 5 | 6;
const [BEYOND, DIGIT, UPPER, LOWER, LINK, SPACE, SIGN] = [0, 1, 2, 3, 4, 5, 6] as const;

/** Of ASCII. Links are the signs that base64 and its relatives hold. */
const KINDS = Uint8Array.from({ length: 128 }, (_, code): Kind => {
  const char = String.fromCharCode(code);
  if (code === 32 || (code >= 9 && code <= 13)) return SPACE;
  if (char >= "0" && char <= "9") return DIGIT;
  if (char >= "A" && char <= "Z") return UPPER;
  if (char >= "a" && char <= "z") return LOWER;
  return "+/=_-".includes(char) ? LINK : SIGN;
});

const kindAt = (text: string, at: number): number => {
  const code = text.charCodeAt(at);
  return code < 128 ? (KINDS[code] as number) : BEYOND;
};
const isWordly = (kind: number): boolean => kind >= DIGIT && kind <= LINK;

export function measureText(text: string): Measure {
  const tally: Tally = { ...NO_TOKENS };
  let at = 0;
  while (at < text.length) {
    const kind = kindAt(text, at);
    if (isWordly(kind)) at = takeWord(text, at, tally);
    else if (kind === SPACE) at = takeSpaces(text, at, tally);
    else if (kind === SIGN) at = takeSigns(text, at, tally);
    else {
      takeBeyond(text.charCodeAt(at), tally);
      at += 1;
    }
  }
  return tally;
}

/** A run of letters, digits and links: data if it is dense, else words, numbers and signs. */
function takeWord(text: string, from: number, tally: Tally): number {
  let end = from;
  let before = BEYOND as number;
  let changes = 0;
  let uppers = 0;
  let letters = 0;
  let numbers = 0;
  let digits = 0;
  let links = 0;
  let linkRuns = 0;
  for (; end < text.length; end += 1) {
    const kind = kindAt(text, end);
    if (!isWordly(kind)) break;
    const changed = kind !== before;
    // From upper to lower case is how a word begins, also in the middle of a name.
    if (changed && !(kind === LOWER && before === UPPER)) changes += 1;
    if (kind === DIGIT) {
      digits = changed ? 1 : digits + 1;
      if (digits % 3 === 1) numbers += 1;
    } else if (kind === LINK) {
      links += 1;
      if (changed) linkRuns += 1;
    } else {
      letters += 1;
      if (kind === UPPER) uppers += 1;
    }
    before = kind;
  }
  const length = end - from;
  if (length >= DENSE_LENGTH && changes > length * DENSE_CHANGES) {
    tally.base64 += length * (uppers > 0 ? EACH.base64 : EACH.hex);
  } else {
    tally.prose += letters * EACH.letter + numbers * EACH.number;
    tally.code += links * EACH.sign + linkRuns * RUN.signs;
  }
  return end;
}

function takeSigns(text: string, from: number, tally: Tally): number {
  let end = from + 1;
  while (end < text.length && kindAt(text, end) === SIGN) end += 1;
  // A link that stands before has opened the run.
  const joins = from > 0 && kindAt(text, from - 1) === LINK;
  tally.code += (end - from) * EACH.sign + (joins ? 0 : RUN.signs);
  return end;
}

/** One blank goes with the next word; line breaks and indentation are tokens of their own. */
function takeSpaces(text: string, from: number, tally: Tally): number {
  let end = from + 1;
  while (end < text.length && kindAt(text, end) === SPACE) end += 1;
  const length = end - from;
  if (length > 1 || text.charCodeAt(from) !== 32) tally.code += RUN.spaces + length * EACH.space;
  return end;
}

/** What is not ASCII, by block of Unicode; the first row that reaches far enough holds. */
const BLOCKS: readonly (readonly [upTo: number, kind: "cjk" | "other", tokens: number])[] = [
  [0xbf, "other", 1.2], // Latin-1 signs
  [0x36f, "other", 0.5], // accented letters
  [0x1fff, "other", 0.34], // other alphabets
  [0x2e7f, "other", 1.2], // signs and symbols
  [0x303f, "cjk", 0.72], // radicals, CJK punctuation
  [0x30ff, "cjk", 0.8], // kana
  [0x9fff, "cjk", 0.72], // Han
  [0xabff, "other", 1.2],
  [0xd7a3, "cjk", 0.69], // Hangul
  [0xdfff, "other", 0.73], // half a surrogate pair
  [0xfeff, "other", 1.2],
  [0xffff, "cjk", 0.72], // full width forms
];

function takeBeyond(code: number, tally: Tally): void {
  const [, kind, tokens] = BLOCKS.find(([upTo]) => code <= upTo) ?? [0, "other", 1.2];
  tally[kind] += tokens;
}

/** Pixels of the longer side beyond which providers scale an image down. */
const EDGE = 1568;
const PIXELS_A_TOKEN = 750;
const IMAGE_TOKENS = 1600;

/** Media are priced by rule, never by the length of their base64. */
export function estimateMedia(mime: string, size: number, image?: ImageSize): number {
  if (mime.startsWith("image/")) return image ? imageTokens(image) : IMAGE_TOKENS;
  if (mime === "application/pdf") return Math.max(2000, Math.ceil(size / 40));
  return Math.ceil(size / 1000) * 32;
}

function imageTokens({ width, height }: ImageSize): number {
  const scale = Math.min(1, EDGE / Math.max(width, height, 1));
  const tokens = Math.ceil((width * height * scale * scale) / PIXELS_A_TOKEN);
  return Math.min(IMAGE_TOKENS, Math.max(1, tokens));
}
