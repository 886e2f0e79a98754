import assert from "node:assert/strict";
import { test } from "node:test";
import type { ToolContext } from "../tool.ts";
import { todoTool } from "./todo.ts";

// The tool looks at nothing but its input.
const context = {} as ToolContext;
const run = (input: unknown) => todoTool.run(input, context);

const DONE = { content: "read the file", status: "completed" };
const NOW = { content: "change it", status: "in_progress" };
const LATER = { content: "test it", status: "pending" };

test("the result is the whole list, in order", async () => {
  assert.deepEqual(await run({ todos: [DONE, NOW, LATER] }), {
    type: "output",
    data: { todos: [DONE, NOW, LATER] },
  });
  assert.deepEqual(await run({ todos: [] }), { type: "output", data: { todos: [] } });
});

test("two steps in progress are taken, with advice", async () => {
  assert.deepEqual(await run({ todos: [NOW, NOW] }), {
    type: "output",
    data: {
      todos: [NOW, NOW],
      note: "2 steps are in_progress: one at a time is easier to follow",
    },
  });
});

const WRONG: readonly (readonly [string, unknown, string])[] = [
  ["no list", { todos: "x" }, "give the whole list as `todos`"],
  ["no object", null, "give the whole list as `todos`"],
  ["too many", { todos: Array(201).fill(DONE) }, "a list has at most 200 steps"],
  ["an empty step", { todos: [DONE, { ...DONE, content: " " }] }, "step 2: its `content` is empty"],
  [
    "a long step",
    { todos: [{ ...DONE, content: "x".repeat(1001) }] },
    "step 1: its `content` is longer than 1000 characters",
  ],
  [
    "an unknown state",
    { todos: [{ ...DONE, status: "doing" }] },
    "step 1: its `status` is not one of pending, in_progress, completed",
  ],
  ["a bare word", { todos: ["x"] }, "step 1: it is not an object with `content` and `status`"],
];

for (const [name, input, reason] of WRONG) {
  test(`a list with ${name} is an error in the result, not an exception`, async () => {
    assert.deepEqual(await run(input), {
      type: "error",
      error_text: `the list was not changed: ${reason}`,
    });
  });
}
