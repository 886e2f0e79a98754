/**
 * A range of a file or a blob, by lines or by bytes, clamped to what is there.
 *
 * Small sources are read to their end, which gives the hash of the whole and the number of lines;
 * of large ones only as much is read as the range needs.
 */
import { createHash } from "node:crypto";
import type { LoadedRange } from "@galley/assemble";
import type { Range } from "@galley/parts";
import { type CollectedLines, lineCollector } from "./line-range.ts";

export interface ByteSource {
  /** As it is told beforehand; reading decides. */
  readonly size: number;
  readonly mtimeMs?: number;
  /** At most `count` bytes from `from` on. Each chunk is valid until the next. */
  chunks(from: number, count: number): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

const WHOLE_BYTES = 64 * 1024 * 1024;

export function readRange(source: ByteSource, range: Range, maxBytes: number) {
  return range.unit === "byte"
    ? readBytes(source, range, maxBytes)
    : readLines(source, range, maxBytes);
}

async function readLines(source: ByteSource, range: Range, maxBytes: number): Promise<LoadedRange> {
  const collector = lineCollector(range, maxBytes);
  const hash = createHash("sha256");
  let read = 0;
  let atEnd = true;
  for await (const chunk of source.chunks(0, Math.max(source.size, WHOLE_BYTES))) {
    collector.push(chunk);
    read += chunk.length;
    if (source.size <= WHOLE_BYTES) hash.update(chunk);
    else if (collector.done) {
      atEnd = false;
      break;
    }
  }
  const whole = atEnd && source.size <= WHOLE_BYTES;
  const facts = {
    size: Math.max(source.size, read),
    ...(source.mtimeMs !== undefined && { mtime_ms: source.mtimeMs }),
    ...(whole && { sha256: hash.digest("hex") }),
  };
  return sayLines(collector.finish(atEnd), range, maxBytes, facts);
}

type Facts = Pick<Extract<LoadedRange, { kind: "range" }>, "size" | "sha256" | "mtime_ms">;

function sayLines(
  lines: CollectedLines,
  range: Range,
  maxBytes: number,
  facts: Facts,
): LoadedRange {
  const { bytes, last, total, cut } = lines;
  if (total === 0) {
    const shown = { start: 1, end: 1, total };
    return { kind: "range", bytes, shown, note: "the file is empty", ...facts };
  }
  if (last < range.start) {
    const reason = `it ends at line ${last}, before the lines asked for (${range.start} to ${range.end})`;
    return { kind: "unavailable", reason };
  }
  const note = cut
    ? `cut ${cut === "inside-a-line" ? "inside" : "after"} line ${last}: the range is over ${maxBytes} bytes`
    : last < range.end
      ? `the file ends at line ${last}`
      : undefined;
  const shown = { start: range.start, end: last, ...(total !== undefined && { total }) };
  return { kind: "range", bytes, shown, ...facts, ...(note && { note }) };
}

async function readBytes(source: ByteSource, range: Range, maxBytes: number): Promise<LoadedRange> {
  const wanted = range.end - range.start;
  const chunks: Uint8Array[] = [];
  for await (const chunk of source.chunks(range.start, Math.min(wanted, maxBytes))) {
    chunks.push(chunk.slice());
  }
  const bytes = Buffer.concat(chunks);
  if (bytes.length === 0 && wanted > 0) {
    const reason = `it ends at byte ${source.size}, before the bytes asked for (${range.start} to ${range.end})`;
    return { kind: "unavailable", reason };
  }
  const end = range.start + bytes.length;
  const short = bytes.length < wanted;
  const why = bytes.length === maxBytes ? `the range is over ${maxBytes} bytes` : "the file ends";
  return {
    kind: "range",
    bytes,
    size: Math.max(source.size, end),
    shown: { start: range.start, end, unit: "byte", total: Math.max(source.size, end) },
    ...(source.mtimeMs !== undefined && { mtime_ms: source.mtimeMs }),
    ...(short && { note: `cut at byte ${end}: ${why}` }),
  };
}
