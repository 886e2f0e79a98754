/** What the Responses API takes, and what it refuses by header, size, model and length. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dataUrl, outcomeOf } from "../openai/sample.ts";
import { PDF, PNG, WORDS } from "../trial.ts";
import { base, call, file, hi, image, output, put, reasoning, say, spoke, tool } from "./sample.ts";

const P = "openai-responses";

const GOOD: readonly [rule: string, body: unknown][] = [
  ["a plain string", { model: "default", input: "hi" }],
  ["a list of messages", base],
  ["an assistant that speaks first", put(spoke("Yes?"), hi)],
  ["words of the assistant as a string", put(hi, { role: "assistant", content: "a" }, hi)],
  ["empty words", put({ role: "user", content: "" })],
  ["an image and a PDF", say(image(dataUrl(PNG)), file(dataUrl(PDF, "application/pdf")))],
  ["a text file", say(file(dataUrl(WORDS, "text/plain"), "a.txt"))],
  ["calls and outputs, interleaved", put(hi, call("c1"), call("c2"), output("c2"), output("c1"))],
  ["an image as an output", put(hi, call("c1"), output("c1", [image(dataUrl(PNG))]))],
  ["sealed reasoning before its call", put(hi, reasoning("rs_1"), call("c1"), output("c1"))],
  ["sealed reasoning before its words", put(hi, reasoning("rs_1"), spoke("a"), hi)],
  ["a tool without schema or strictness", { ...base, tools: [{ type: "function", name: "a" }] }],
  ["no tools in the list", { ...base, tools: [] }],
  [
    "a choice of an offered tool",
    { ...base, tools: [tool("a")], tool_choice: { type: "function", name: "a" } },
  ],
  [
    "an item that only OpenAI's tools write",
    put(hi, { type: "web_search_call", id: "ws_1", status: "completed" }, hi),
  ],
];

for (const [rule, body] of GOOD) {
  test(`Responses takes ${rule}`, () => assert.equal(outcomeOf(P, body), "taken"));
}

test("Responses refuses by header, size, JSON, model, sampling and length", () => {
  const models = [
    { id: "tiny", contextWindow: 5, maxOutput: 5 },
    { id: "o9", contextWindow: 500, maxOutput: 500, reasoning: true },
  ];
  const long = { model: "tiny", input: "x".repeat(24) };
  assert.deepEqual(
    [
      outcomeOf(P, base, { headers: {} }),
      outcomeOf(P, base, { maxBodyBytes: 9 }),
      outcomeOf(P, "nul", {}),
      outcomeOf(P, { ...base, model: "gpt-none" }, { acceptAnyModel: false }),
      outcomeOf(P, { ...base, model: "o9", temperature: 1 }, { models }),
      outcomeOf(P, long, { models }),
    ].map((outcome) => (outcome as unknown[]).slice(0, 2)),
    [
      [401, null],
      [413, null],
      [400, null],
      [404, "model_not_found"],
      [400, "unsupported_parameter"],
      [400, "context_length_exceeded"],
    ],
  );
});
