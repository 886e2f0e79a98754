/** A model's published limits, held against the bytes before they are sent. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { MediaLimits } from "./catalogue/model.ts";
import { overLimit } from "./media-limits.ts";

const be = (value: number, bytes: number): number[] =>
  Array.from({ length: bytes }, (_, index) => (value >>> (8 * (bytes - 1 - index))) & 255);
const encode = (bytes: readonly number[]): string => btoa(String.fromCharCode(...bytes));
const png = (width: number, height: number): string =>
  encode([
    0x89,
    0x50,
    0x4e,
    0x47,
    13,
    10,
    26,
    10,
    ...be(13, 4),
    73,
    72,
    68,
    82,
    ...be(width, 4),
    ...be(height, 4),
  ]);
const picture = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4c, 1, 0];
const gif = (pictures: number): string =>
  encode([
    ...be(0x474946, 3),
    ...be(0x383961, 3),
    1,
    0,
    1,
    0,
    0,
    0,
    0,
    ...Array.from({ length: pictures }, () => picture).flat(),
    0x3b,
  ]);

const check = (limits: MediaLimits, mime: string, size: number, base64 = png(10, 10)) =>
  overLimit(limits, mime, size, base64);

test("without limits everything fits", () => {
  assert.equal(overLimit(undefined, "image/png", 1e12, png(1e6, 1e6)), undefined);
});

test("each kind is held against its own limit: images, PDFs, and the request for the rest", () => {
  const limits: MediaLimits = { imageBytes: 10, pdfBytes: 20, requestBytes: 30 };
  assert.equal(check(limits, "image/png", 10), undefined);
  assert.equal(check(limits, "image/png", 11), "over the model's limit of 10 bytes");
  assert.equal(check(limits, "application/pdf", 20), undefined);
  assert.equal(check(limits, "application/pdf", 21), "over the model's limit of 20 bytes");
  assert.equal(check(limits, "audio/wav", 30), undefined);
  assert.equal(check(limits, "audio/wav", 31), "over the model's limit of 30 bytes");
});

test("a side of an image may reach the limit and not pass it", () => {
  const limits: MediaLimits = { imageEdge: 8000 };
  assert.equal(check(limits, "image/png", 1, png(8000, 1)), undefined);
  const says = "1 × 8001 pixels, over the model's limit of 8000 a side";
  assert.equal(check(limits, "image/png", 1, png(1, 8001)), says);
});

test("an image that would take too many patches is refused", () => {
  const limits: MediaLimits = { imagePatches: { size: 32, count: 4 } };
  assert.equal(check(limits, "image/png", 1, png(64, 64)), undefined);
  assert.equal(
    check(limits, "image/png", 1, png(65, 64)),
    "65 × 64 pixels, over the model's limit",
  );
});

test("a moving GIF is refused where only still images are taken", () => {
  assert.equal(check({ stillOnly: true }, "image/gif", 1, gif(1)), undefined);
  assert.equal(
    check({ stillOnly: true }, "image/gif", 1, gif(2)),
    "the model does not take moving images",
  );
  assert.equal(check({}, "image/gif", 1, gif(2)), undefined);
});
