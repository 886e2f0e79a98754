/**
 * The bridge with real AI SDK providers behind a network that is not there: one conversation with a
 * picture, a document and a tool loop becomes each provider's request, and its stream comes back.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { AssembledContext } from "@galley/assemble";
import type { UiChunk } from "@galley/parts";
import { findModel } from "../catalogue/lookup.ts";
import type { ModelProfile } from "../catalogue/model.ts";
import { callOptions } from "./options.ts";
import { readAll } from "./stream-trial.test.ts";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const PDF = "JVBERi0xLjQKJSVFT0YK";

const CONTEXT: AssembledContext = JSON.parse(
  readFileSync(new URL("fixtures/conversation.json", import.meta.url), "utf8"),
);

type Sent = { url: string; body: Record<string, unknown> };

function network(recording: string): { sent: Sent[]; fetch: typeof globalThis.fetch } {
  const sent: Sent[] = [];
  const text = readFileSync(new URL(recording, import.meta.url), "utf8");
  const stream = text
    .trim()
    .split("\n")
    .map((data) => `event: ${JSON.parse(data).type ?? "message"}\ndata: ${data}\n\n`);
  return {
    sent,
    async fetch(url, init) {
      sent.push({ url: String(url), body: JSON.parse(String(init?.body)) });
      const headers = { "content-type": "text/event-stream" };
      return new Response(stream.join(""), { headers });
    },
  };
}

function known(name: string): ModelProfile {
  const found = findModel(name);
  assert.ok(found.ok, name);
  return found.profile;
}

async function converse(model: LanguageModelV4, profile: ModelProfile): Promise<UiChunk[]> {
  const settings = { stream: true, cache: "auto", maxOutput: 9000, reasoning: {} } as const;
  const { options, outcomes } = callOptions(CONTEXT, profile, settings, model.provider);
  assert.equal(outcomes.length, 5);
  const { stream } = await model.doStream(options);
  return readAll(stream);
}

test("Anthropic's provider sends the conversation, and its answer comes back", async () => {
  const { sent, fetch } = network("recordings/anthropic.jsonl");
  const model = createAnthropic({ apiKey: "k", fetch })("claude-opus-5-5");
  const chunks = await converse(model, known("anthropic/claude-opus-5-5"));
  const mark = { cache_control: { type: "ephemeral" } };
  const image = { type: "base64", media_type: "image/png", data: PNG };
  const pdf = { type: "base64", media_type: "application/pdf", data: PDF };
  assert.deepEqual(sent[0]?.body.system, [{ type: "text", text: "You help.", ...mark }]);
  assert.deepEqual(sent[0]?.body.messages, [
    {
      role: "user",
      content: [
        { type: "text", text: "What is this?" },
        { type: "image", source: image },
        { type: "document", source: pdf, title: "b.pdf" },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "I look.", signature: "EqM=" },
        { type: "tool_use", id: "call_1", name: "look", input: { page: 1 } },
      ],
    },
    {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "call_1",
          content: [
            { type: "image", source: image },
            { type: "text", text: "page 1" },
          ],
          ...mark,
        },
      ],
    },
  ]);
  assert.deepEqual(chunks, [
    { type: "start-step" },
    { type: "reasoning-start", id: "0" },
    { type: "reasoning-delta", id: "0", delta: "Page two next." },
    {
      type: "reasoning-end",
      id: "0",
      providerMetadata: { anthropic: { signature: "EqMDCkYIBxgC" } },
    },
    { type: "text-start", id: "1" },
    { type: "text-delta", id: "1", delta: "One more look." },
    { type: "text-end", id: "1" },
    { type: "tool-input-start", toolCallId: "toolu_01B", toolName: "look" },
    { type: "tool-input-delta", toolCallId: "toolu_01B", inputTextDelta: '{"page": 2}' },
    {
      type: "tool-input-available",
      toolCallId: "toolu_01B",
      toolName: "look",
      input: { page: 2 },
    },
    {
      type: "message-metadata",
      messageMetadata: {
        usage: { input: 40, output: 61, reasoning: 0, cache_read: 1200, cache_write: 10 },
        model: "claude-opus-5-5",
        response_id: "msg_01A",
        finish_reason: "tool-calls",
      },
    },
    { type: "finish-step" },
  ]);
});

test("OpenAI's provider sends the conversation whole, and its answer comes back", async () => {
  const { sent, fetch } = network("recordings/openai.jsonl");
  const model = createOpenAI({ apiKey: "k", fetch })("gpt-6.1-sol");
  const chunks = await converse(model, known("openai/gpt-6.1-sol"));
  assert.equal(sent[0]?.body.store, false);
  assert.deepEqual(sent[0]?.body.include, ["reasoning.encrypted_content"]);
  assert.deepEqual(sent[0]?.body.input, [
    { role: "developer", content: "You help." },
    {
      role: "user",
      content: [
        { type: "input_text", text: "What is this?" },
        { type: "input_image", image_url: `data:image/png;base64,${PNG}` },
        {
          type: "input_file",
          filename: "b.pdf",
          file_data: `data:application/pdf;base64,${PDF}`,
        },
      ],
    },
    {
      type: "reasoning",
      id: "rs_0",
      encrypted_content: "gAAA",
      summary: [{ type: "summary_text", text: "I look." }],
    },
    { type: "function_call", call_id: "call_1", name: "look", arguments: '{"page":1}' },
    {
      type: "function_call_output",
      call_id: "call_1",
      output: [
        { type: "input_image", image_url: `data:image/png;base64,${PNG}` },
        { type: "input_text", text: "page 1" },
      ],
    },
  ]);
  assert.deepEqual(chunks, [
    { type: "start-step" },
    { type: "reasoning-start", id: "rs_1:0" },
    { type: "reasoning-delta", id: "rs_1:0", delta: "Page two next." },
    {
      type: "reasoning-end",
      id: "rs_1:0",
      providerMetadata: { openai: { itemId: "rs_1", reasoningEncryptedContent: "gAAAAABo" } },
    },
    { type: "text-start", id: "msg_1" },
    { type: "text-delta", id: "msg_1", delta: "One more look." },
    { type: "text-end", id: "msg_1", providerMetadata: { openai: { itemId: "msg_1" } } },
    { type: "tool-input-start", toolCallId: "call_2", toolName: "look" },
    { type: "tool-input-delta", toolCallId: "call_2", inputTextDelta: '{"page":2}' },
    {
      type: "tool-input-available",
      toolCallId: "call_2",
      toolName: "look",
      input: { page: 2 },
      providerMetadata: { openai: { itemId: "fc_1" } },
    },
    {
      type: "message-metadata",
      messageMetadata: {
        usage: { input: 388, output: 32, reasoning: 48, cache_read: 512, cache_write: 0 },
        model: "gpt-6.1-sol",
        response_id: "resp_1",
        finish_reason: "tool-calls",
      },
    },
    { type: "finish-step" },
  ]);
});

test("Google's provider sends the conversation, and its answer comes back", async () => {
  const { sent, fetch } = network("../gemini/recordings/call-with-id.jsonl");
  const model = createGoogle({ apiKey: "k", fetch })("gemini-3.8-flash");
  const chunks = await converse(model, known("gemini/gemini-3.8-flash"));
  const inlineData = { mimeType: "image/png", data: PNG };
  assert.deepEqual(sent[0]?.body.systemInstruction, { parts: [{ text: "You help." }] });
  assert.deepEqual(sent[0]?.body.generationConfig, {
    maxOutputTokens: 9000,
    thinkingConfig: { thinkingLevel: "medium", includeThoughts: true },
  });
  assert.deepEqual(sent[0]?.body.contents, [
    {
      role: "user",
      parts: [
        { text: "What is this?" },
        { inlineData },
        { inlineData: { mimeType: "application/pdf", data: PDF } },
      ],
    },
    {
      role: "model",
      parts: [
        {
          functionCall: { id: "call_1", name: "look", args: { page: 1 } },
          thoughtSignature: "c2ln",
        },
      ],
    },
    {
      role: "user",
      parts: [
        {
          functionResponse: {
            id: "call_1",
            name: "look",
            response: { name: "look", content: "page 1" },
            parts: [{ inlineData }],
          },
        },
      ],
    },
  ]);
  const call = { toolCallId: "fc_91ab", toolName: "weather" };
  const input = { city: "Oslo", days: 2 };
  assert.deepEqual(chunks, [
    { type: "start-step" },
    { type: "tool-input-start", ...call },
    {
      type: "tool-input-delta",
      toolCallId: "fc_91ab",
      inputTextDelta: '{"city":"Oslo","days":2}',
    },
    {
      type: "tool-input-available",
      ...call,
      input,
      providerMetadata: { google: { thoughtSignature: "EoYFCoMFAb4" } },
    },
    {
      type: "message-metadata",
      messageMetadata: {
        usage: { input: 90, output: 18, reasoning: 23, cache_read: 0, cache_write: 0 },
        response_id: "z1AYaYyoF7Ww",
        finish_reason: "tool-calls",
      },
    },
    { type: "finish-step" },
  ]);
});
