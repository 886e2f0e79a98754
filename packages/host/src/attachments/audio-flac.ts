/** FLAC: the first block tells everything. */
import { type AudioReader, secondsOf, viewOf } from "./audio-view.ts";

export const readFlac: AudioReader = async (open) => {
  const head = await open.read(0, 26);
  if (head.length < 26) return undefined;
  const view = viewOf(head);
  // 20 bits of rate, 3 of channels, 5 of bits, 36 of samples, from the eighteenth byte on.
  const sampleRate = view.getUint32(18) >>> 12;
  const samples = (view.getUint8(21) & 0x0f) * 2 ** 32 + view.getUint32(22);
  return {
    format: "flac",
    codec: "flac",
    ...(samples > 0 ? secondsOf(samples, sampleRate) : { note: "its length is not told" }),
    sampleRate,
    channels: ((view.getUint8(20) >>> 1) & 7) + 1,
    bitsPerSample: (((view.getUint8(20) & 1) << 4) | (view.getUint8(21) >>> 4)) + 1,
  };
};
