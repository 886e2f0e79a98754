/** WAV and AIFF: chunks, of which one tells the format and one holds the sound. */
import {
  type AudioInfo,
  type AudioReader,
  type Chunk,
  chunksFrom,
  secondsOf,
  viewOf,
  wordAt,
} from "./audio-view.ts";
import type { OpenSource } from "./source.ts";

export const readWav: AudioReader = async (open) => {
  const chunks = await collect(open, true);
  const format = chunks.get("fmt ");
  const sound = chunks.get("data");
  const head = format && (await open.read(format.at, 16));
  if (head === undefined || head.length < 16) return undefined;
  const view = viewOf(head);
  const bytesPerSecond = view.getUint32(8, true);
  // A recorder that was cut off leaves a length that is not true.
  const length = sound && Math.min(sound.size, open.size - sound.at);
  return {
    format: "wav",
    codec: WAV_CODECS.get(view.getUint16(0, true)) ?? `code ${view.getUint16(0, true)}`,
    ...(length !== undefined && secondsOf(length, bytesPerSecond)),
    sampleRate: view.getUint32(4, true),
    channels: view.getUint16(2, true),
    bitsPerSample: view.getUint16(14, true),
    ...(sound && length !== sound.size && { note: "the file is shorter than it claims" }),
  };
};

const WAV_CODECS: ReadonlyMap<number, string> = new Map([
  [1, "pcm"],
  [2, "adpcm"],
  [3, "float"],
  [6, "a-law"],
  [7, "mu-law"],
  [0xfffe, "extensible"],
]);

export const readAiff: AudioReader = async (open) => {
  const common = (await collect(open, false)).get("COMM");
  const head = common && (await open.read(common.at, 22));
  if (head === undefined || head.length < 18) return undefined;
  const view = viewOf(head);
  const sampleRate = extended(view, 8);
  const info: AudioInfo = {
    format: "aiff",
    codec: head.length >= 22 && (common?.size ?? 0) >= 22 ? wordAt(head, 18).trim() : "pcm",
    ...secondsOf(view.getUint32(2), sampleRate),
    sampleRate,
    channels: view.getUint16(0),
    bitsPerSample: view.getUint16(6),
  };
  return info;
};

/** A number of ten bytes: a sign, fifteen bits of exponent, sixty-four of mantissa. */
function extended(view: DataView, at: number): number {
  const exponent = (view.getUint16(at) & 0x7fff) - 16383 - 63;
  const mantissa = view.getUint32(at + 2) * 2 ** 32 + view.getUint32(at + 6);
  return Math.round(mantissa * 2 ** exponent);
}

async function collect(open: OpenSource, littleEndian: boolean): Promise<Map<string, Chunk>> {
  const chunks = new Map<string, Chunk>();
  for await (const chunk of chunksFrom(open, 12, littleEndian)) chunks.set(chunk.id, chunk);
  return chunks;
}
