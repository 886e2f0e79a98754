/** The lines of one text that match, each as much of it as fits a line of output. */

export type MatchedLine = { readonly line: number; readonly text: string };

export type GrepRegex = { readonly source: string; readonly flags: string };

/** Characters of a line that are shown, and how many of them stand before the match. */
const SHOWN = 300;
const BEFORE = 80;

export function matchLines(text: string, regex: RegExp, most: number): readonly MatchedLine[] {
  const found: MatchedLine[] = [];
  let line = 0;
  for (let at = 0; at < text.length && found.length < most; ) {
    const feed = text.indexOf("\n", at);
    const end = feed === -1 ? text.length : feed;
    line += 1;
    const each = text.slice(at, text[end - 1] === "\r" && end > at ? end - 1 : end);
    const match = regex.exec(each);
    if (match) found.push({ line, text: excerpt(each, match.index) });
    at = end + 1;
  }
  return found;
}

function excerpt(line: string, at: number): string {
  if (line.length <= SHOWN) return line;
  const from = Math.max(0, Math.min(at - BEFORE, line.length - SHOWN));
  const to = from + SHOWN;
  return `${from > 0 ? "…" : ""}${line.slice(from, to)}${to < line.length ? "…" : ""}`;
}

/**
 * With Unicode where the pattern allows it: the strict dialect refuses escapes that many write from
 * habit, so those are read by the lenient one. A string when it is no pattern at all.
 */
export function readRegex(pattern: string, ignoreCase: boolean): GrepRegex | string {
  const rest = ignoreCase ? "i" : "";
  const strict = compile(pattern, `${rest}u`);
  if (typeof strict === "object") return strict;
  const lenient = compile(pattern, rest);
  return typeof lenient === "object"
    ? lenient
    : lenient.replace(/^Invalid regular expression: /, "");
}

function compile(source: string, flags: string): GrepRegex | string {
  try {
    new RegExp(source, flags);
    return { source, flags };
  } catch (error) {
    // The one thing that a constructor of patterns throws; its sentence is for the model.
    if (error instanceof SyntaxError) return error.message;
    throw error;
  }
}
