import assert from "node:assert/strict";
import { test } from "node:test";
import { firstDifference } from "./first-difference.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test("two bodies part at their first byte that is not the same", () => {
  assert.equal(firstDifference(bytes("abcd"), bytes("abXd")), 2);
  assert.equal(firstDifference(bytes("abcd"), bytes("Xbcd")), 0);
});

test("a body that goes on where the other ends parts from it there", () => {
  assert.equal(firstDifference(bytes("ab"), bytes("abc")), 2);
  assert.equal(firstDifference(bytes("abc"), bytes("ab")), 2);
});

test("the same body parts nowhere", () => {
  assert.equal(firstDifference(bytes("ab"), bytes("ab")), undefined);
  assert.equal(firstDifference(bytes(""), bytes("")), undefined);
});
