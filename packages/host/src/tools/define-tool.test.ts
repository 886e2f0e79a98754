import assert from "node:assert/strict";
import { test } from "node:test";
import type { ToolContext } from "@galley/turn";
import { z } from "zod";
import { defineTool, say } from "./define-tool.ts";
import { sessionIn } from "./test-places.ts";

let runs = 0;
const tool = defineTool({
  name: "count",
  description: "counts",
  input: z.strictObject({ by: z.int().describe("how many"), who: z.string().optional() }),
  subject: ({ by }) => `by ${by}`,
  run: async ({ by }) => {
    runs += by;
    return say(String(runs));
  },
});
const context: ToolContext = {
  session: sessionIn(null),
  message_id: "msg_1",
  tool_call_id: "c",
  signal: AbortSignal.abort(),
};

test("what is shown is what is checked, without bounds that say nothing", () => {
  assert.deepEqual(tool.definition.input_schema, {
    type: "object",
    properties: { by: { type: "integer", description: "how many" }, who: { type: "string" } },
    required: ["by"],
    additionalProperties: false,
  });
});

test("a call that was stopped before it began does not run", async () => {
  const output = await tool.run({ by: 1 }, context);
  assert.deepEqual(output, { type: "error", error_text: "stopped before it was done" });
  assert.equal(runs, 0);
});

test("a bad input does not run, is about nothing, and says which field is wrong", async () => {
  const { signal } = new AbortController();
  const output = await tool.run({ by: "x", more: 1 }, { ...context, signal });
  assert.equal(output.type, "error");
  assert.match(output.type === "error" ? output.error_text : "", /^the input is not right: by: /);
  assert.equal(runs, 0);
  assert.equal(tool.subject?.({ by: "x" }), "");
  assert.equal(tool.subject?.({ by: 2 }), "by 2");
});
