/** Errors that cross a package: a code, data to act on, a sentence to read. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { defineErrors, GalleyError, isGalleyError } from "./error.ts";

const StoreError = defineErrors("store", {
  conflict: (data: { id: string }) => `${data.id} is taken`,
  gone: (data: { id: string; since: number }) => `${data.id} is gone since ${data.since}`,
});

test("an error has the area's code, its data and its sentence", () => {
  const error = StoreError.make("gone", { id: "msg_1", since: 3 });
  assert.equal(error.code, "store.gone");
  assert.deepEqual(error.data, { id: "msg_1", since: 3 });
  assert.equal(error.message, "msg_1 is gone since 3");
});

test("an error keeps the cause it is given", () => {
  const cause = new Error("disk full");
  assert.equal(StoreError.make("conflict", { id: "a" }, { cause }).cause, cause);
});

test("an error is told by its own code and area, not by another", () => {
  const error: unknown = StoreError.make("conflict", { id: "a" });
  assert.equal(StoreError.is(error, "conflict"), true);
  assert.equal(StoreError.is(error, "gone"), false);
  const other = defineErrors("queue", { conflict: () => "no" });
  assert.equal(other.is(error, "conflict"), false);
});

test("an error of a second copy of the kit is recognised, other values are not", () => {
  const copy = Object.assign(new Error("x"), { name: "GalleyError", code: "store.conflict" });
  assert.equal(copy instanceof GalleyError, false);
  assert.equal(isGalleyError(copy), true);
  assert.equal(StoreError.is(copy, "conflict"), true);
  assert.equal(isGalleyError(new Error("x")), false);
  assert.equal(isGalleyError({ name: "GalleyError" }), false);
});
