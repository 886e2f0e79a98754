/** MP3 and AAC streams: frames without a header of the whole, so a length is counted or guessed. */
import { type AudioInfo, type AudioReader, secondsOf, viewOf, wordAt } from "./audio-view.ts";
import type { OpenSource } from "./source.ts";

/** Kilobits a second, by the four bits of the header. */
const V1_KBPS = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const V2_KBPS = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const V1_RATES = [44_100, 48_000, 32_000];
/** How far from where it should be a first frame is looked for. */
const SEARCHED = 64 * 1024;

export const readMp3: AudioReader = async (open) => {
  const start = await afterTag(open);
  const head = await open.read(start, SEARCHED);
  const at = head.findIndex((_, index) => frameAt(head, index) !== undefined);
  const frame = at < 0 ? undefined : frameAt(head, at);
  if (frame === undefined) return undefined;
  const { kbps, rate, channels, samples } = frame;
  const about: AudioInfo = { format: "mp3", codec: "mp3", sampleRate: rate, channels };
  const frames = countedFrames(head, at, frame);
  if (frames !== undefined) return { ...about, ...secondsOf(frames * samples, rate) };
  const bytes = open.size - start - at;
  const note = "its length is guessed from its first frame";
  return { ...about, ...secondsOf(bytes * 8, kbps * 1000), note };
};

/** An ID3 tag in front tells its size, seven bits a byte. */
async function afterTag(open: OpenSource): Promise<number> {
  const head = await open.read(0, 10);
  if (head.length < 10 || wordAt(head, 0, 3) !== "ID3") return 0;
  return 10 + head.subarray(6, 10).reduce((sum, byte) => sum * 128 + (byte & 127), 0);
}

type Frame = {
  readonly isV1: boolean;
  readonly kbps: number;
  readonly rate: number;
  readonly channels: number;
  /** In one frame. */
  readonly samples: number;
};

/** Eleven bits of sync, then version, layer III, bit rate, sample rate and channels. */
function frameAt(bytes: Uint8Array, at: number): Frame | undefined {
  const [sync, second = 0, third = 0, fourth = 0] = bytes.subarray(at, at + 4);
  if (sync !== 0xff || (second & 0xe6) !== 0xe2) return undefined;
  const version = (second >>> 3) & 3;
  const isV1 = version === 3;
  const kbps = (isV1 ? V1_KBPS : V2_KBPS)[third >>> 4];
  const base = V1_RATES[(third >>> 2) & 3];
  if (version === 1 || !kbps || base === undefined) return undefined;
  const rate = isV1 ? base : version === 2 ? base / 2 : base / 4;
  return { isV1, kbps, rate, channels: fourth >>> 6 === 3 ? 1 : 2, samples: isV1 ? 1152 : 576 };
}

/** The first frame may hold a count of all frames instead of sound. */
function countedFrames(head: Uint8Array, at: number, frame: Frame): number | undefined {
  const side = frame.isV1 ? (frame.channels === 1 ? 17 : 32) : frame.channels === 1 ? 9 : 17;
  const xing = at + 4 + side;
  if (head.length < xing + 16) return undefined;
  const view = viewOf(head);
  const word = wordAt(head, xing);
  if ((word === "Xing" || word === "Info") && view.getUint32(xing + 4) & 1) {
    return view.getUint32(xing + 8);
  }
  const vbri = at + 36;
  if (head.length >= vbri + 18 && wordAt(head, vbri) === "VBRI") return view.getUint32(vbri + 14);
  return undefined;
}

const ADTS_RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000,
  7350,
];

export const readAac: AudioReader = async (open) => {
  const [sync, , third = 0, fourth = 0] = await open.read(0, 4);
  const sampleRate = ADTS_RATES[(third >>> 2) & 15];
  if (sync !== 0xff || sampleRate === undefined) return undefined;
  const channels = ((third & 1) << 2) | (fourth >>> 6);
  const note = "a stream of frames, which does not tell its length";
  return { format: "aac", codec: "aac", sampleRate, channels, note };
};
