/** Sizes and cuts of text, in the units that limits are given in. */

/** UTF-8 bytes of a text; a lone surrogate counts as the three bytes of U+FFFD. */
export function utf8Bytes(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x80) bytes += 1;
    else if (code < 0x800) bytes += 2;
    else if (isPair(text, at)) {
      bytes += 4;
      at += 1;
    } else bytes += 3;
  }
  return bytes;
}

/** Whether a whole surrogate pair stands here. */
function isPair(text: string, at: number): boolean {
  const high = text.charCodeAt(at);
  const low = text.charCodeAt(at + 1);
  return high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 && low < 0xe000;
}

/** The first characters of a text, at most `count` code units and never half a pair. */
export function headOf(text: string, count: number): string {
  if (text.length <= count) return text;
  return text.slice(0, count > 0 && isPair(text, count - 1) ? count - 1 : count);
}
