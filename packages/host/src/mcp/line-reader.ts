/** Chunks of a stream to its lines. A line that grows past the limit is given up, and all after it. */

export type ReadLines = { readonly lines: readonly string[]; readonly isTooLong: boolean };

const NEWLINE = 0x0a;

export function lineReader(mostBytes: number): (chunk: Buffer) => ReadLines {
  // Joined once a line: joining at each chunk would cost the square of a long one.
  let begun: Buffer[] = [];
  let size = 0;
  let isTooLong = false;
  return (chunk) => {
    const lines: string[] = [];
    let rest = chunk;
    while (!isTooLong) {
      const at = rest.indexOf(NEWLINE);
      const piece = at === -1 ? rest : rest.subarray(0, at);
      begun.push(piece);
      size += piece.length;
      if (size > mostBytes) {
        isTooLong = true;
        begun = [];
      } else if (at === -1) break;
      else {
        lines.push(Buffer.concat(begun).toString("utf8"));
        begun = [];
        size = 0;
        rest = rest.subarray(at + 1);
      }
    }
    return { lines, isTooLong };
  };
}
