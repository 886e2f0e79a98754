/** Fields of `generateContent`: unknown names, wrong types, bad enums, in both spellings. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { attempt } from "../trial.ts";
import { fromFinding } from "./complain.ts";
import {
  base,
  config,
  declare,
  hi,
  refusesWith,
  response,
  say,
  TARGET,
  talk,
  text,
  user,
} from "./sample.ts";

const unknown = (name: string, at: string) =>
  `Invalid JSON payload received. Unknown name "${name}" at '${at}': Cannot find field.`;

const BAD: readonly [body: unknown, message: string][] = [
  [
    { ...base, messages: [] },
    'Invalid JSON payload received. Unknown name "messages": Cannot find field.',
  ],
  [talk({ ...hi, name: "me" }), unknown("name", "contents[0]")],
  [say({ ...text("a"), type: "text" }), unknown("type", "contents[0].parts[0]")],
  [
    say({ inline_data: { mime_type: "image/png", data: "", name: "a" } }),
    unknown("name", "contents[0].parts[0].inline_data"),
  ],
  [config({ max_tokens: 5 }), unknown("max_tokens", "generation_config")],
  [
    declare("look", { type: "object", additionalProperties: false }),
    unknown("additionalProperties", "tools[0].function_declarations[0].parameters"),
  ],
  [
    declare("look", { type: "object", properties: { a: { $ref: "#/x" } } }),
    unknown("$ref", "tools[0].function_declarations[0].parameters.properties.a"),
  ],
  [{ ...base, tools: [{ name: "look" }] }, unknown("name", "tools[0]")],
  [say({ text: 5 }), "Invalid value at 'contents[0].parts[0].text' (TYPE_STRING), 5"],
  [
    config({ temperature: "hot" }),
    `Invalid value at 'generation_config.temperature' (TYPE_DOUBLE), "hot"`,
  ],
  [
    config({ maxOutputTokens: 1.5 }),
    "Invalid value at 'generation_config.max_output_tokens' (TYPE_INT32), 1.5",
  ],
  [
    talk(hi, user(response("look", "ok"))),
    `Invalid value at 'contents[1].parts[0].function_response.response' (type.googleapis.com/google.protobuf.Struct), "ok"`,
  ],
  [{ contents: "hi" }, `Invalid value at 'contents' (repeated field), "hi"`],
  [
    { ...base, toolConfig: { functionCallingConfig: { mode: "FORCE" } } },
    `Invalid value at 'tool_config.function_calling_config.mode' (type.googleapis.com/google.ai.generativelanguage.v1beta), "FORCE"`,
  ],
  [
    config({ thinkingConfig: { thinkingLevel: "HUGE" } }),
    `Invalid value at 'generation_config.thinking_config.thinking_level' (type.googleapis.com/google.ai.generativelanguage.v1beta), "HUGE"`,
  ],
  [
    declare("look", { type: "TEXT" }),
    `Invalid value at 'tools[0].function_declarations[0].parameters.type' (type.googleapis.com/google.ai.generativelanguage.v1beta), "TEXT"`,
  ],
  [
    config({ temperature: 3 }),
    "* GenerateContentRequest.generation_config.temperature: must be at most 2, but is 3.\n",
  ],
  [
    config({ stopSequences: ["a", "b", "c", "d", "e", "f"] }),
    "* GenerateContentRequest.generation_config.stop_sequences: must have at most 5 entries, but has 6.\n",
  ],
  [
    declare("look", { type: "object", properties: { a: { type: "string", maxLength: "many" } } }),
    "* GenerateContentRequest.tools[0].function_declarations[0].parameters.properties.a.max_length: must match ^-?\\d+$.\n",
  ],
];

for (const [body, message] of BAD) {
  test(`Gemini refuses: ${message.slice(0, 110)}`, () => refusesWith(body, message));
}

test("an unknown name is told in the details too, as a field violation", () => {
  const result = attempt("gemini-generate", { ...base, n: 1 }, { target: TARGET });
  const message = 'Invalid JSON payload received. Unknown name "n": Cannot find field.';
  assert.deepEqual(result.ok || result.error, {
    error: {
      code: 400,
      message,
      status: "INVALID_ARGUMENT",
      details: [
        {
          "@type": "type.googleapis.com/google.rpc.BadRequest",
          fieldViolations: [{ field: "", description: message }],
        },
      ],
    },
  });
});

test("proto has no required fields, but one that were would be named", () => {
  assert.equal(
    fromFinding({ kind: "missing", path: ["contents", 0, "inlineData"] }).message,
    "* GenerateContentRequest.contents[0].inline_data: must be specified.\n",
  );
});
