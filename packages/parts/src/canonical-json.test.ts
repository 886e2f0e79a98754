/** One spelling for equal values. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { canonicalJson } from "./canonical-json.ts";

test("canonical JSON has its keys in order at every depth, and arrays in theirs", () => {
  assert.equal(
    canonicalJson({ b: 1, a: { d: [{ z: 1, y: 2 }], c: 3 } }),
    '{"a":{"c":3,"d":[{"y":2,"z":1}]},"b":1}',
  );
});

test("canonical JSON does not depend on the order in which keys were set", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 6 }), (value) => {
      const turned = Object.fromEntries(Object.entries(value).reverse());
      assert.equal(canonicalJson(turned), canonicalJson(value));
      assert.deepEqual(JSON.parse(canonicalJson(value)), JSON.parse(JSON.stringify(value)));
    }),
  );
});
