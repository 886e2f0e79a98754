import assert from "node:assert/strict";
import { test } from "node:test";
import { headOf, utf8Bytes } from "./text-size.ts";

test("bytes are those of UTF-8", () => {
  assert.equal(utf8Bytes("aé€😀"), 1 + 2 + 3 + 4);
  assert.equal(utf8Bytes("\ud83d"), 3);
});

test("a head never ends in half a pair", () => {
  assert.equal(headOf("a😀b", 2), "a");
  assert.equal(headOf("a😀b", 3), "a😀");
  assert.equal(headOf("ab", 0), "");
  assert.equal(headOf("ab", 5), "ab");
});
