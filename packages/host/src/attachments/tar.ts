/**
 * Tar archives, plain or in gzip, and a gzip of one file.
 *
 * The compression is undone here and not by the tar library, so that every byte that comes out of it
 * is counted before anybody looks at it.
 */
import type { ReadEntry } from "tar";
import {
  type ArchiveEntry,
  type ArchiveLimits,
  overBytes,
  overEntries,
  type Sink,
  type Visit,
  type Walked,
} from "./archive-entry.ts";
import { nameProblem } from "./entry-name.ts";
import { copies, gunzipped, walkGzip } from "./gzip.ts";
import type { OpenSource } from "./source.ts";
import { attempt, done, type Tried, wordsOf } from "./tried.ts";

const BLOCK = 512;

export type TarFormat = Exclude<Walked["format"], "zip">;

export async function tarFormat(open: OpenSource): Promise<TarFormat | undefined> {
  const [first, second] = await open.read(0, 2);
  if (first !== 0x1f || second !== 0x8b) {
    return isTarHeader(await open.read(0, BLOCK)) ? "tar" : undefined;
  }
  let head: Uint8Array = new Uint8Array();
  for await (const chunk of gunzipped(open)) {
    head = Buffer.concat([head, chunk]);
    if (head.length >= BLOCK) break;
  }
  return isTarHeader(head.subarray(0, BLOCK)) ? "tar.gz" : "gzip";
}

/** The sum of the header's bytes, its own field taken as blanks, stands in octal at 148. */
function isTarHeader(block: Uint8Array): boolean {
  // The tar library would take these for another compression and undo it uncounted.
  const isPacked =
    (block[0] === 0x1f && block[1] === 0x8b) || (block[0] === 0x28 && block[1] === 0xb5);
  if (block.length < BLOCK || isPacked) return false;
  const field = Buffer.from(block.subarray(148, 156)).toString("latin1");
  const told = Number.parseInt(field.replace(/[\0 ]/g, ""), 8);
  const sum = block.reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 32 : byte), 0);
  return sum === told;
}

export function walkTar(
  open: OpenSource,
  format: TarFormat,
  visit: Visit,
  limits: ArchiveLimits,
): Promise<Tried<Walked>> {
  if (format === "gzip") return walkGzip(open, visit, limits);
  return attempt("the tar cannot be read", async () => {
    const { Parser } = await import("tar");
    const taker = entryTaker(visit, limits);
    const parser = new Parser({ onReadEntry: taker.take });
    parser.on("ignoredEntry", taker.take);
    parser.on("error", taker.stop);
    const chunks = format === "tar" ? copies(open) : gunzipped(open);
    const bytes = await pump(chunks, limits, taker, (chunk) => parser.write(chunk));
    parser.end();
    await taker.settled();
    const { entries, stopped } = taker.state();
    return done({ format, entries, bytes, ...(stopped !== undefined && { stopped }) });
  });
}

/** Feeds what is read until it ends or something says stop. */
async function pump(
  chunks: AsyncIterable<Uint8Array>,
  limits: ArchiveLimits,
  taker: EntryTaker,
  feed: (chunk: Uint8Array) => void,
): Promise<number> {
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > limits.bytes) taker.stop(overBytes(limits));
      if (taker.state().stopped !== undefined) break;
      feed(chunk);
      await taker.settled();
    }
  } catch (error) {
    taker.stop(error);
  }
  return bytes;
}

interface EntryTaker {
  take(entry: ReadEntry): void;
  stop(why: unknown): void;
  /** When everything that was taken so far has reached its sink. */
  settled(): Promise<void>;
  state(): { readonly entries: number; readonly stopped: string | undefined };
}

/** The library pushes; what it pushes is lined up behind one promise, so that sinks may wait. */
function entryTaker(visit: Visit, limits: ArchiveLimits): EntryTaker {
  let line: Promise<void> = Promise.resolve();
  let entries = 0;
  let stopped: string | undefined;
  const stop = (why: unknown): void => {
    stopped ??= wordsOf(why);
  };
  return {
    stop,
    settled: () => line,
    state: () => ({ entries, stopped }),
    take(entry) {
      if (entries >= limits.entries) stop(overEntries(limits));
      if (stopped !== undefined) {
        entry.resume();
        return;
      }
      entries += 1;
      let sink: Sink | undefined;
      let got = 0;
      const queue = (step: () => Promise<void>): void => {
        line = line.then(step);
      };
      queue(async () => {
        sink = await visit(entryOf(entry));
      });
      entry.on("data", (chunk: Uint8Array) => {
        got += chunk.length;
        queue(async () => sink?.write(chunk));
      });
      entry.on("end", () => queue(async () => sink?.end(shortOf(entry.size, got))));
    },
  };
}

const shortOf = (size: number, got: number): string | undefined =>
  got < size ? `it has ${got} bytes and claims ${size}` : undefined;

const KINDS: ReadonlyMap<string, ArchiveEntry["kind"]> = new Map([
  ["File", "file"],
  ["OldFile", "file"],
  ["ContiguousFile", "file"],
  ["Directory", "directory"],
  ["SymbolicLink", "link"],
  ["Link", "link"],
]);

function entryOf({ path, type, size }: ReadEntry): ArchiveEntry {
  const kind = KINDS.get(type) ?? "other";
  const odd = kind === "link" ? "it is a link" : "it is neither file nor folder";
  const refused = kind === "link" || kind === "other" ? odd : nameProblem(path);
  return { name: path, kind, size, ...(refused && { refused }) };
}
