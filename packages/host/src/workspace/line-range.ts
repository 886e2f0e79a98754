/**
 * The lines of a range, out of bytes that stream by.
 *
 * Only the range itself is kept, and of that no more than a bound, so the length of the file and
 * of its lines does not matter. Lines end with a line feed; a last line without one counts.
 */
import type { Range } from "@galley/parts";

export type CollectedLines = {
  readonly bytes: Uint8Array;
  /** The last line that `bytes` holds; below the first one asked for when it holds none. */
  readonly last: number;
  /** Lines of the file, when it was read to its end. */
  readonly total: number | undefined;
  /** Set when the bound cut the range: whether that was inside a line. */
  readonly cut?: "between-lines" | "inside-a-line";
};

const LF = 10;

export interface LineCollector {
  push(chunk: Uint8Array): void;
  /** The range is complete: more bytes only tell how many lines there are. */
  readonly done: boolean;
  /** `atEnd`: whether the bytes were all of the file. */
  finish(atEnd: boolean): CollectedLines;
}

export function lineCollector(range: Range, maxBytes: number): LineCollector {
  const kept: Uint8Array[] = [];
  let room = maxBytes;
  let full = false;
  /** The line that the next byte belongs to. */
  let line = 1;
  let midLine = false;

  function keep(bytes: Uint8Array): void {
    if (bytes.length > room) full = true;
    const fits = bytes.subarray(0, room);
    // A copy: the chunk's memory is used again for the next one.
    if (fits.length > 0) kept.push(fits.slice());
    room -= fits.length;
  }

  return {
    push(chunk) {
      let at = 0;
      while (at < chunk.length) {
        const feed = chunk.indexOf(LF, at);
        const to = feed === -1 ? chunk.length : feed + 1;
        if (line >= range.start && line <= range.end && !full) keep(chunk.subarray(at, to));
        midLine = feed === -1;
        if (!midLine) line += 1;
        at = to;
      }
    },
    get done() {
      return full || line > range.end;
    },
    finish(atEnd) {
      const lines = midLine ? line : line - 1;
      const total = atEnd ? lines : undefined;
      const bytes = Buffer.concat(kept);
      if (full) return { ...cutBytes(bytes, range.start), total };
      return { bytes, last: Math.min(range.end, lines), total };
    },
  };
}

/** At the end of the last whole line, or, when not even one is there, of the last character. */
function cutBytes(bytes: Buffer, first: number): Omit<CollectedLines, "total"> {
  const end = bytes.lastIndexOf(LF) + 1;
  if (end > 0) {
    const whole = bytes.subarray(0, end);
    const feeds = whole.reduce((count, byte) => count + (byte === LF ? 1 : 0), 0);
    return { bytes: whole, last: first + feeds - 1, cut: "between-lines" };
  }
  return { bytes: wholeCharacters(bytes), last: first, cut: "inside-a-line" };
}

/** UTF-8 characters are at most 4 bytes: up to 3 at the end may belong to one that was cut. */
function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(4, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return length > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}
