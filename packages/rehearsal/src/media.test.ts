import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeBase64, decodeProtoBase64, heardInline, readDataUrl } from "./media.ts";
import { PNG, png } from "./trial.ts";

test("strict base64 takes the standard alphabet with padding and nothing else", () => {
  assert.deepEqual([...(decodeBase64("+/8=") ?? [])], [251, 255]);
  for (const bad of ["-_8=", "+/8", "+/8=\n", "a===", "====", "a b="]) {
    assert.equal(decodeBase64(bad), undefined, bad);
  }
});

test("proto base64 takes both alphabets, padded or not", () => {
  for (const good of ["+/8=", "-_8=", "-_8"]) {
    assert.deepEqual([...(decodeProtoBase64(good) ?? [])], [251, 255], good);
  }
  assert.equal(decodeProtoBase64("a"), undefined);
  assert.equal(decodeProtoBase64("a!b="), undefined);
});

test("a data URL says its type and its data, in whatever case the type is written", () => {
  assert.deepEqual(readDataUrl("data:Image/PNG;charset=x;base64,AAAA"), {
    mediaType: "image/png",
    base64: "AAAA",
  });
  assert.equal(readDataUrl("data:image/png,AAAA"), undefined);
  assert.equal(readDataUrl("https://a.b/c.png"), undefined);
});

test("inline media are heard with size, dimensions and an identity of their bytes", () => {
  const { identity, ...rest } = heardInline(png(640, 480), "image/png", "a.png");
  assert.deepEqual(rest, {
    kind: "media",
    mediaType: "image/png",
    bytes: 29,
    source: "inline",
    name: "a.png",
    width: 640,
    height: 480,
  });
  assert.match(identity, /^[0-9a-f]{64}$/);
  assert.notEqual(identity, heardInline(PNG, "image/png").identity);
});
