/** Names and ids that every provider takes; what fits is never touched. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { toolCallId, toolName } from "./tool-names.ts";

test("a name or id that fits is the same on every protocol", () => {
  for (const text of ["read", "mcp__files__read-all", "toolu_01AbC", "x".repeat(64)]) {
    assert.equal(toolName(text), text);
    assert.equal(toolCallId(text), text);
  }
});

test("a name that does not fit is made to, and says by its digest what it was", () => {
  assert.equal(toolName("files/read"), "files_read_d2acbc6d");
  assert.equal(toolName("files.read"), "files_read_feef3122");
  assert.equal(toolName(""), "tool_811c9dc5");
  assert.equal(toolName("7zip"), "tool7zip_fcfe8405");
  assert.equal(toolName("-x"), "tool-x_4bcd60c0");
  assert.equal(toolCallId(""), "call_811c9dc5");
});

test("any text becomes a name that fits, the same each time", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 100, unit: "binary" }), (text) => {
      assert.match(toolName(text), /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/);
      assert.match(toolCallId(text), /^[A-Za-z0-9_-]{1,64}$/);
      assert.equal(toolName(text), toolName(text));
    }),
  );
});

test("two long names that differ only at their end stay apart", () => {
  const long = "a".repeat(80);
  assert.notEqual(toolName(`${long}1`), toolName(`${long}2`));
});
