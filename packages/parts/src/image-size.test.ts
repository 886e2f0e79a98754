/** Width and height from the header of each format that a provider takes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { imageSize, isAnimatedGif } from "./image-size.ts";

const latin = (text: string): number[] => [...text].map((char) => char.charCodeAt(0));
const bytes = (...parts: (number | string)[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === "number" ? [part] : latin(part))));

const PNG = bytes("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 0, 0, 1, 2, 0, 0, 0, 3);
const GIF = bytes("GIF89a", 2, 1, 3, 0, 0, 0, 0);
const APP = bytes(0xff, 0xe0, 0, 4, 1, 2);
const SOF = bytes(0xff, 0xc2, 0, 17, 8, 0, 5, 1, 0);
const riff = (...parts: (number | string)[]): Uint8Array => bytes("RIFF\0\0\0\0WEBP", ...parts);
const VP8 = riff("VP8 \0\0\0\0", 0, 0, 0, 0x9d, 1, 0x2a, 7, 0x40, 9, 0x80);
const VP8L = riff("VP8L\0\0\0\0", 0x2f, 6, 0, 2, 0);
const VP8X = riff("VP8X\0\0\0\0", 0, 0, 0, 0, 255, 1, 0, 1, 0, 0);

const SIZES: readonly (readonly [string, string, Uint8Array, number, number])[] = [
  ["a PNG", "image/png", PNG, 258, 3],
  ["a GIF", "image/gif", GIF, 258, 3],
  ["a JPEG behind other segments", "image/jpeg", bytes(0xff, 0xd8, ...APP, 0xff, ...SOF), 256, 5],
  ["a lossy WebP", "image/webp", VP8, 7, 9],
  ["a lossless WebP", "image/webp", VP8L, 7, 9],
  ["an extended WebP", "image/webp", VP8X, 512, 2],
];

for (const [name, mime, header, width, height] of SIZES) {
  test(`${name} tells its size`, () =>
    assert.deepEqual(imageSize(header, mime), { width, height }));
  test(`${name} that is cut off has no size`, () => {
    assert.equal(imageSize(header.subarray(0, 9), mime), undefined);
  });
}

test("a format that is not looked into has no size", () => {
  assert.equal(imageSize(PNG, "image/tiff"), undefined);
  assert.equal(imageSize(PNG, "constructor"), undefined);
});

const picture = bytes(0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4c, 1, 0);
const loop = bytes(0x21, 0xff, 11, "NETSCAPE2.0", 3, 1, 0, 0, 0);

test("a GIF moves when it holds a second picture, whatever stands between", () => {
  assert.equal(isAnimatedGif(bytes(...GIF, ...picture, 0x3b)), false);
  assert.equal(isAnimatedGif(bytes(...GIF, ...loop, ...picture, 0x3b)), false);
  assert.equal(isAnimatedGif(bytes(...GIF, ...picture, ...loop, ...picture, 0x3b)), true);
});

test("a cut or empty GIF does not move, and reading it ends", () => {
  assert.equal(isAnimatedGif(new Uint8Array()), false);
  assert.equal(isAnimatedGif(bytes(...GIF, ...picture.subarray(0, 12))), false);
  assert.equal(isAnimatedGif(new Uint8Array(50).fill(255)), false);
});
