/**
 * The AI SDK as an oracle: its providers, pointed at the rehearsal, run a whole tool loop, so what
 * they sent back of our own answers was accepted as well.
 */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, isStepCount, jsonSchema, type LanguageModel, streamText, tool } from "ai";
import { startRehearsal } from "./server.ts";

const rehearsal = await startRehearsal();
after(() => rehearsal.close());

const { url } = rehearsal;
const anthropic = createAnthropic({ apiKey: "key", baseURL: `${url}/anthropic/v1` });
const openai = createOpenAI({ apiKey: "key", baseURL: `${url}/openai/v1` });
const google = createGoogle({ apiKey: "key", baseURL: `${url}/gemini/v1beta` });

const tools = {
  look: tool({
    description: "Looks.",
    inputSchema: jsonSchema<{ at: string }>({
      type: "object",
      properties: { at: { type: "string" } },
      required: ["at"],
      additionalProperties: false,
    }),
    execute: ({ at }) => `a cat at ${at}`,
  }),
};

const MODELS: readonly [name: string, model: LanguageModel][] = [
  ["@ai-sdk/anthropic", anthropic("claude-sonnet-4-5")],
  ["@ai-sdk/openai responses", openai.responses("gpt-4.1")],
  ["@ai-sdk/openai responses with reasoning", openai.responses("gpt-5")],
  ["@ai-sdk/openai chat", openai.chat("gpt-4.1")],
  ["@ai-sdk/google", google("gemini-3-pro-preview")],
];

for (const [name, model] of MODELS) {
  test(`${name} runs a tool loop in a stream`, async () => {
    const call = { toolCalls: [{ name: "look", input: { at: "noon" } }] };
    const reasoning = { reasoning: "Let me see." };
    rehearsal.use([{ ...reasoning, say: "I look. ", ...call }, { say: "It is a cat." }]);
    const result = streamText({
      model,
      tools,
      prompt: "What is there?",
      stopWhen: isStepCount(3),
      maxRetries: 0,
      onError: ({ error }) => assert.fail(String(error)),
    });
    assert.equal(await result.text, "It is a cat.");
    const [first] = await result.steps;
    assert.deepEqual(first?.toolResults[0]?.output, "a cat at noon");
    assert.equal(first?.finishReason, "tool-calls");
  });

  test(`${name} reads a whole answer and its usage`, async () => {
    rehearsal.use([{ say: "abcd", usage: { input: 11 } }]);
    const { text, usage } = await generateText({ model, prompt: "hi", maxRetries: 0 });
    assert.deepEqual([text, usage.inputTokens, usage.outputTokens], ["abcd", 11, 1]);
  });
}

test("an image reaches the model through each provider as its bytes", async () => {
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  for (const [name, model] of MODELS) {
    rehearsal.use(undefined);
    const content = [
      { type: "text" as const, text: "Look:" },
      { type: "file" as const, data: new Uint8Array(png), mediaType: "image/png" },
    ];
    const { text } = await generateText({ model, messages: [{ role: "user", content }] });
    assert.match(text, /- text, 5 bytes: "Look:"\n {3}- image\/png, 70 bytes, 1×1/, name);
  }
});
