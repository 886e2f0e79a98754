import assert from "node:assert/strict";
import { test } from "node:test";
import type { PartOf } from "@galley/parts";
import { toBase64 } from "../paste.ts";
import { describeDelivery, type MediaTaker } from "./delivery.ts";
import { bytesOf, gif, MP3, PDF, PSD, png, UNKNOWN } from "./sample-files.test.ts";

const TAKER: MediaTaker = {
  accepts: ["image/png", "image/gif", "application/pdf"],
  limits: { imageEdge: 100, imageBytes: 5000, pdfBytes: 60, stillOnly: true },
};
const BLOB = { content_id: `sha256:${"0".repeat(64)}` };

function attached(mime: string, bytes?: Uint8Array): PartOf<"file-attachment"> {
  const data = bytes && { data: toBase64(bytes) };
  return { type: "file-attachment", name: "a", mime, ...data };
}

const inline = (mime: string, bytes: Uint8Array) => describeDelivery(attached(mime, bytes), TAKER);

test("what the model takes goes to it as it is", () => {
  assert.deepEqual(inline("image/png", png(9, 9)), { delivery: "native", mime: "image/png" });
  assert.deepEqual(inline("text/plain", png(9, 9)), { delivery: "native", mime: "image/png" });
});

test("a pattern takes a family, and no more than that", () => {
  const part = attached("audio/mpeg", MP3);
  assert.equal(describeDelivery(part, { accepts: ["audio/*"] }).delivery, "native");
  assert.equal(describeDelivery(part, { accepts: ["*/*"] }).delivery, "native");
  assert.equal(describeDelivery(part, { accepts: ["image/*"] }).delivery, "descriptor");
});

test("a small text is written out, whatever the model takes", () => {
  assert.deepEqual(inline("text/markdown", bytesOf("# a")), {
    delivery: "text",
    mime: "text/markdown",
  });
  assert.equal(inline("text/plain", new Uint8Array(32_768).fill(97)).delivery, "text");
});

const TOLD: readonly (readonly [string, string, Uint8Array, string])[] = [
  ["a long text", "text/plain", new Uint8Array(32_769).fill(97), "over 32768 bytes of text"],
  ["an empty file", "text/plain", new Uint8Array(), "it is empty"],
  ["a type the model has not", "image/x", PSD, "the model does not take image/vnd.adobe.photoshop"],
  ["bytes nobody knows", "image/png", UNKNOWN, "its format is not one a model reads"],
  ["a long picture", "image/png", png(101, 5), "101 × 5 pixels, over the model's limit"],
  [
    "a heavy picture",
    "image/png",
    Uint8Array.from([...png(9, 9), ...new Uint8Array(5000)]),
    "over the model's limit of 5000 bytes",
  ],
  [
    "a heavy PDF",
    "application/pdf",
    bytesOf(`%PDF-1.7${" ".repeat(60)}`),
    "over the model's limit of 60 bytes",
  ],
  ["a moving GIF", "image/gif", gif(9, 9, 2), "the model does not take moving images"],
  [
    "a text that turns",
    "text/plain",
    Uint8Array.from([...new Uint8Array(5000).fill(97), 0xff]),
    "it starts as text and goes on as something else",
  ],
];

for (const [says, mime, bytes, reason] of TOLD) {
  test(`${says} is told of, with the reason and a way to it`, () => {
    const { delivery, reason: given, reach } = inline(mime, bytes);
    assert.deepEqual({ delivery, given }, { delivery: "descriptor", given: reason });
    assert.match(reach ?? "", /tool/);
  });
}

test("a moving GIF goes to a model that has nothing against it", () => {
  const part = attached("image/gif", gif(9, 9, 2));
  assert.equal(describeDelivery(part, { accepts: ["image/gif"] }).delivery, "native");
});

test("a picture of too many patches is told of", () => {
  const taker = { accepts: ["image/png"], limits: { imagePatches: { size: 32, count: 4 } } };
  const deliver = (width: number) =>
    describeDelivery(attached("image/png", png(width, 64)), taker).delivery;
  assert.deepEqual([64, 65].map(deliver), ["native", "descriptor"]);
});

test("a blob is judged by the bytes it stands for, and without them by nothing", () => {
  const part = { ...attached("application/pdf"), ...BLOB };
  assert.equal(describeDelivery(part, TAKER, PDF.subarray(0, 50)).delivery, "native");
  assert.equal(describeDelivery(part, TAKER).delivery, "placeholder");
  assert.equal(
    describeDelivery(part, TAKER, bytesOf(`${"a".repeat(5000)}\0`)).delivery,
    "descriptor",
  );
});

test("a part that is to be told of says why, and one without bytes too", () => {
  const told = {
    ...attached("image/png", png(9, 9)),
    delivery: "descriptor",
    reason: "no",
  } as const;
  assert.deepEqual(describeDelivery(told, TAKER), {
    delivery: "descriptor",
    mime: "image/png",
    reason: "no",
    reach: "the view_image tool shows it",
  });
  assert.equal(describeDelivery(attached("image/png"), TAKER).reason, "it came without its bytes");
  const far = { ...attached("image/png"), url: "https://example.com/a.png" };
  assert.equal(describeDelivery(far, TAKER).reason, "an address is not fetched on its own");
});
