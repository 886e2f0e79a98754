/**
 * The words that a POSIX shell would make of a command of plain words and quotes; undefined as soon
 * as it would do anything else with it. The laws use it to read back what was escaped.
 */
export function shellWordsOf(command: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < command.length; ) {
    const char = command[at] as string;
    if (/[ \t\n]/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      at += 1;
      continue;
    }
    const piece = pieceAt(command, at);
    if (piece === undefined) return undefined;
    word = (word ?? "") + piece.text;
    at = piece.end;
  }
  return word === undefined ? words : [...words, word];
}

function pieceAt(command: string, at: number): { text: string; end: number } | undefined {
  const char = command[at] as string;
  if (char === "'") {
    const close = command.indexOf("'", at + 1);
    return close < 0 ? undefined : { text: command.slice(at + 1, close), end: close + 1 };
  }
  if (char === '"') {
    const close = command.indexOf('"', at + 1);
    const text = command.slice(at + 1, close);
    return close < 0 || /[$`\\]/.test(text) ? undefined : { text, end: close + 1 };
  }
  if (char === "\\") {
    const next = command[at + 1];
    return next === undefined || next === "\n" ? undefined : { text: next, end: at + 2 };
  }
  return /[A-Za-z0-9_./-]/.test(char) ? { text: char, end: at + 1 } : undefined;
}
