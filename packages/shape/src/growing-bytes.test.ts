/** Bytes that grow at their end and can be cut back. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { byteLength, growingBytes } from "./growing-bytes.ts";

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

test("what is written stands one after the other, across every growth", () => {
  const area = growingBytes();
  const pieces = Array.from({ length: 300 }, (_, index) => `${index} é世😀 `.repeat(40));
  for (const piece of pieces) area.write(piece);
  assert.equal(textOf(area.view()), pieces.join(""));
  assert.equal(area.length, byteLength(pieces.join("")));
});

test("cutting forgets the end, and writing goes on from there", () => {
  const area = growingBytes();
  area.write("one two");
  area.cut(4);
  area.write("€");
  assert.equal(textOf(area.view()), "one €");
  area.cut(100);
  assert.equal(area.length, 7);
  area.cut(0);
  assert.equal(area.view().length, 0);
});
