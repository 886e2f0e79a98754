/**
 * Opening and reading one file that a person or a model named, without being held up by it.
 *
 * A name may stand for a device, a pipe that nobody writes to, or a disk's worth of bytes. So the
 * kind is looked at before the file is opened and again after, an open never waits, and every
 * read has a bound. A file that cannot be had is a reason, not an exception.
 */
import { constants, type Stats } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { isOwnFile, OWN } from "./own-files.ts";

export type Refused = { readonly ok: false; readonly reason: string };
export type Opened = {
  readonly ok: true;
  readonly handle: FileHandle;
  /** As the file system tells it: some files of 0 bytes have content all the same. */
  readonly size: number;
  readonly mtimeMs: number;
};

/** Absent on Windows, where an open does not wait. */
const NEVER_WAIT = constants.O_NONBLOCK ?? 0;
const CHUNK = 256 * 1024;

/** Held for good: closing one would let go of SQLite's locks on it. */
const neverClosed: FileHandle[] = [];

/** `host`: the host itself reads a file of its own that is no database. */
export type Reader = "host" | "anybody";

export async function openRegular(
  path: string,
  reader: Reader = "anybody",
): Promise<Opened | Refused> {
  const isRefused = (file: Pick<Stats, "dev" | "ino">): boolean =>
    reader === "anybody" && isOwnFile(file);
  try {
    const before = await stat(path);
    const wrong = notRegular(before) ?? (isRefused(before) ? OWN : undefined);
    if (wrong !== undefined) return { ok: false, reason: wrong };
    const handle = await open(path, constants.O_RDONLY | NEVER_WAIT);
    try {
      const now = await handle.stat();
      const changed = now.dev !== before.dev || now.ino !== before.ino;
      if (changed && isRefused(now)) {
        neverClosed.push(handle);
        return { ok: false, reason: OWN };
      }
      const reason = changed ? "replaced while it was being opened" : notRegular(now);
      if (reason === undefined) {
        return { ok: true, handle, size: now.size, mtimeMs: Math.trunc(now.mtimeMs) };
      }
      await handle.close();
      return { ok: false, reason };
    } catch (error) {
      await handle.close();
      throw error;
    }
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  }
}

type Kind = { isFile(): boolean; isDirectory(): boolean };

function notRegular(kind: Kind): string | undefined {
  if (kind.isFile()) return undefined;
  return kind.isDirectory() ? "is a directory" : "not a regular file";
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "no such file",
  ENOTDIR: "no such file",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EISDIR: "is a directory",
  ENXIO: "not a regular file",
  ELOOP: "symbolic links that lead nowhere",
  ENAMETOOLONG: "a name that is too long",
  ERR_INVALID_ARG_VALUE: "a name with a character that no path may hold",
};

/** In plain words; whatever has no words here keeps its code. */
export function reasonOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  // Not of the file system: a bug, which is nobody's to hide.
  if (typeof code !== "string") throw error;
  return REASONS[code] ?? `cannot be read (${code})`;
}

export type Read = {
  readonly ok: true;
  readonly bytes: Uint8Array;
  /** Whether there was more than was asked for. */
  readonly more: boolean;
  readonly size: number;
  readonly mtimeMs: number;
};

/** All of a regular file, or nothing of one that is larger than `maxBytes`. */
export async function readRegular(
  path: string,
  maxBytes: number,
  reader: Reader = "anybody",
): Promise<Read | Refused> {
  const opened = await openRegular(path, reader);
  if (!opened.ok) return opened;
  const { handle, size, mtimeMs } = opened;
  if (size <= maxBytes) return readOpened(opened, maxBytes);
  await handle.close();
  return { ok: true, bytes: new Uint8Array(), more: true, size, mtimeMs };
}

/** The first `maxBytes` of what is open. Closes the handle, whatever comes. */
export async function readOpened(opened: Opened, maxBytes: number): Promise<Read | Refused> {
  const { handle, size, mtimeMs } = opened;
  try {
    const chunks: Uint8Array[] = [];
    let total = 0;
    for await (const chunk of chunksOf(handle, 0, maxBytes + 1)) {
      chunks.push(chunk.slice());
      total += chunk.length;
    }
    const bytes = Buffer.concat(chunks, total).subarray(0, maxBytes);
    const more = total > maxBytes;
    return { ok: true, bytes, more, size: Math.max(size, total), mtimeMs };
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  } finally {
    await handle.close();
  }
}

/** At most `count` bytes from `from` on. Each chunk is valid until the next. */
export async function* chunksOf(
  handle: FileHandle,
  from: number,
  count: number,
): AsyncGenerator<Uint8Array> {
  // Not a `Buffer`, whose `slice` is no copy.
  const buffer = new Uint8Array(Math.min(CHUNK, count));
  let left = count;
  while (left > 0) {
    const at = from + count - left;
    const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, left), at);
    if (bytesRead === 0) return;
    left -= bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
