/**
 * A text that every match of a pattern holds, so that a file without it need not be looked at line
 * by line. Read off the pattern where that is easy; anything else gives none, and costs only time.
 */

const SHORTEST = 2;
/** What an escape may stand for as itself. */
const PLAIN_ESCAPE = /[^A-Za-z0-9\s]/;

/** As bytes; undefined when there is none that is sure. */
export function requiredBytes(source: string, flags: string): Buffer | undefined {
  if (flags.includes("i")) return undefined;
  const runs = literalRuns(source);
  const longest = runs?.reduce((one, other) => (other.length > one.length ? other : one), "");
  // A half character, or the mark of a broken one, is not in the bytes as it is in the text.
  if (!longest || longest.length < SHORTEST || !longest.isWellFormed()) return undefined;
  return longest.includes("\ufffd") ? undefined : Buffer.from(longest);
}

/** Characters in a row that a match has to hold; undefined for a pattern with a choice in it. */
function literalRuns(source: string): readonly string[] | undefined {
  const runs: string[] = [];
  let run = "";
  const close = (): void => {
    runs.push(run);
    run = "";
  };
  let at = 0;
  while (at < source.length) {
    const char = String.fromCodePoint(source.codePointAt(at) ?? 0);
    if (char === "|") return undefined;
    if (char === "(" || char === "[") {
      close();
      const end = char === "(" ? endOfGroup(source, at) : endOfClass(source, at);
      if (end === undefined) return undefined;
      at = end;
    } else if ("*?{".includes(char)) {
      // The one before may be there or not.
      run = [...run].slice(0, -1).join("");
      close();
      at = char === "{" ? after(source, "}", at) : at + 1;
    } else if (char === "\\") {
      const next = source[at + 1] ?? "";
      if (PLAIN_ESCAPE.test(next)) run += next;
      // What has arguments of its own is not read further.
      else if (/[bBdDsSwW]/.test(next)) close();
      else return [...runs, run];
      at += 2;
    } else if (".^$+".includes(char)) {
      close();
      at += 1;
    } else {
      run += char;
      at += char.length;
    }
  }
  close();
  return runs;
}

const after = (source: string, mark: string, at: number): number => {
  const found = source.indexOf(mark, at);
  return found === -1 ? source.length : found + 1;
};

function endOfClass(source: string, from: number): number | undefined {
  for (let at = from + 1; at < source.length; at += 1) {
    if (source[at] === "\\") at += 1;
    else if (source[at] === "]") return at + 1;
  }
  return undefined;
}

function endOfGroup(source: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < source.length; at += 1) {
    const char = source[at];
    if (char === "\\") at += 1;
    else if (char === "[") at = (endOfClass(source, at) ?? source.length) - 1;
    else if (char === "(") depth += 1;
    else if (char === ")") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}
