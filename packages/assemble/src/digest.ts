/**
 * A short mark of a text, to see that it changed. It guards nothing: two texts may share a mark by
 * chance, once in four thousand million.
 */

/** FNV-1a over UTF-16 units, as eight hex digits. */
export function digestOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, "0");
}
