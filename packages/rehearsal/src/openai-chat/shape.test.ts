/** Fields of Chat Completions: missing, unknown, of the wrong type, out of range. */
import { test } from "node:test";
import { type Row, refusesRow } from "../openai/sample.ts";
import { base, call, calls, hi, result, say, talk, text, tool } from "./sample.ts";

const BAD: readonly Row[] = [
  [{ messages: [hi] }, "you must provide a model parameter", null],
  [
    { model: "default" },
    "Missing required parameter: 'messages'.",
    "messages",
    "missing_required_parameter",
  ],
  [{ ...base, input: "hi" }, "Unrecognized request argument supplied: input", null],
  [
    talk({ ...hi, reasoning_content: "hm" }),
    "Unknown parameter: 'messages[0].reasoning_content'.",
    "messages[0].reasoning_content",
    "unknown_parameter",
  ],
  [
    say({ ...text("a"), cache_control: { type: "ephemeral" } }),
    "Unknown parameter: 'messages[0].content[0].cache_control'.",
    "messages[0].content[0].cache_control",
    "unknown_parameter",
  ],
  [
    talk(),
    "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    "messages",
    "empty_array",
  ],
  [
    say(),
    "Invalid 'messages[0].content': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    "messages[0].content",
    "empty_array",
  ],
  [
    { ...base, messages: "hi" },
    "Invalid type for 'messages': expected an array, but got a string instead.",
    "messages",
    "invalid_type",
  ],
  [
    talk({ role: "user", content: null }),
    "Invalid type for 'messages[0].content': expected a string or an array, but got null instead.",
    "messages[0].content",
    "invalid_type",
  ],
  [
    talk({ role: "model", content: "hi" }),
    "Invalid value: 'model'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.",
    "messages[0].role",
    "invalid_value",
  ],
  [
    say({ type: "image" }),
    "Invalid value: 'image'. Supported values are: 'text', 'image_url', 'input_audio', and 'file'.",
    "messages[0].content[0].type",
    "invalid_value",
  ],
  [
    { ...base, temperature: 3 },
    "Invalid 'temperature': decimal above maximum value. Expected a value <= 2, but got 3 instead.",
    "temperature",
    "decimal_above_max_value",
  ],
  [
    { ...base, max_tokens: 0 },
    "Invalid 'max_tokens': integer below minimum value. Expected a value >= 1, but got 0 instead.",
    "max_tokens",
    "integer_below_min_value",
  ],
  [
    { ...base, max_tokens: 1.5 },
    "Invalid type for 'max_tokens': expected an integer, but got a decimal instead.",
    "max_tokens",
    "invalid_type",
  ],
  [
    { ...base, stop: ["a", "b", "c", "d", "e"] },
    "Invalid 'stop': array too long. Expected an array with maximum length 4, but got an array with length 5 instead.",
    "stop",
    "array_above_max_length",
  ],
  [
    { ...base, tools: [] },
    "Invalid 'tools': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    "tools",
    "empty_array",
  ],
  [
    { ...base, tools: [tool("a b")] },
    "Invalid 'tools[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
    "tools[0].function.name",
    "invalid_value",
  ],
  [
    { ...base, tools: [tool("a".repeat(65))] },
    "Invalid 'tools[0].function.name': string too long. Expected a string with maximum length 64, but got a string with length 65 instead.",
    "tools[0].function.name",
    "string_above_max_length",
  ],
  [
    { ...base, tools: [{ name: "a", input_schema: {} }] },
    "Missing required parameter: 'tools[0].type'.",
    "tools[0].type",
    "missing_required_parameter",
  ],
  [
    talk(hi, calls()),
    "Invalid 'messages[1].tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    "messages[1].tool_calls",
    "empty_array",
  ],
  [
    talk(hi, calls({ ...call("c1"), function: { name: "look", arguments: {} } }), result("c1")),
    "Invalid type for 'messages[1].tool_calls[0].function.arguments': expected a string, but got an object instead.",
    "messages[1].tool_calls[0].function.arguments",
    "invalid_type",
  ],
  [
    talk(hi, calls(call("c".repeat(41))), result("c")),
    "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 41 instead.",
    "messages[1].tool_calls[0].id",
    "string_above_max_length",
  ],
];

for (const row of BAD) {
  test(`Chat Completions refuses: ${row[1].slice(0, 90)}`, () => refusesRow("openai-chat", row));
}
