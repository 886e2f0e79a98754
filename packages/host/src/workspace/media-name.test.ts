import assert from "node:assert/strict";
import { test } from "node:test";
import { mediaOf } from "./media-name.ts";

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);
const ZIP = new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]);

const TABLE: readonly (readonly [string, Uint8Array, string])[] = [
  ["a.json", ascii('{"a": 1}'), "application/json"],
  ["a.unknown", ascii("words"), "text/plain"],
  ["README", ascii("words"), "text/plain"],
  ["photo.png", ascii("%PDF-1.7"), "application/pdf"],
  ["photo.png", ascii("words"), "text/plain"],
  ["photo.png", new Uint8Array([0, 1, 2, 3]), "application/octet-stream"],
  ["a.docx", ZIP, "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
  ["a.zip", ZIP, "application/zip"],
  ["a.docx", ascii("words"), "text/plain"],
  ["a.constructor", ZIP, "application/zip"],
  ["empty.txt", new Uint8Array(), "application/octet-stream"],
];

for (const [name, bytes, mime] of TABLE) {
  test(`${name} with ${bytes.length} such bytes is ${mime}`, () => {
    assert.equal(mediaOf(name, bytes), mime);
  });
}
