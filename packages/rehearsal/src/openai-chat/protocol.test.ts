/** What Chat Completions takes, and what it refuses by header, size, model and length. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { outcomeOf } from "../openai/sample.ts";
import { GIF, PDF, PNG } from "../trial.ts";
import {
  base,
  call,
  calls,
  file,
  hi,
  image,
  png,
  result,
  say,
  talk,
  text,
  tool,
} from "./sample.ts";

const P = "openai-chat";

const GOOD: readonly [rule: string, body: unknown][] = [
  ["plain words", base],
  ["an assistant that speaks first", talk({ role: "assistant", content: "Yes?" }, hi)],
  ["neighbours of one role", talk(hi, hi)],
  ["empty words", talk({ role: "user", content: "" })],
  [
    "a system and a developer message",
    talk({ role: "system", content: "a" }, { role: "developer", content: "b" }, hi),
  ],
  ["a last word of the assistant", talk(hi, { role: "assistant", content: "So " })],
  ["an image and words", say(png(PNG), text("look"))],
  ["a still GIF", say(png(GIF, "image/gif"))],
  ["an image by address", say(image("https://a.b/c.png"))],
  ["a PDF", say(file(`data:application/pdf;base64,${PDF}`))],
  [
    "parallel calls answered in another order",
    talk(hi, calls(call("c1"), call("c2")), result("c2"), result("c1"), hi),
  ],
  [
    "the same id in a later round",
    talk(hi, calls(call("c1")), result("c1"), calls(call("c1")), result("c1")),
  ],
  [
    "an answer of its own, handed back as it came",
    talk(
      hi,
      {
        role: "assistant",
        content: "a",
        refusal: null,
        annotations: [],
        audio: null,
        function_call: null,
      },
      hi,
    ),
  ],
  ["arguments that are not JSON", talk(hi, calls(call("c1", "look", "{")), result("c1"))],
  [
    "a function without parameters",
    { ...base, tools: [{ type: "function", function: { name: "a" } }] },
  ],
  [
    "a choice of an offered tool",
    { ...base, tools: [tool("a")], tool_choice: { type: "function", function: { name: "a" } } },
  ],
  [
    "JSON mode with the word",
    {
      ...talk({ role: "user", content: "Reply in JSON" }),
      response_format: { type: "json_object" },
    },
  ],
];

for (const [rule, body] of GOOD) {
  test(`Chat Completions takes ${rule}`, () => assert.equal(outcomeOf(P, body), "taken"));
}

test("Chat Completions refuses by header, size, JSON, model and length", () => {
  const models = [{ id: "tiny", contextWindow: 5, maxOutput: 5, accepts: [] }];
  assert.deepEqual(
    [
      outcomeOf(P, base, { headers: {} }),
      outcomeOf(P, base, { headers: { authorization: "key" } }),
      outcomeOf(P, base, { maxBodyBytes: 9 }),
      outcomeOf(P, "[", {}),
      outcomeOf(P, { ...base, model: "gpt-none" }, { acceptAnyModel: false }),
      outcomeOf(
        P,
        { ...talk({ role: "user", content: "x".repeat(24) }), model: "tiny" },
        { models },
      ),
      outcomeOf(P, { ...say(png(PNG)), model: "tiny" }, { models }),
    ].map((outcome) => (outcome as unknown[]).slice(0, 2)),
    [
      [401, null],
      [401, null],
      [413, null],
      [400, null],
      [404, "model_not_found"],
      [400, "context_length_exceeded"],
      [400, null],
    ],
  );
});

test("an over-long chat is told both numbers", () => {
  const models = [{ id: "tiny", contextWindow: 5, maxOutput: 5 }];
  const body = { ...talk({ role: "user", content: "x".repeat(24) }), model: "tiny" };
  assert.deepEqual(outcomeOf(P, body, { models }), [
    400,
    "context_length_exceeded",
    "This model's maximum context length is 5 tokens. However, your messages resulted in 6 tokens. Please reduce the length of the messages.",
  ]);
});
