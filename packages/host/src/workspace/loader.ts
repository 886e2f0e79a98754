/**
 * The file system as the assembler's `Loader`: reads inside one workspace, never throws for a bad
 * file, never waits on one and never holds more of it than was asked for.
 *
 * Bytes that left their message for a blob are found by what `blobs` holds.
 */
import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import type { Loaded, LoadedRange, Loader } from "@galley/assemble";
import { type FileRef, SNIFF_BYTES } from "@galley/parts";
import { isKeptFromAgents, KEPT } from "./kept-from-agents.ts";
import { chunksOf, type Opened, type Refused, readOpened, reasonOf } from "./read-file.ts";
import { type ByteSource, readRange } from "./read-range.ts";
import { openInside, resolveInside } from "./roots.ts";

export type Blobs = ReadonlyMap<string, Uint8Array>;

/** Where bytes are found by their content id: those of one message, or a store's. */
export interface BlobSource {
  get(content_id: string): Uint8Array | undefined | Promise<Uint8Array | undefined>;
}

type Unavailable = { readonly kind: "unavailable"; readonly reason: string };

export function fileLoader(root: string, blobs: BlobSource = new Map()): Loader {
  return {
    async read(ref, maxBytes): Promise<Loaded> {
      const held = await blobOf(ref, blobs);
      if (held instanceof Uint8Array) return wholeOrHead(held, held.length, maxBytes, {});
      if (held) return held;
      const opened = await openAllowed(root, ref.kind === "path" ? ref.path : "");
      if (!opened.ok) return unavailable(opened.reason);
      const bound = opened.size > maxBytes ? SNIFF_BYTES : maxBytes;
      const read = await readOpened(opened, bound);
      if (!read.ok) return unavailable(read.reason);
      return wholeOrHead(read.bytes, read.size, maxBytes, { mtime_ms: read.mtimeMs });
    },

    async readRange(ref, range, maxBytes): Promise<LoadedRange> {
      const held = await blobOf(ref, blobs);
      if (held instanceof Uint8Array) return readRange(blobSource(held), range, maxBytes);
      if (held) return held;
      const opened = await openAllowed(root, ref.kind === "path" ? ref.path : "");
      if (!opened.ok) return unavailable(opened.reason);
      const { handle, size, mtimeMs } = opened;
      const chunks = (from: number, count: number) => chunksOf(handle, from, count);
      try {
        return await readRange({ size, mtimeMs, chunks }, range, maxBytes);
      } catch (error) {
        return unavailable(reasonOf(error));
      } finally {
        await handle.close();
      }
    },

    directoryProblem: (path) => directoryProblem(root, path),
    // Until there is a tool that loads one, a skill that is called is not had, and that is said.
    skillProblem: async () => "this host does not load skills yet",
  };
}

const unavailable = (reason: string): Unavailable => ({ kind: "unavailable", reason });

async function blobOf(
  ref: FileRef,
  blobs: BlobSource,
): Promise<Uint8Array | Unavailable | undefined> {
  if (ref.kind === "path") return undefined;
  if (ref.kind === "url") return unavailable("an address is not fetched on its own");
  return (await blobs.get(ref.content_id)) ?? unavailable("its bytes are not stored here");
}

const blobSource = (bytes: Uint8Array): ByteSource => ({
  size: bytes.length,
  chunks: (from, count) => [bytes.subarray(from, from + count)],
});

/** Inside the workspace, and not kept from agents. */
async function openAllowed(root: string, path: string): Promise<Opened | Refused> {
  const inside = await resolveInside(root, path);
  if (inside.ok && (await isKeptFromAgents(root, inside.real))) return { ok: false, reason: KEPT };
  return openInside(root, path);
}

function wholeOrHead(
  bytes: Uint8Array,
  size: number,
  maxBytes: number,
  facts: { readonly mtime_ms?: number },
): Loaded {
  if (size > maxBytes) return { kind: "head", bytes: bytes.subarray(0, SNIFF_BYTES), size };
  return { kind: "whole", bytes, sha256: sha256(bytes), ...facts };
}

export const sha256 = (bytes: Uint8Array | string): string =>
  createHash("sha256").update(bytes).digest("hex");

/** Undefined when there is a file to be read, else why not. */
export async function fileProblem(root: string, path: string): Promise<string | undefined> {
  const opened = await openAllowed(root, path);
  if (!opened.ok) return opened.reason;
  await opened.handle.close();
  return undefined;
}

async function directoryProblem(root: string, path: string): Promise<string | undefined> {
  const inside = await resolveInside(root, path);
  if (!inside.ok) return inside.reason.replace("no such file", "no such directory");
  try {
    return (await stat(inside.real)).isDirectory() ? undefined : "not a directory";
  } catch (error) {
    return reasonOf(error);
  }
}
