/** Tools, numbers, formats and media of the Responses API. */
import { test } from "node:test";
import { dataUrl, type Row, refusesRow } from "../openai/sample.ts";
import { JPEG, PNG, WORDS } from "../trial.ts";
import { base, call, file, hi, image, output, put, say, tool } from "./sample.ts";

const IMAGE = "input[0].content[0].image_url";
const FILE = "input[0].content[0].file_data";
const open = { type: "object", properties: {} };

const BAD: readonly Row[] = [
  [
    { model: "default" },
    'One of "input" or "previous_response_id" or "prompt" or "conversation_id" must be provided.',
    "input",
    "missing_required_parameter",
  ],
  [
    { ...base, tools: [tool("look", { parameters: { type: "array" } })] },
    `Invalid schema for function 'look': schema must be a JSON Schema of 'type: "object"', got 'type: "array"'.`,
    "tools[0].parameters",
    "invalid_function_parameters",
  ],
  [
    { ...base, tools: [tool("look", { parameters: open, strict: true })] },
    "Invalid schema for function 'look': In context=(), 'additionalProperties' is required to be supplied and to be false.",
    "tools[0].parameters",
    "invalid_function_parameters",
  ],
  [
    { ...base, tools: [tool("look")], tool_choice: { type: "function", name: "hear" } },
    "Tool choice 'hear' not found in 'tools' parameter.",
    "tool_choice",
  ],
  [
    { ...base, tool_choice: { type: "web_search" } },
    "Tool choice 'web_search' not found in 'tools' parameter.",
    "tool_choice",
  ],
  [
    { ...base, max_output_tokens: 9000 },
    "Invalid 'max_output_tokens': integer above maximum value. Expected a value <= 8192, but got 9000 instead.",
    "max_output_tokens",
    "integer_above_max_value",
  ],
  [
    { ...base, text: { format: { type: "json_schema", name: "a", schema: open, strict: true } } },
    "Invalid schema for response_format 'a': In context=(), 'additionalProperties' is required to be supplied and to be false.",
    "text.format.schema",
    "invalid_json_schema",
  ],
  [
    { ...base, text: { format: { type: "json_object" } } },
    "'input' must contain the word 'json' in some form, to use 'text.format' of type 'json_object'.",
    "input",
  ],
  [
    say({ type: "input_image", detail: "auto" }),
    `Missing required parameter: '${IMAGE}'.`,
    IMAGE,
    "missing_required_parameter",
  ],
  [
    say(image(dataUrl(WORDS))),
    "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].",
    IMAGE,
    "invalid_image_format",
  ],
  [
    put(hi, call("c1"), output("c1", [image(dataUrl(JPEG))])),
    "The image was declared as 'image/png', but its bytes are 'image/jpeg'.",
    "input[2].output[0].image_url",
    "invalid_image_format",
  ],
  [
    say(file(dataUrl(PNG))),
    `Invalid '${FILE}'. Expected a base64-encoded data URL with an application/pdf MIME type (e.g. 'data:application/pdf;base64,aW1nIGJ5dGVzIGhlcmU='), but got unsupported MIME type 'image/png'.`,
    FILE,
    "invalid_value",
  ],
  [
    say(file(dataUrl(WORDS, "application/pdf"))),
    `Invalid '${FILE}'. The file is not a valid PDF.`,
    FILE,
    "invalid_value",
  ],
  [
    say(file(dataUrl(WORDS, "text/plain"), "")),
    "Missing required parameter: 'input[0].content[0].filename'.",
    "input[0].content[0].filename",
    "missing_required_parameter",
  ],
  [
    say({ type: "input_file", filename: "a" }),
    `Missing required parameter: '${FILE}'.`,
    FILE,
    "missing_required_parameter",
  ],
];

for (const row of BAD) {
  test(`Responses refuses: ${row[1].slice(0, 100)} (${row[2]})`, () =>
    refusesRow("openai-responses", row));
}
