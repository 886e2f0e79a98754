/** Rules about tools, output, sampling and formats, with the exact words of each refusal. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { outcomeOf, type Row, refusesRow } from "../openai/sample.ts";
import { base, tool } from "./sample.ts";

const PARAMS = "tools[0].function.parameters";
const bad = "invalid_function_parameters";
const schema = (parameters: unknown, more = {}) => ({
  ...base,
  tools: [tool("look", parameters, more)],
});
const named = (name: string) => ({ type: "function", function: { name } });
const strict = { strict: true };
const open = { type: "object", properties: {}, additionalProperties: true };
const loose = {
  type: "object",
  properties: { a: { type: "string" } },
  required: [],
  additionalProperties: false,
};

const BAD: readonly Row[] = [
  [
    schema({ type: "string" }),
    `Invalid schema for function 'look': schema must be a JSON Schema of 'type: "object"', got 'type: "string"'.`,
    PARAMS,
    bad,
  ],
  [
    schema({}),
    `Invalid schema for function 'look': schema must be a JSON Schema of 'type: "object"', got 'type: "None"'.`,
    PARAMS,
    bad,
  ],
  [
    schema({ type: "object", anyOf: [] }),
    "Invalid schema for function 'look': schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.",
    PARAMS,
    bad,
  ],
  [
    schema({ type: "object", properties: { a: { type: "array" } } }),
    "Invalid schema for function 'look': In context=('properties', 'a'), array schema missing items.",
    PARAMS,
    bad,
  ],
  [
    schema({ type: "object", properties: { a: { type: "text" } } }),
    "Invalid schema for function 'look': In context=('properties', 'a'), 'text' is not valid under any of the given schemas.",
    PARAMS,
    bad,
  ],
  [
    schema(open, strict),
    "Invalid schema for function 'look': In context=(), 'additionalProperties' is required to be supplied and to be false.",
    PARAMS,
    bad,
  ],
  [
    schema(loose, strict),
    "Invalid schema for function 'look': In context=(), 'required' is required to be supplied and to be an array including every key in properties. Missing 'a'.",
    PARAMS,
    bad,
  ],
  [
    {
      ...base,
      response_format: { type: "json_schema", json_schema: { name: "a", schema: open, ...strict } },
    },
    "Invalid schema for response_format 'a': In context=(), 'additionalProperties' is required to be supplied and to be false.",
    "response_format",
    "invalid_json_schema",
  ],
  [
    { ...base, response_format: { type: "json_object" } },
    "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
    "messages",
  ],
  [
    { ...base, tool_choice: "auto" },
    "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
    "tool_choice",
  ],
  [
    { ...base, parallel_tool_calls: true },
    "Invalid value for 'parallel_tool_calls': 'parallel_tool_calls' is only allowed when 'tools' are specified.",
    "parallel_tool_calls",
  ],
  [
    { ...base, tools: [tool("look")], tool_choice: named("hear") },
    "Tool choice 'hear' not found in 'tools' parameter.",
    "tool_choice",
  ],
  [
    {
      ...base,
      tools: [tool("look")],
      tool_choice: {
        type: "allowed_tools",
        allowed_tools: { mode: "auto", tools: [named("look"), named("hear")] },
      },
    },
    "Tool choice 'hear' not found in 'tools' parameter.",
    "tool_choice",
  ],
  [
    { ...base, max_tokens: 9000 },
    "max_tokens is too large: 9000. This model supports at most 8192 completion tokens, whereas you provided 9000.",
    "max_tokens",
    "invalid_value",
  ],
  [
    { ...base, max_tokens: 10, max_completion_tokens: 10 },
    "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
    "max_tokens",
    "invalid_parameter_combination",
  ],
  [
    { ...base, stream_options: { include_usage: true } },
    "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
    "stream_options",
  ],
  [{ ...base, n: 2 }, "rehearsal: only n = 1 is rehearsed.", "n"],
];

for (const row of BAD) {
  test(`Chat Completions refuses: ${row[1].slice(0, 100)}`, () => refusesRow("openai-chat", row));
}

test("a reasoning model takes neither max_tokens nor a temperature", () => {
  const models = [{ id: "o9", contextWindow: 1000, maxOutput: 100, reasoning: true }];
  const outcome = (more: object) =>
    outcomeOf("openai-chat", { ...base, model: "o9", ...more }, { models });
  assert.deepEqual(outcome({ max_tokens: 9 }), [
    400,
    "unsupported_parameter",
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
  ]);
  assert.deepEqual(outcome({ temperature: 0 }), [
    400,
    "unsupported_value",
    "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
  ]);
  assert.equal(outcome({ max_completion_tokens: 9, temperature: 1 }), "taken");
});
