import assert from "node:assert/strict";
import { test } from "node:test";
import { isSeal, seal, sealHolds } from "./seal.ts";

test("a seal holds for its own words only", () => {
  assert.equal(sealHolds(seal("hm"), "hm"), true);
  assert.equal(sealHolds(seal("hm"), "hm "), false);
  assert.equal(sealHolds("", ""), false);
});

test("a proof of another's is not a seal", () => {
  assert.equal(isSeal(seal("hm")), true);
  assert.equal(isSeal("EqQBCgIYAhIM"), false);
  assert.equal(isSeal(""), false);
});
