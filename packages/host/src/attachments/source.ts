/**
 * Where the bytes of an attachment come from: memory or a file, read alike and with a bound.
 *
 * A file is opened without waiting on it and read only where it is asked to be, so that a file
 * that claims to be huge, as a sparse one does, costs no more than what is looked at.
 */
import { chunksOf, openRegular } from "../workspace/read-file.ts";
import { attempt, done, failed, type Tried } from "./tried.ts";

export type Source = Uint8Array | { readonly path: string };

export interface OpenSource {
  readonly size: number;
  /** Of a file. */
  readonly fd?: number;
  /** At most `count` bytes from `at` on; fewer at the end. */
  read(at: number, count: number): Promise<Uint8Array>;
  /** All of it, in order. Each chunk is valid until the next. */
  chunks(): AsyncIterable<Uint8Array>;
}

const CHUNK = 256 * 1024;

export function withSource<T>(
  source: Source,
  use: (open: OpenSource) => Promise<Tried<T>>,
): Promise<Tried<T>> {
  return attempt("it cannot be read", () =>
    source instanceof Uint8Array ? use(ofBytes(source)) : withFile(source.path, use),
  );
}

function ofBytes(bytes: Uint8Array): OpenSource {
  return {
    size: bytes.length,
    read: async (at, count) => bytes.subarray(at, at + count),
    async *chunks() {
      for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK);
    },
  };
}

async function withFile<T>(
  path: string,
  use: (open: OpenSource) => Promise<Tried<T>>,
): Promise<Tried<T>> {
  const opened = await openRegular(path);
  if (!opened.ok) return failed(opened.reason);
  const { handle, size } = opened;
  try {
    return await use({
      size,
      fd: handle.fd,
      async read(at, count) {
        const wanted = Math.max(0, Math.min(count, size - at));
        const { buffer, bytesRead } = await handle.read(new Uint8Array(wanted), 0, wanted, at);
        return buffer.subarray(0, bytesRead);
      },
      chunks: () => chunksOf(handle, 0, size),
    });
  } finally {
    await handle.close();
  }
}

/** All of a source that is no larger than told. */
export function wholeOf(source: Source, maxBytes: number): Promise<Tried<Uint8Array>> {
  return withSource(source, async ({ size, read }) =>
    size > maxBytes
      ? failed(`it has ${size} bytes, and at most ${maxBytes} are read`)
      : done(await read(0, size)),
  );
}
