/** Ogg: the first page tells the codec, the last one how far the sound goes. */
import { type AudioInfo, type AudioReader, secondsOf, viewOf, wordAt } from "./audio-view.ts";
import type { OpenSource } from "./source.ts";

const HEAD = 512;
/** The largest page. */
const TAIL = 65_307;
/** Opus counts in this rate whatever it was recorded in. */
const OPUS_RATE = 48_000;

export const readOgg: AudioReader = async (open) => {
  const head = await open.read(0, HEAD);
  if (head.length < 27) return undefined;
  // Behind the table of segments.
  const at = 27 + (head[26] ?? 0);
  const codec = codecAt(head, at);
  if (codec === undefined) return { format: "ogg", note: "its codec is not known" };
  const length = await lastPosition(open);
  return {
    format: "ogg",
    ...codec.info,
    ...(length === undefined
      ? { note: "its last page is missing" }
      : secondsOf(length - codec.skipped, codec.rate)),
  };
};

type Codec = {
  readonly info: Pick<AudioInfo, "codec" | "sampleRate" | "channels">;
  readonly rate: number;
  /** Samples at the beginning that are not played. */
  readonly skipped: number;
};

function codecAt(head: Uint8Array, at: number): Codec | undefined {
  const view = viewOf(head);
  if (wordAt(head, at, 8) === "OpusHead" && head.length >= at + 19) {
    const sampleRate = view.getUint32(at + 12, true);
    const info = { codec: "opus", sampleRate, channels: view.getUint8(at + 9) };
    return { info, rate: OPUS_RATE, skipped: view.getUint16(at + 10, true) };
  }
  if (wordAt(head, at, 7) === "\x01vorbis" && head.length >= at + 16) {
    const sampleRate = view.getUint32(at + 12, true);
    const info = { codec: "vorbis", sampleRate, channels: view.getUint8(at + 11) };
    return { info, rate: sampleRate, skipped: 0 };
  }
  return undefined;
}

async function lastPosition(open: OpenSource): Promise<number | undefined> {
  const tail = Buffer.from(await open.read(Math.max(0, open.size - TAIL), TAIL));
  const at = tail.lastIndexOf("OggS");
  return at < 0 || at + 14 > tail.length ? undefined : Number(tail.readBigInt64LE(at + 6));
}
