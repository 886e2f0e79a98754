/** MP4 and M4A: boxes in boxes, of which one tells the length and one how the sound is kept. */
import { type AudioReader, secondsOf, viewOf, wordAt } from "./audio-view.ts";
import type { OpenSource } from "./source.ts";

/** Bytes of the index that are looked at. */
const INDEX_BYTES = 4 * 1024 * 1024;
const BOXES = 1000;

export const readMp4: AudioReader = async (open) => {
  const index = await findIndex(open);
  if (index === undefined) return undefined;
  const view = viewOf(index);
  const header = Buffer.from(index).indexOf("mvhd");
  if (header < 0 || header + 32 > index.length) return undefined;
  const isLong = view.getUint8(header + 4) === 1;
  const scale = view.getUint32(header + (isLong ? 24 : 16));
  const length = isLong ? Number(view.getBigUint64(header + 28)) : view.getUint32(header + 20);
  return { format: "mp4", ...secondsOf(length, scale), ...soundOf(index, view) };
};

/** The `moov` box, in front of the sound or behind it. */
async function findIndex(open: OpenSource): Promise<Uint8Array | undefined> {
  let at = 0;
  for (let count = 0; count < BOXES && at + 8 <= open.size; count += 1) {
    const head = await open.read(at, 16);
    if (head.length < 8) return undefined;
    const size = boxSize(head, open.size - at);
    if (wordAt(head, 4) === "moov") return open.read(at, Math.min(size, INDEX_BYTES));
    if (size < 8) return undefined;
    at += size;
  }
  return undefined;
}

/** One stands for a size of eight bytes behind the name, zero for all that is left. */
function boxSize(head: Uint8Array, left: number): number {
  const view = viewOf(head);
  const size = view.getUint32(0);
  if (size === 1 && head.length >= 16) return Number(view.getBigUint64(8));
  return size === 0 ? left : size;
}

function soundOf(index: Uint8Array, view: DataView) {
  const at = Buffer.from(index).indexOf("mp4a");
  if (at < 0 || at + 32 > index.length) return { note: "how its sound is kept is not known" };
  const channels = view.getUint16(at + 20);
  return { codec: "aac", channels, sampleRate: view.getUint32(at + 28) >>> 16 };
}
