/** Editor state that an earlier message told is not told again, and is still accounted for. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { lowerPart } from "./lower.ts";

const target = { refuses: () => undefined, inlineTextBytes: 100 };
const unchanged = (payload: Record<string, string | boolean>) =>
  lowerPart(
    { type: "editor-context", kind: "selection", payload, emitted_at: 1, delta: "unchanged" },
    undefined,
    target,
  );

test("editor state that has not changed costs nothing, and says why", () => {
  assert.deepEqual(unchanged({ unchanged: true }), {
    blocks: [],
    outcome: "resolved-out",
    detail: "selection",
    note: "the same as an earlier message told",
  });
});

test("the mark alone hides no payload", () => {
  assert.deepEqual(unchanged({ node: "n1" }), {
    blocks: [
      { type: "text", text: '<editor_context kind="selection">{"node":"n1"}</editor_context>' },
    ],
    outcome: "text",
    detail: "selection",
  });
});
