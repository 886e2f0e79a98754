/** Fields and items of the Responses API: missing, unknown, of the wrong type, out of range. */
import { test } from "node:test";
import { type Row, refusesRow } from "../openai/sample.ts";
import { base, call, hi, output, put, reasoning, say, tool } from "./sample.ts";

const BAD: readonly Row[] = [
  [{ input: "hi" }, "Missing required parameter: 'model'.", "model", "missing_required_parameter"],
  [{ ...base, messages: [] }, "Unknown parameter: 'messages'.", "messages", "unknown_parameter"],
  [
    { ...base, max_tokens: 5 },
    "Unknown parameter: 'max_tokens'.",
    "max_tokens",
    "unknown_parameter",
  ],
  [
    put({ ...hi, name: "me" }),
    "Unknown parameter: 'input[0].name'.",
    "input[0].name",
    "unknown_parameter",
  ],
  [
    { ...base, input: 5 },
    "Invalid type for 'input': expected a string or an array, but got an integer instead.",
    "input",
    "invalid_type",
  ],
  [
    put({ role: "tool", content: "x" }),
    "Invalid value: 'tool'. Supported values are: 'user', 'assistant', 'system', and 'developer'.",
    "input[0].role",
    "invalid_value",
  ],
  [
    put({ role: "user" }),
    "Missing required parameter: 'input[0].content'.",
    "input[0].content",
    "missing_required_parameter",
  ],
  [
    say({ type: "text", text: "hi" }),
    "Invalid value: 'text'. Supported values are: 'input_text', 'input_image', and 'input_file'.",
    "input[0].content[0].type",
    "invalid_value",
  ],
  [
    put({ role: "assistant", content: [{ type: "input_text", text: "hi" }] }),
    "Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'.",
    "input[0].content[0].type",
    "invalid_value",
  ],
  [
    put(hi, { type: "function_call", name: "look", arguments: "{}" }),
    "Missing required parameter: 'input[1].call_id'.",
    "input[1].call_id",
    "missing_required_parameter",
  ],
  [
    put(hi, call("c1"), { type: "function_call_output", output: "ok" }),
    "Missing required parameter: 'input[2].call_id'.",
    "input[2].call_id",
    "missing_required_parameter",
  ],
  [
    put(hi, call("c1", { arguments: {} }), output("c1")),
    "Invalid type for 'input[1].arguments': expected a string, but got an object instead.",
    "input[1].arguments",
    "invalid_type",
  ],
  [
    put(hi, call("c".repeat(65)), output("c")),
    "Invalid 'input[1].call_id': string too long. Expected a string with maximum length 64, but got a string with length 65 instead.",
    "input[1].call_id",
    "string_above_max_length",
  ],
  [
    put(hi, call("c1", { name: "a b" }), output("c1")),
    "Invalid 'input[1].name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
    "input[1].name",
    "invalid_value",
  ],
  [
    put(hi, { ...reasoning("rs_1"), summary: undefined }),
    "Missing required parameter: 'input[1].summary'.",
    "input[1].summary",
    "missing_required_parameter",
  ],
  [
    { ...base, max_output_tokens: 15 },
    "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got 15 instead.",
    "max_output_tokens",
    "integer_below_min_value",
  ],
  [
    { ...base, temperature: -1 },
    "Invalid 'temperature': decimal below minimum value. Expected a value >= 0, but got -1 instead.",
    "temperature",
    "decimal_below_min_value",
  ],
  [
    { ...base, reasoning: { effort: "huge" } },
    "Invalid value: 'huge'. Supported values are: 'none', 'minimal', 'low', 'medium', 'high', 'xhigh', and 'max'.",
    "reasoning.effort",
    "invalid_value",
  ],
  [
    { ...base, include: ["everything"] },
    "Invalid value: 'everything'. Supported values are: 'file_search_call.results', 'web_search_call.results', 'web_search_call.action.sources', 'message.input_image.image_url', 'computer_call_output.output.image_url', 'code_interpreter_call.outputs', 'reasoning.encrypted_content', and 'message.output_text.logprobs'.",
    "include[0]",
    "invalid_value",
  ],
  [
    { ...base, tools: [{ type: "function", function: { name: "a" } }] },
    "Missing required parameter: 'tools[0].name'.",
    "tools[0].name",
    "missing_required_parameter",
  ],
  [
    { ...base, tools: [tool("look", { input_schema: {} })] },
    "Unknown parameter: 'tools[0].input_schema'.",
    "tools[0].input_schema",
    "unknown_parameter",
  ],
  [
    { ...base, metadata: { a: 5 } },
    "Invalid type for 'metadata.a': expected a string, but got an integer instead.",
    "metadata.a",
    "invalid_type",
  ],
];

for (const row of BAD) {
  test(`Responses refuses: ${row[1].slice(0, 90)} (${row[2]})`, () =>
    refusesRow("openai-responses", row));
}

test("Responses refuses an item of an unknown type", () => {
  refusesRow("openai-responses", [
    put({ type: "tool_result" }),
    "Invalid value: 'tool_result'. Supported values are: 'message', 'function_call', 'function_call_output', 'custom_tool_call', 'custom_tool_call_output', 'reasoning', 'item_reference', 'compaction', 'file_search_call', 'web_search_call', 'code_interpreter_call', 'image_generation_call', 'computer_call', 'computer_call_output', 'local_shell_call', 'local_shell_call_output', 'shell_call', 'shell_call_output', 'apply_patch_call', 'apply_patch_call_output', 'mcp_list_tools', 'mcp_approval_request', 'mcp_approval_response', 'mcp_call', 'tool_search_call', 'tool_search_output', 'additional_tools', 'configuration_update', 'compaction_trigger', 'program', and 'program_output'.",
    "input[0].type",
    "invalid_value",
  ]);
});
