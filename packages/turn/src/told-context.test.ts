import assert from "node:assert/strict";
import { test } from "node:test";
import { knownContext } from "@galley/compose";
import type { UserPart } from "@galley/parts";
import { marked } from "./told-context.ts";

const selection = (ids: string[], emitted_at = 1, source = "canvas"): UserPart => ({
  type: "editor-context",
  kind: "selection",
  source,
  payload: { ids },
  emitted_at,
});

const told = (...parts: UserPart[]) => knownContext([{ id: "msg_1", parts }]);

test("editor context that was told to the letter is one unchanged part, with its own time", () => {
  const text: UserPart = { type: "text", text: "make it red" };
  assert.deepEqual(marked([text, selection(["a"], 7)], told(selection(["a"], 1))), [
    text,
    {
      type: "editor-context",
      kind: "selection",
      source: "canvas",
      payload: { unchanged: true },
      emitted_at: 7,
      origin: "automatic",
      delta: "unchanged",
      since: { message_id: "msg_1", emitted_at: 1 },
    },
  ]);
});

test("another payload and another surface are news", () => {
  const parts = [selection(["b"]), selection(["a"], 2, "layers")];
  assert.deepEqual(marked(parts, told(selection(["a"]))), parts);
});

test("two selections are one fact: both are the same, or both are told", () => {
  const both = [selection(["a"]), selection(["b"])];
  const again = marked(both, told(...both));
  assert.deepEqual(
    again.map(({ delta }) => delta),
    ["unchanged", "unchanged"],
  );
  const half = [selection(["a"]), selection(["c"])];
  assert.deepEqual(marked(half, told(...both)), half);
  assert.deepEqual(marked([selection(["a"])], told(...both)), [selection(["a"])]);
});

test("what a person placed by a token goes along in full", () => {
  const placed = [{ ...selection(["a"]), literal: "@selection" }];
  assert.deepEqual(marked(placed, told(selection(["a"]))), placed);
});

test("a slice is the same only where its revision says so", () => {
  const slice = (revision?: string): UserPart => ({
    type: "file-ref",
    ref: { kind: "path", path: "a.ts", range: { start: 1, end: 2 } },
    context: { kind: "selection", emitted_at: 1, ...(revision && { revision }) },
  });
  assert.equal(marked([slice("r1")], told(slice("r1")))[0]?.delta, "unchanged");
  assert.deepEqual(marked([slice("r2")], told(slice("r1"))), [slice("r2")]);
  assert.deepEqual(marked([slice()], told(slice())), [slice()]);
});
