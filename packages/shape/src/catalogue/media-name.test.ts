import assert from "node:assert/strict";
import { test } from "node:test";
import { acceptsMedia, findModel, mediaSpelling } from "./lookup.ts";
import type { ModelProfile } from "./model.ts";

function profile(name: string): ModelProfile {
  const found = findModel(name);
  assert.ok(found.ok);
  return found.profile;
}

const claude = profile("anthropic/claude-opus-5-5");
const gemini = profile("gemini/gemini-3.8-flash");
const audio = profile("openai-chat/gpt-audio");

test("a listed type is accepted and another is not", () => {
  assert.equal(acceptsMedia(claude, "image/png"), true);
  assert.equal(acceptsMedia(claude, "image/heic"), false);
  assert.equal(acceptsMedia(claude, "image/vnd.adobe.photoshop"), false);
  assert.equal(acceptsMedia(claude, "audio/wav"), false);
  assert.equal(acceptsMedia(gemini, "image/gif"), false);
});

test("a wildcard covers its family and no other", () => {
  assert.equal(acceptsMedia(claude, "text/x-python"), true);
  assert.equal(acceptsMedia(claude, "textile/plain"), false);
  assert.equal(acceptsMedia({ accepts: ["image/*"] }, "image/tiff"), true);
  assert.equal(acceptsMedia({ accepts: ["image/*"] }, "video/mp4"), false);
  assert.equal(acceptsMedia({ accepts: ["*/*"] }, "application/zip"), true);
});

test("letter case and parameters do not count", () => {
  assert.equal(acceptsMedia(claude, "IMAGE/PNG"), true);
  assert.equal(acceptsMedia(claude, " image/jpeg ; q=1"), true);
  assert.equal(acceptsMedia(claude, "Text/HTML; charset=utf-8"), true);
  assert.equal(acceptsMedia({ accepts: ["Image/PNG"] }, "image/png"), true);
});

test("what is no media type is accepted by nobody", () => {
  for (const mime of ["", "image", "/", "image/", "/png", "text/*", "*/*", "a/b/c", "image/p ng"]) {
    assert.equal(acceptsMedia({ accepts: ["*/*", "text/*", "image/*"] }, mime), false, mime);
  }
});

test("two names of one type are one type", () => {
  assert.equal(acceptsMedia(claude, "image/jpg"), true);
  assert.equal(acceptsMedia(audio, "audio/mpeg"), true);
  assert.equal(acceptsMedia(audio, "audio/x-wav"), true);
  assert.equal(acceptsMedia(gemini, "video/quicktime"), true);
  assert.equal(acceptsMedia(gemini, "video/x-msvideo"), true);
  assert.equal(acceptsMedia(gemini, "video/x-ms-wmv"), true);
});

test("the spelling for the wire is the provider's own", () => {
  assert.equal(mediaSpelling(gemini, "audio/mpeg"), "audio/mp3");
  assert.equal(mediaSpelling(gemini, "video/quicktime"), "video/mov");
  assert.equal(mediaSpelling(gemini, "video/mpg"), "video/mpg");
  assert.equal(mediaSpelling(gemini, "video/mpeg"), "video/mpeg");
  assert.equal(mediaSpelling(claude, "text/markdown; charset=utf-8"), "text/markdown");
  assert.equal(mediaSpelling(claude, "application/zip"), undefined);
});
