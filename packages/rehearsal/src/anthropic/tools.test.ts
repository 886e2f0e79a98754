/** Tools: definitions, choice, and the pairing of calls with results. */
import { test } from "node:test";
import {
  assistant,
  base,
  budget,
  call,
  hi,
  refusesWith,
  result,
  say,
  talk,
  text,
  tool,
  user,
} from "./sample.ts";

const BAD: readonly [body: unknown, message: string][] = [
  [say(call("t1")), "messages.0: `tool_use` blocks can only be in `assistant` messages"],
  [
    talk(hi, assistant(call("t1"), call("t2")), user(result("t1"))),
    "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: t2. Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
  ],
  [
    talk(hi, assistant(call("t1")), user(text("so"), result("t1"))),
    "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: t1. Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
  ],
  [
    talk(hi, assistant(call("t1"))),
    "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: t1. Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
  ],
  [
    talk(hi, assistant(text("a")), user(result("t1"))),
    "messages.2.content.0: unexpected `tool_use_id` found in `tool_result` blocks: t1. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.",
  ],
  [
    talk(hi, assistant(call("t1")), user(result("t1"), result("t1"))),
    "messages.2.content.1: each tool_use must have a single result. Found multiple `tool_result` blocks with id: t1",
  ],
  [
    talk(hi, assistant(call("t1")), user(result("t1")), assistant(call("t1")), user(result("t1"))),
    "messages.3.content.0: `tool_use` ids must be unique",
  ],
  [
    talk(hi, assistant(call("t 1")), user(result("t1"))),
    "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
  ],
  [
    talk(hi, assistant(call("t1", { input: "{}" })), user(result("t1"))),
    "messages.1.content.0.tool_use.input: Input should be a valid dictionary",
  ],
  [
    { ...base, tools: [tool("a b")] },
    "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
  ],
  [{ ...base, tools: [tool("a"), tool("a")] }, "tools: Tool names must be unique."],
  [
    { ...base, tools: [tool("a", { type: "string" })] },
    "tools.0.custom.input_schema.type: Input should be 'object'",
  ],
  [
    { ...base, tools: [tool("a", { type: "object", anyOf: [] })] },
    "tools.0.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level",
  ],
  [
    { ...base, tools: [tool("a", { type: "object", properties: { "b c": {} } })] },
    "tools.0.custom.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'",
  ],
  [
    { ...base, tools: [tool("a", { type: "object", properties: { b: { type: "text" } } })] },
    "tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12).",
  ],
  [
    { ...base, tools: [tool("a")], tool_choice: { type: "tool", name: "b" } },
    "Tool 'b' not found in provided tools",
  ],
  [
    { ...base, tool_choice: { type: "any" } },
    "tool_choice may only be specified while providing tools.",
  ],
  [
    {
      ...base,
      max_tokens: 2000,
      thinking: budget,
      tools: [tool("a")],
      tool_choice: { type: "any" },
    },
    "Thinking may not be enabled when tool_choice forces tool use.",
  ],
  [
    {
      ...base,
      max_tokens: 2000,
      thinking: budget,
      messages: [hi, assistant(call("t1")), user(result("t1"))],
    },
    "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks).",
  ],
];

for (const [body, message] of BAD) {
  test(`Anthropic refuses: ${message.slice(0, 90)}`, () => refusesWith(body, message));
}
