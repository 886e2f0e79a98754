/**
 * What the compositor says will become of an attachment is what lowering does with it, for every
 * model of the catalogue and for bytes of every kind.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { materializeParts } from "@galley/assemble";
import { describeDelivery } from "@galley/compose";
import type { PartOf } from "@galley/parts";
import { createForme, listModels, type ModelProfile, modelName } from "@galley/shape";
import fc from "fast-check";
import { protocolOf } from "../pipeline/protocols.ts";
import { fileLoader } from "../workspace/loader.ts";
import { mediaTaker } from "./media-taker.ts";

const MODELS = listModels();
const CONTENT_ID = `sha256:${"0".repeat(64)}`;

const ascii = (text: string): number[] => [...Buffer.from(text, "latin1")];
const be32 = (value: number): number[] => [24, 16, 8, 0].map((bits) => (value >>> bits) & 255);
const side = fc.constantFrom(1, 500, 1999, 2001, 7999, 8001, 20_000);

const png = fc
  .tuple(side, side)
  .map(([width, height]) => [
    0x89,
    ...ascii("PNG\r\n\x1a\n"),
    ...be32(13),
    ...ascii("IHDR"),
    ...be32(width),
    ...be32(height),
  ]);
const gif = fc
  .constantFrom(1, 2)
  .map((frames) => [
    ...ascii("GIF89a"),
    ...[9, 0, 9, 0, 0, 0, 0],
    ...Array.from({ length: frames }, () => [
      0x2c, 0, 0, 0, 0, 9, 0, 9, 0, 0, 2, 1, 0x44, 0,
    ]).flat(),
    0x3b,
  ]);
const HEADS = [
  ...[
    "%PDF-1.7",
    "PK\x03\x04",
    "RIFF\0\0\0\0WAVE",
    "RIFF\0\0\0\0WEBPVP8X",
    "ID3\x04",
    "fLaC",
    "OggS",
  ],
  ...[
    "\0\0\0\x14ftypisom",
    "\0\0\0\x14ftypM4A ",
    "\0\0\0\x14ftypheic",
    "\0\0\0\x14ftypqt  ",
    "8BPS",
  ],
  ...[
    "\x1a\x45\xdf\xa3",
    "FLV\x01",
    "\x1f\x8b",
    "\xff\xd8\xff\xe0\0\x04\0\0",
    "FORM\0\0\0\0AIFF",
    "#!AMR",
  ],
  ...[
    "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    "\xff\xf1",
    "II\x2a\0",
    "BM\0\0\0\0\0\0\0\0",
    "<svg>",
    "text",
    "\0\x01",
  ],
].map(ascii);
const content = fc.oneof(
  png,
  gif,
  fc.constantFrom(...HEADS),
  fc.uint8Array({ maxLength: 50 }).map((bytes) => [...bytes]),
  fc.string({ unit: "binary", maxLength: 50 }).map((text) => [...Buffer.from(text)]),
);
/** Text behind the head, so that a size is reached; a byte at its end that may break the text. */
const bytes = fc
  .tuple(content, fc.constantFrom(0, 32_700, 40_000), fc.constantFrom([], [0], [0xff]))
  .map(([head, fill, end]) =>
    Buffer.concat([Buffer.from(head), Buffer.alloc(fill, "a"), Buffer.from(end)]),
  );

const mime = fc.constantFrom(
  ...["", "text/plain", "text/markdown", "image/png", "image/jpeg", "application/pdf"],
  ...["application/octet-stream", "audio/mp4", "audio/webm", "video/x-matroska", "audio/opus"],
  ...["application/vnd.openxmlformats-officedocument.wordprocessingml.document", "IMAGE/PNG; q=1"],
);

async function lowered(part: PartOf<"file-attachment">, held: Buffer, profile: ModelProfile) {
  const loader = fileLoader("/", new Map([[CONTENT_ID, held]]));
  const materials = await materializeParts([part], loader);
  const forme = createForme(protocolOf(profile), profile);
  forme.append({ role: "user", parts: [part], materials });
  const settings = { stream: true, cache: "auto" } as const;
  return forme.request({ layers: [], tools: [], settings }).outcomes()[0]?.outcome;
}

test("the catalogue has models of every protocol to hold against", () => {
  const protocols = new Set(MODELS.map(({ protocol }) => protocol));
  assert.deepEqual([...protocols].sort(), [
    "anthropic-messages",
    "gemini-generate",
    "openai-chat",
    "openai-responses",
  ]);
});

test("what is said of an attachment before it is sent is what becomes of it", async () => {
  await fc.assert(
    fc.asyncProperty(
      bytes,
      mime,
      fc.boolean(),
      fc.constantFrom(...MODELS),
      async (held, claim, isBlob, profile) => {
        const where = isBlob ? { content_id: CONTENT_ID } : { data: held.toString("base64") };
        const part = { type: "file-attachment", name: "a", mime: claim, ...where } as const;
        const { delivery, reason } = describeDelivery(part, mediaTaker(profile), held);
        const outcome = await lowered(part, held, profile);
        assert.equal(delivery, outcome, `${modelName(profile)}: ${reason ?? "given"}`);
        assert.equal(delivery === "descriptor", reason !== undefined);
      },
    ),
    { numRuns: 400 },
  );
});

test("a file at a model's limit on bytes is given, and one byte more told of, on both sides", async () => {
  const profile = MODELS.find((each) => modelName(each) === "rehearsal/default");
  assert.ok(profile);
  const part = { type: "file-attachment", name: "a", mime: "", content_id: CONTENT_ID } as const;
  const limits = [
    [3_932_160, "native"],
    [3_932_161, "descriptor"],
  ] as const;
  for (const [size, expected] of limits) {
    const held = Buffer.concat([Buffer.from([0x89, ...ascii("PNG\r\n\x1a\n")])], size);
    assert.equal(describeDelivery(part, mediaTaker(profile), held).delivery, expected);
    assert.equal(await lowered(part, held, profile), expected);
  }
});

test("parts without bytes are told of on both sides", async () => {
  const [profile] = MODELS;
  assert.ok(profile);
  const bare = { type: "file-attachment", name: "a", mime: "image/png" } as const;
  const parts = [
    bare,
    { ...bare, url: "https://example.com/a.png" },
    { ...bare, delivery: "descriptor", data: "iVBORw0KGgo=" } as const,
    { ...bare, content_id: `sha256:${"1".repeat(64)}` },
    { ...bare, data: "" },
  ];
  for (const part of parts) {
    const { delivery } = describeDelivery(part, mediaTaker(profile));
    assert.equal(delivery, await lowered(part, Buffer.alloc(0), profile));
  }
});
