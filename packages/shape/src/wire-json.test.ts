/** JSON that every provider's parser takes, and JSON that is the same for the same value. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { wireJson } from "./wire-json.ts";

test("a lone surrogate becomes U+FFFD, in values and in keys; a pair stays", () => {
  assert.equal(wireJson("a\ud800b"), '"a\\ufffdb"');
  assert.equal(wireJson("\udc00\ud83d\ude00\ud83d"), '"\\ufffd😀\\ufffd"');
  assert.equal(wireJson({ "k\ud801": ["\udfff"] }), '{"k\\ufffd":["\\ufffd"]}');
});

test("a text that talks about surrogates is left alone", () => {
  assert.equal(wireJson("\\ud800"), '"\\\\ud800"');
  assert.equal(wireJson("\\\\ud800"), '"\\\\\\\\ud800"');
  assert.equal(wireJson("\\\ud800"), '"\\\\\\ufffd"');
  assert.equal(wireJson("\ufffd"), '"\ufffd"');
});

test("any text comes back as itself, with U+FFFD for each half of a pair", () => {
  const odd = fc.array(fc.constantFrom("\\", "u", "d800", "\ud800", "\udc00", '"', "é", "😀"));
  fc.assert(
    fc.property(odd, (pieces) => {
      const text = pieces.join("");
      assert.equal(JSON.parse(wireJson(text)), text.toWellFormed());
    }),
    { numRuns: 1000 },
  );
});
