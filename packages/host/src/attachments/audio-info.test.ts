import assert from "node:assert/strict";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { tempFolder } from "../testing/temp-folder.ts";
import { audioInfo } from "./audio-info.ts";

const be32 = (value: number): Buffer =>
  Buffer.from([24, 16, 8, 0].map((bits) => (value >>> bits) & 255));
const be16 = (value: number): Buffer => be32(value).subarray(2);
const le32 = (value: number): Buffer => be32(value).reverse();
const le16 = (value: number): Buffer => be16(value).reverse();
const joined = (...pieces: (string | Buffer | number[])[]): Buffer =>
  Buffer.concat(
    pieces.map((piece) =>
      typeof piece === "string" ? Buffer.from(piece, "latin1") : Buffer.from(piece),
    ),
  );

function wav(seconds: number, claims = seconds * 16_000): Buffer {
  const format = joined(le16(1), le16(1), le32(8000), le32(16_000), le16(2), le16(16));
  const sound = Buffer.alloc(seconds * 16_000);
  const body = joined(
    "WAVE",
    "fmt ",
    le32(16),
    format,
    "LIST",
    le32(3),
    "abc\0",
    "data",
    le32(claims),
    sound,
  );
  return joined("RIFF", le32(body.length), body);
}

/** 44100 as a number of ten bytes. */
const RATE_44100 = [0x40, 0x0e, 0xac, 0x44, 0, 0, 0, 0, 0, 0];
const AIFF = joined(
  "FORM",
  be32(30),
  "AIFF",
  "COMM",
  be32(18),
  be16(2),
  be32(88_200),
  be16(16),
  RATE_44100,
);
const FLAC = joined(
  "fLaC",
  [0x80, 0, 0, 34],
  be16(4096),
  be16(4096),
  [0, 0, 0, 0, 0, 0],
  be32((48_000 << 12) | (1 << 9) | (15 << 4)),
  be32(96_000),
  Buffer.alloc(16),
);

const oggPage = (position: number, body: Buffer): Buffer =>
  joined("OggS", [0, 2], le32(position), le32(0), Buffer.alloc(12), [1, body.length], body);
const OPUS = joined(
  oggPage(0, joined("OpusHead", [1, 2], le16(312), le32(44_100), [0, 0, 0])),
  Buffer.alloc(100_000, 7),
  oggPage(48_000 * 3 + 312, Buffer.alloc(10)),
);
const VORBIS = joined(
  oggPage(0, joined("\x01vorbis", le32(0), [1], le32(22_050), Buffer.alloc(14))),
  oggPage(22_050, Buffer.alloc(4)),
);

const TAG = joined("ID3", [4, 0, 0, 0, 0, 1, 0], Buffer.alloc(128));
const FRAME = Buffer.from([0xff, 0xfb, 0x90, 0x00]);
const mp3Counted = joined(
  TAG,
  FRAME,
  Buffer.alloc(32),
  "Xing",
  be32(1),
  be32(100),
  Buffer.alloc(400),
);
const mp3Plain = joined(FRAME, Buffer.alloc(15_996));
const AAC = Buffer.from([0xff, 0xf1, 0x50, 0x80, 0, 0, 0]);

const box = (name: string, ...body: Buffer[]): Buffer => {
  const inside = Buffer.concat(body);
  return joined(be32(inside.length + 8), name, inside);
};
const MVHD = box("mvhd", be32(0), be32(0), be32(0), be32(1000), be32(2500), Buffer.alloc(80));
const MP4A = box("mp4a", Buffer.alloc(16), be16(2), be16(16), be32(0), be32(44_100 * 65_536));
const M4A = joined(
  box("ftyp", Buffer.from("M4A \0\0\0\0")),
  box("mdat", Buffer.alloc(5000)),
  box("moov", MVHD, MP4A),
);

const ROWS: readonly (readonly [string, Buffer, object])[] = [
  [
    "a WAV",
    wav(2),
    { format: "wav", codec: "pcm", seconds: 2, sampleRate: 8000, channels: 1, bitsPerSample: 16 },
  ],
  [
    "a WAV that was cut off",
    wav(1, 99_999_999),
    {
      format: "wav",
      codec: "pcm",
      seconds: 1,
      sampleRate: 8000,
      channels: 1,
      bitsPerSample: 16,
      note: "the file is shorter than it claims",
    },
  ],
  [
    "an AIFF",
    AIFF,
    {
      format: "aiff",
      codec: "pcm",
      seconds: 2,
      sampleRate: 44_100,
      channels: 2,
      bitsPerSample: 16,
    },
  ],
  [
    "a FLAC",
    FLAC,
    {
      format: "flac",
      codec: "flac",
      seconds: 2,
      sampleRate: 48_000,
      channels: 2,
      bitsPerSample: 16,
    },
  ],
  ["an Opus", OPUS, { format: "ogg", codec: "opus", seconds: 3, sampleRate: 44_100, channels: 2 }],
  [
    "a Vorbis",
    VORBIS,
    { format: "ogg", codec: "vorbis", seconds: 1, sampleRate: 22_050, channels: 1 },
  ],
  [
    "an MP3 that counts its frames",
    mp3Counted,
    { format: "mp3", codec: "mp3", seconds: 2.612, sampleRate: 44_100, channels: 2 },
  ],
  [
    "an MP3 that does not",
    mp3Plain,
    {
      format: "mp3",
      codec: "mp3",
      seconds: 1,
      sampleRate: 44_100,
      channels: 2,
      note: "its length is guessed from its first frame",
    },
  ],
  [
    "an AAC stream",
    AAC,
    {
      format: "aac",
      codec: "aac",
      sampleRate: 44_100,
      channels: 2,
      note: "a stream of frames, which does not tell its length",
    },
  ],
  [
    "an M4A with its index at the end",
    M4A,
    { format: "mp4", codec: "aac", seconds: 2.5, sampleRate: 44_100, channels: 2 },
  ],
];

for (const [says, bytes, expected] of ROWS) {
  test(`${says} tells its format and length`, async () => {
    assert.deepEqual(await audioInfo(bytes), { ok: true, value: expected });
  });
}

test("what is no sound, or only the first bytes of one, is a reason", async () => {
  const reasons = [
    Buffer.from("hello"),
    Buffer.from([0, 1, 2]),
    wav(1).subarray(0, 14),
    M4A.subarray(0, 60),
  ];
  assert.deepEqual(
    (await Promise.all(reasons.map(audioInfo))).map((result) => !result.ok && result.reason),
    [
      "its bytes are text/plain, not sound that is read here",
      "its bytes are of no known format, not sound that is read here",
      "it begins as audio/wav and its header is not whole",
      "it begins as audio/mp4 and its header is not whole",
    ],
  );
});

test("a file of 20 GB is read in a few places", async (t) => {
  const path = join(await tempFolder(t), "long.wav");
  const handle = await open(path, "w");
  await handle.write(wav(1, 0xffff_fff0).subarray(0, 100));
  await handle.truncate(20e9);
  await handle.close();
  const result = await audioInfo({ path });
  assert.equal(result.ok && result.value.seconds, 268_435.455);
});

test("whatever is done to a header, reading it gives a value", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...ROWS.map(([, bytes]) => bytes)),
      fc.array(fc.tuple(fc.nat(200), fc.nat(255)), { maxLength: 8 }),
      fc.nat(400),
      async (original, changes, keep) => {
        const bytes = Uint8Array.from(original.subarray(0, 40 + keep));
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        const result = await audioInfo(bytes);
        assert.equal(typeof (result.ok ? result.value.format : result.reason), "string");
        assert.doesNotMatch(result.ok ? "" : result.reason, /it cannot be read/);
      },
    ),
    { numRuns: 500 },
  );
});
