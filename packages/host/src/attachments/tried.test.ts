import assert from "node:assert/strict";
import { test } from "node:test";
import { attempt, done, wordsOf } from "./tried.ts";

test("what works out is handed on", async () => {
  assert.deepEqual(await attempt("it fails", async () => done(1)), { ok: true, value: 1 });
});

test("whatever is thrown becomes a reason", async () => {
  const throwing = (what: unknown) => attempt("it fails", () => Promise.reject(what));
  assert.deepEqual(await throwing(new TypeError("no")), { ok: false, reason: "it fails: no" });
  assert.deepEqual(await throwing("a text"), { ok: false, reason: "it fails: a text" });
});

test("a reason is one line, without control characters, and no longer than is read", () => {
  assert.equal(wordsOf(new Error("one\n\ttwo\u0000\u001b[31m three")), "one two [31m three");
  assert.equal(wordsOf("x".repeat(201)), `${"x".repeat(200)}…`);
  assert.equal(wordsOf("x".repeat(200)), "x".repeat(200));
});
