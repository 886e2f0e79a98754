/**
 * Gzip, undone with every byte counted, and a gzip of one file as an archive of one entry.
 */
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { type ArchiveLimits, overBytes, type Visit, type Walked } from "./archive-entry.ts";
import { nameProblem } from "./entry-name.ts";
import type { OpenSource } from "./source.ts";
import { attempt, done, type Tried, wordsOf } from "./tried.ts";

export function gunzipped(open: OpenSource): Readable {
  const gunzip = createGunzip();
  // The one who reads from it is told of an error; the callback has nothing to add.
  pipeline(Readable.from(copies(open)), gunzip, () => undefined);
  return gunzip;
}

/**
 * A stream keeps its chunks for a while, and those of a file are used again. The copies are of the
 * kind that the tar library is made for: it never comes to an end on a plain array of bytes.
 */
export async function* copies(open: OpenSource): AsyncGenerator<Buffer> {
  for await (const chunk of open.chunks()) yield Buffer.from(chunk);
}

export function walkGzip(
  open: OpenSource,
  visit: Visit,
  limits: ArchiveLimits,
): Promise<Tried<Walked>> {
  return attempt("the gzip cannot be read", async () => {
    const name = gzipName(await open.read(0, HEAD)) ?? "content";
    const tail = await open.read(Math.max(0, open.size - 4), 4);
    const size = tail.length === 4 ? Buffer.from(tail).readUInt32LE() : 0;
    const refused = nameProblem(name);
    const sink = await visit({ name, kind: "file", size, ...(refused && { refused }) });
    let bytes = 0;
    let stopped: string | undefined;
    try {
      for await (const chunk of gunzipped(open) as AsyncIterable<Uint8Array>) {
        bytes += chunk.length;
        if (bytes > limits.bytes) {
          stopped = overBytes(limits);
          break;
        }
        await sink?.write(chunk);
      }
    } catch (error) {
      stopped = wordsOf(error);
    }
    await sink?.end(stopped);
    return done({ format: "gzip", entries: 1, bytes, ...(stopped !== undefined && { stopped }) });
  });
}

const HEAD = 512;
const HAS_EXTRA = 4;
const HAS_NAME = 8;

function gzipName(head: Uint8Array): string | undefined {
  const flags = head[3] ?? 0;
  if (!(flags & HAS_NAME) || flags & HAS_EXTRA) return undefined;
  const end = head.indexOf(0, 10);
  return end < 0 ? undefined : Buffer.from(head.subarray(10, end)).toString("latin1");
}
