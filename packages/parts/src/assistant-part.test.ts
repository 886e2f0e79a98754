/** The parts of an answer: families of types, and the name of a tool in both of its spellings. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { AssistantPart, kindOfAssistantPart, TOOL_STATES, toolNameOf } from "./assistant-part.ts";

const KINDS: readonly (readonly [string, string])[] = [
  ["text", "text"],
  ["reasoning", "reasoning"],
  ["tool-read", "tool"],
  ["tool-data-x", "tool"],
  ["dynamic-tool", "tool"],
  ["file", "file"],
  ["source-url", "source"],
  ["source-document", "source"],
  ["step-start", "step-start"],
  ["data-compaction", "data"],
  ["tool-", "foreign"],
  ["data-", "foreign"],
  ["tool", "foreign"],
  ["constructor", "foreign"],
  ["x/hologram", "foreign"],
];

for (const [type, kind] of KINDS) {
  test(`an answer's ${type} is of the kind ${kind}`, () => {
    assert.equal(kindOfAssistantPart(type), kind);
  });
}

test("a tool call is in one of seven states", () => {
  assert.deepEqual(TOOL_STATES, [
    "input-streaming",
    "input-available",
    "approval-requested",
    "approval-responded",
    "output-available",
    "output-error",
    "output-denied",
  ]);
});

test("a tool's name stands in its type, or beside it when the tool is dynamic", () => {
  const call = { toolCallId: "c", state: "input-available" } as const;
  assert.equal(toolNameOf({ type: "tool-read_file", ...call }), "read_file");
  assert.equal(toolNameOf({ type: "tool-read", toolName: "other", ...call }), "read");
  assert.equal(toolNameOf({ type: "dynamic-tool", toolName: "mcp__a", ...call }), "mcp__a");
});

test("a known type without its shape is not taken for a foreign part", () => {
  for (const part of [
    { type: "file" },
    { type: "tool-x" },
    { type: "data-x" },
    { type: "tool-" },
  ]) {
    assert.equal(AssistantPart.safeParse(part).success, part.type === "tool-", part.type);
  }
});
