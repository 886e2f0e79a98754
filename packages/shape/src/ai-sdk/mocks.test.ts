/**
 * The bridge with the AI SDK's own mock models, one for each interface that it reads. For V2 the
 * SDK has none any more, so that one is written here.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { LanguageModelV2, LanguageModelV2CallOptions } from "@ai-sdk/provider";
import type { AssembledContext } from "@galley/assemble";
import { convertArrayToReadableStream, MockLanguageModelV3, MockLanguageModelV4 } from "ai/test";
import { findModel } from "../catalogue/lookup.ts";
import type { Settings } from "../protocol.ts";
import { optionsForV2, optionsForV3 } from "./older.ts";
import { callOptions } from "./options.ts";
import { readAll } from "./stream-trial.test.ts";

const SETTINGS: Settings = { stream: true, cache: "auto", maxOutput: 10 };
const CONTEXT: AssembledContext = {
  layers: [],
  tools: [],
  messages: [
    {
      role: "user",
      parts: [
        { type: "file-attachment", name: "b", mime: "application/pdf", data: "JVBERi0xLjQ=" },
      ],
      materials: [],
    },
  ],
};

function call(provider: string) {
  const found = findModel("anthropic/claude-opus-5-5");
  assert.ok(found.ok);
  return callOptions(CONTEXT, found.profile, SETTINGS, provider).options;
}

const text = [
  { type: "text-start", id: "t" },
  { type: "text-delta", id: "t", delta: "Hei." },
  { type: "text-end", id: "t" },
] as const;
const nested = {
  inputTokens: { total: 9, noCache: undefined, cacheRead: 4, cacheWrite: undefined },
  outputTokens: { total: 3, text: undefined, reasoning: undefined },
};
const finish = {
  type: "finish",
  usage: nested,
  finishReason: { unified: "stop", raw: "stop" },
} as const;

const CHUNKS = [
  { type: "start-step" },
  { type: "text-start", id: "t" },
  { type: "text-delta", id: "t", delta: "Hei." },
  { type: "text-end", id: "t" },
  {
    type: "message-metadata",
    messageMetadata: {
      usage: { input: 5, output: 3, reasoning: 0, cache_read: 4, cache_write: 0 },
      finish_reason: "stop",
    },
  },
  { type: "finish-step" },
];

test("a V4 model is called with our options, and its stream is read", async () => {
  const stream = convertArrayToReadableStream([...text, finish]);
  const model = new MockLanguageModelV4({ doStream: { stream } });
  const answer = await model.doStream(call(model.provider));
  assert.deepEqual(await readAll(answer.stream), CHUNKS);
  const data = { type: "data", data: "JVBERi0xLjQ=" };
  const content = [{ type: "file", mediaType: "application/pdf", data, filename: "b" }];
  assert.deepEqual(model.doStreamCalls, [
    { prompt: [{ role: "user", content }], maxOutputTokens: 10 },
  ]);
});

test("a V3 model is called in its own spelling, and its stream is read", async () => {
  const stream = convertArrayToReadableStream([...text, finish]);
  const model = new MockLanguageModelV3({ doStream: { stream } });
  const answer = await model.doStream(optionsForV3(call(model.provider)));
  assert.deepEqual(await readAll(answer.stream), CHUNKS);
  const data = "JVBERi0xLjQ=";
  const content = [{ type: "file", mediaType: "application/pdf", data, filename: "b" }];
  assert.deepEqual(model.doStreamCalls[0]?.prompt, [{ role: "user", content }]);
});

test("a V2 model is called in its own spelling, and its stream is read", async () => {
  const usage = { inputTokens: 9, outputTokens: 3, totalTokens: 12, cachedInputTokens: 4 };
  const last = { type: "finish", usage, finishReason: "stop" } as const;
  const stream = convertArrayToReadableStream([...text, last]);
  const calls: LanguageModelV2CallOptions[] = [];
  const model: Pick<LanguageModelV2, "provider" | "doStream"> = {
    provider: "old.chat",
    async doStream(options) {
      calls.push(options);
      return { stream };
    },
  };
  const answer = await model.doStream(optionsForV2(call(model.provider)));
  assert.deepEqual(await readAll(answer.stream), CHUNKS);
  const data = "JVBERi0xLjQ=";
  const content = [{ type: "file", mediaType: "application/pdf", data, filename: "b" }];
  assert.deepEqual(calls, [{ prompt: [{ role: "user", content }], maxOutputTokens: 10 }]);
});
