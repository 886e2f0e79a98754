import assert from "node:assert/strict";
import { test } from "node:test";
import { brightness, halves, headerPng, made, noise } from "./picture-files.test.ts";
import { fittingSize, scalePicture } from "./scale-picture.ts";
import { loadSharp } from "./sharp-module.ts";

const PIXELS = 200_000_000;

async function scaled(bytes: Uint8Array, limits: Parameters<typeof scalePicture>[1]["limits"]) {
  const result = await scalePicture(bytes, { limits, maxPixels: PIXELS });
  assert.ok(result.ok, result.ok ? "" : result.reason);
  return result.value;
}

test("a picture is scaled to the longest side, in its own form", async () => {
  const { bytes, ...rest } = await scaled(await made(400, 200, "png"), { imageEdge: 100 });
  assert.deepEqual(rest, {
    mime: "image/png",
    width: 100,
    height: 50,
    from: { width: 400, height: 200 },
    notes: ["scaled from 400 × 200 to 100 × 50 pixels"],
  });
  assert.deepEqual([...bytes.subarray(1, 4)], [...Buffer.from("PNG")]);
});

test("a picture that is taken lying down stands upright afterwards", async () => {
  const lying = await made(400, 200, "jpeg", 6);
  const { width, height, notes } = await scaled(lying, { imageEdge: 100 });
  assert.deepEqual([width, height], [50, 100]);
  assert.deepEqual(notes, ["scaled from 200 × 400 to 50 × 100 pixels", "turned upright"]);
  // Turned to the right, what was on the left is on top.
  const { bytes } = await scaled(await halves(6), { imageEdge: 32 });
  assert.ok((await brightness(bytes, 12, 2)) < 30);
  assert.ok((await brightness(bytes, 2, 29)) > 225);
});

test("a moving picture becomes its first frame, and says so", async () => {
  for (const format of ["gif", "webp"] as const) {
    const { notes, width } = await scaled(await made(64, 64, format, 1, 3), { imageEdge: 32 });
    assert.equal(width, 32);
    assert.deepEqual(notes, ["scaled from 64 × 64 to 32 × 32 pixels", "the first of 3 frames"]);
  }
});

test("bytes are kept to the limit, by what a pixel costs and then by their number", async () => {
  const photo = await noise(300, 300, 3);
  const small = await scaled(photo, { imageBytes: 60_000 });
  assert.equal(small.mime, "image/jpeg");
  assert.ok(small.bytes.length <= 60_000);
  const smaller = await scaled(photo, { imageBytes: 9000 });
  assert.ok(smaller.bytes.length <= 9000);
  assert.ok(smaller.width < 300);
});

test("a photograph stays one", async () => {
  assert.equal((await scaled(await made(64, 64, "jpeg"), { imageEdge: 32 })).mime, "image/jpeg");
  assert.equal((await scaled(await made(64, 64, "tiff"), { imageEdge: 32 })).mime, "image/jpeg");
});

test("what can be seen through stays so", async () => {
  const { mime } = await scaled(await noise(200, 200, 4), { imageBytes: 60_000 });
  assert.equal(mime, "image/webp");
});

test("a limit that no picture keeps is a reason, after a bounded number of tries", async () => {
  const limits = { imageBytes: 10 };
  assert.deepEqual(await scalePicture(await made(64, 64, "png"), { limits, maxPixels: PIXELS }), {
    ok: false,
    reason: "it cannot be made small enough for the model",
  });
});

test("a picture that claims 30000 × 30000 pixels is not decoded", async () => {
  const limits = { imageEdge: 100 };
  assert.deepEqual(await scalePicture(headerPng(30_000, 30_000), { limits, maxPixels: PIXELS }), {
    ok: false,
    reason: "the picture cannot be decoded: Input image exceeds pixel limit",
  });
});

test("a picture that breaks off is a reason", async () => {
  const whole = await noise(300, 300, 3);
  const result = await scalePicture(whole.subarray(0, 9000), {
    limits: { imageEdge: 10 },
    maxPixels: PIXELS,
  });
  assert.match(result.ok ? "" : result.reason, /^the picture cannot be decoded: /);
  const text = await scalePicture(Buffer.from("hello"), { limits: {}, maxPixels: PIXELS });
  assert.match(text.ok ? "" : text.reason, /^the picture cannot be decoded: /);
});

test("without the library the reason says what would mend it", async () => {
  const load = () => loadSharp("a-package-that-nobody-has-installed");
  const limits = { imageEdge: 100 };
  assert.deepEqual(
    await scalePicture(await made(400, 200, "png"), { limits, maxPixels: PIXELS, load }),
    {
      ok: false,
      reason: "pictures cannot be made smaller here: sharp cannot be used, it is not installed",
      mend: "npm install sharp@0.35.5 makes it able to",
    },
  );
});

test("patches are counted in whole squares", () => {
  const size = fittingSize(
    { width: 4000, height: 3000 },
    { imagePatches: { size: 32, count: 1000 } },
  );
  assert.ok(Math.ceil(size.width / 32) * Math.ceil(size.height / 32) <= 1000);
  assert.ok(size.width > 1100, `${size.width}`);
  assert.deepEqual(fittingSize({ width: 10, height: 9 }, {}), { width: 10, height: 9 });
  assert.deepEqual(fittingSize({ width: 9000, height: 1 }, { imageEdge: 90 }), {
    width: 90,
    height: 1,
  });
});
