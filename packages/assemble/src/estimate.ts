/**
 * Tokens, estimated from characters by class in one pass.
 *
 * It is linear on any text, which no tokenizer is. The weights are characters a token; calibration
 * by the provider's own counts multiplies the sum.
 */

/** Characters a token, by class. */
const PER_TOKEN = { word: 4.4, space: 6, digit: 2.4, punct: 1.7, cjk: 1.25, other: 2.2 } as const;
type CharClass = keyof typeof PER_TOKEN;

export function estimateTokens(text: string): number {
  const counts: Record<CharClass, number> = {
    word: 0,
    space: 0,
    digit: 0,
    punct: 0,
    cjk: 0,
    other: 0,
  };
  for (let index = 0; index < text.length; index += 1) {
    counts[classOf(text.charCodeAt(index))] += 1;
  }
  let tokens = 0;
  for (const kind of Object.keys(PER_TOKEN) as CharClass[])
    tokens += counts[kind] / PER_TOKEN[kind];
  return Math.ceil(tokens);
}

function classOf(code: number): CharClass {
  if (code === 32 || (code >= 9 && code <= 13)) return "space";
  if (code >= 48 && code <= 57) return "digit";
  if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) return "word";
  if (code < 128) return "punct";
  if ((code >= 0x2e80 && code <= 0x9fff) || (code >= 0xac00 && code <= 0xd7a3)) return "cjk";
  return "other";
}

/** Media are priced by rule, never by the length of their base64. */
export function estimateMedia(mime: string, size: number): number {
  if (mime.startsWith("image/")) return 1600;
  if (mime === "application/pdf") return Math.max(2000, Math.ceil(size / 40));
  return Math.ceil(size / 1000) * 32;
}
