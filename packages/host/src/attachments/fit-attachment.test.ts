import assert from "node:assert/strict";
import { test } from "node:test";
import type { MediaTaker } from "@galley/compose";
import { type PartOf, UserMessage } from "@galley/parts";
import { fitAttachment } from "./fit-attachment.ts";
import { headerPng, made, noise } from "./picture-files.test.ts";
import { loadSharp } from "./sharp-module.ts";

const TAKER: MediaTaker = {
  accepts: ["image/png", "image/jpeg", "image/webp", "image/gif"],
  limits: { imageEdge: 100, imageBytes: 50_000, stillOnly: true },
};
const attached = (mime: string): PartOf<"file-attachment"> => ({
  type: "file-attachment",
  name: "photo.png",
  mime,
});

test("a picture that fits stays as it is", async () => {
  const fitted = await fitAttachment(attached("image/png"), await made(90, 90, "png"), TAKER);
  assert.deepEqual(fitted, { kind: "as-is" });
});

test("a text stays as it is", async () => {
  const fitted = await fitAttachment(attached("text/plain"), Buffer.from("hello"), TAKER);
  assert.deepEqual(fitted, { kind: "as-is" });
});

test("a picture that is too large becomes a part that names its origin", async () => {
  const original = await made(400, 200, "png");
  const fitted = await fitAttachment(attached("image/png"), original, TAKER);
  assert.ok(fitted.kind === "derived");
  const { data, size, derived_from, ...rest } = fitted.part;
  assert.deepEqual(rest, {
    type: "file-attachment",
    name: "photo.png",
    mime: "image/png",
    width: 100,
    height: 50,
    notes: ["scaled from 400 × 200 to 100 × 50 pixels"],
  });
  const { sha256, ...origin } = derived_from as { sha256: string };
  assert.match(sha256, /^[0-9a-f]{64}$/);
  assert.deepEqual(origin, {
    mime: "image/png",
    size: original.length,
    width: 400,
    height: 200,
  });
  assert.equal(Buffer.from(data ?? "", "base64").length, size);
  assert.equal(UserMessage.safeParse({ role: "user", parts: [fitted.part] }).success, true);
});

test("a picture that is heavy, moving or of a type the model has not is made to fit too", async () => {
  const kinds = [
    await noise(99, 99, 4),
    await noise(400, 400, 3),
    await made(64, 64, "gif", 1, 3),
    await made(64, 64, "tiff"),
  ].map(async (bytes) => (await fitAttachment(attached("image/png"), bytes, TAKER)).kind);
  assert.deepEqual(await Promise.all(kinds), ["as-is", "derived", "derived", "derived"]);
});

test("a model that takes no pictures is told of it, and nothing is decoded", async () => {
  const load = () => Promise.reject(new Error("the library was asked for"));
  const fitted = await fitAttachment(
    attached("application/pdf"),
    Buffer.from("%PDF-1.7"),
    { accepts: [] },
    load,
  );
  assert.deepEqual(fitted, { kind: "told", reason: "the model does not take application/pdf" });
  const png = await made(9, 9, "png");
  const blind = await fitAttachment(attached("image/png"), png, { accepts: ["audio/*"] });
  assert.deepEqual(blind, { kind: "told", reason: "the model does not take image/png" });
});

test("a bomb, and a picture where the library is absent, are told of with the reason", async () => {
  const bomb = await fitAttachment(attached("image/png"), headerPng(30_000, 30_000), TAKER);
  assert.deepEqual(bomb, {
    kind: "told",
    reason:
      "30000 × 30000 pixels, over the model's limit; the picture cannot be decoded: Input image exceeds pixel limit",
  });
  const load = () => loadSharp("a-package-that-nobody-has-installed");
  const png = await made(400, 200, "png");
  assert.deepEqual(await fitAttachment(attached("image/png"), png, TAKER, load), {
    kind: "told",
    reason:
      "400 × 200 pixels, over the model's limit; pictures cannot be made smaller here: sharp cannot be used, it is not installed",
    mend: "npm install sharp@0.35.5 makes it able to",
  });
});

test("a part that is to be told of is told of", async () => {
  const part = { ...attached("image/png"), delivery: "descriptor", reason: "damaged" } as const;
  const fitted = await fitAttachment(part, await made(400, 200, "png"), TAKER);
  assert.deepEqual(fitted, { kind: "told", reason: "damaged" });
});
