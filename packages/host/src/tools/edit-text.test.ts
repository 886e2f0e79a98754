import assert from "node:assert/strict";
import { test } from "node:test";
import { editText } from "./edit-text.ts";

const edit = (text: string, old_text: string, new_text: string, replace_all = false) =>
  editText(text, { old_text, new_text, replace_all });
const no = (reason: string) => ({ ok: false, reason });

test("a passage that is there once is replaced, and its line is told", () => {
  assert.deepEqual(edit("a\nb\nc\n", "b\n", "x\ny\n"), {
    ok: true,
    text: "a\nx\ny\nc\n",
    lines: [2],
  });
  assert.deepEqual(edit("abc", "b", ""), { ok: true, text: "ac", lines: [1] });
  assert.deepEqual(edit("a$b", "$b", "$& $1"), { ok: true, text: "a$& $1", lines: [1] });
});

test("a passage that is there more often is a conflict, unless all are meant", () => {
  assert.deepEqual(
    edit("x\nx\n", "x", "y"),
    no("the passage is there 2 times (lines 1, 2): give more of what is around it, or replace_all"),
  );
  assert.deepEqual(edit("x\nx\n", "x", "y", true), { ok: true, text: "y\ny\n", lines: [1, 2] });
  assert.deepEqual(edit("aaa", "aa", "b", true), { ok: true, text: "ba", lines: [1] });
});

test("a passage that is not there is a conflict, and near misses are named", () => {
  assert.deepEqual(
    edit("a", "b", "c"),
    no("the passage is not in the file as it is now: read it again"),
  );
  assert.deepEqual(
    edit("if (a) {\n\tb();\n}", "if (a) {\n  b();\n}", "c"),
    no("the passage is there with other spaces or line breaks: read the file and copy it as it is"),
  );
});

test("the line ends of the file are kept", () => {
  assert.deepEqual(edit("a\r\nb\r\n", "a\nb", "x\ny\nz"), {
    ok: true,
    text: "x\r\ny\r\nz\r\n",
    lines: [1],
  });
  assert.deepEqual(edit("a\r\nb\nc", "b\n", "x\n"), { ok: true, text: "a\r\nx\nc", lines: [2] });
});

test("an edit that changes nothing, or is about nothing, is refused", () => {
  assert.deepEqual(edit("a", "a", "a"), no("the new text is the old one"));
  assert.deepEqual(
    edit("a", "", "b"),
    no("an empty passage is everywhere: use write for a new file"),
  );
});
