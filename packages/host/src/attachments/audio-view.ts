/** What the header of a sound file tells, and the few bytes at a time in which it is read. */
import type { OpenSource } from "./source.ts";

export type AudioInfo = {
  /** By the bytes. */
  readonly format: "wav" | "aiff" | "flac" | "ogg" | "mp3" | "mp4" | "aac";
  readonly codec?: string;
  readonly seconds?: number;
  /** Hertz. */
  readonly sampleRate?: number;
  readonly channels?: number;
  readonly bitsPerSample?: number;
  /** What is guessed, or missing and why. */
  readonly note?: string;
};

/** Undefined: the header is not whole. */
export type AudioReader = (open: OpenSource) => Promise<AudioInfo | undefined>;

export const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export const wordAt = (bytes: Uint8Array, at: number, length = 4): string =>
  Buffer.from(bytes.subarray(at, at + length)).toString("latin1");

/** To the millisecond; undefined where a header claims nonsense. */
export function secondsOf(samples: number, rate: number): { seconds?: number } {
  const seconds = Math.round((samples / rate) * 1000) / 1000;
  return Number.isFinite(seconds) && seconds >= 0 ? { seconds } : {};
}

export type Chunk = { readonly id: string; readonly at: number; readonly size: number };

/** The chunks of a RIFF or IFF file, each an id and a length; a bound on how many. */
export async function* chunksFrom(
  open: OpenSource,
  start: number,
  littleEndian: boolean,
): AsyncGenerator<Chunk> {
  let at = start;
  for (let count = 0; count < 1000 && at + 8 <= open.size; count += 1) {
    const head = await open.read(at, 8);
    if (head.length < 8) return;
    const size = viewOf(head).getUint32(4, littleEndian);
    yield { id: wordAt(head, 0), at: at + 8, size };
    // Chunks begin at even places.
    at += 8 + size + (size % 2);
  }
}
