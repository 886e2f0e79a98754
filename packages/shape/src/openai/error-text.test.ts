import assert from "node:assert/strict";
import { test } from "node:test";
import { errorText, sayError } from "./error-text.ts";

test("the sentence of an error body is found in each of its shapes", () => {
  assert.equal(errorText({ error: { message: "no such model", code: "x" } }), "no such model");
  assert.equal(errorText({ error: "model not found" }), "model not found");
  assert.equal(errorText({ object: "error", message: "too long" }), "too long");
  for (const body of [undefined, null, "x", [], {}, { error: {} }, { error: 3 }]) {
    assert.equal(errorText(body), undefined);
  }
});

test("an error in a stream is said with its code, or its type, or in general", () => {
  assert.equal(sayError({ code: "quota", type: "t", message: "m" }), "quota: m");
  assert.equal(sayError({ code: null, type: "server_error", message: "m" }), "server_error: m");
  assert.equal(sayError({ code: 502, message: "m" }), "502: m");
  assert.equal(sayError("plain"), "plain");
  assert.equal(sayError({ message: {} }), "the provider reported an error");
});
