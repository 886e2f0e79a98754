/**
 * How deep a JSON text nests, without parsing it: whoever prints a value again goes as deep as the
 * value does, and has no room for one that was made to be deep.
 */
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** For a text that is JSON; of another one it may say anything. */
export function isDeeper(text: string, levels: number): boolean {
  // Most texts are short: each level takes two characters.
  if (text.length <= levels * 2) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > levels) return true;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return false;
}

/** Where the quote is that ends the string which begins here. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}
