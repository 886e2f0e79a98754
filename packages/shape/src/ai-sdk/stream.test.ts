import assert from "node:assert/strict";
import { test } from "node:test";
import type { AiSdkStreamPart } from "./stream.ts";
import { FINISH, finished, metadata, read } from "./stream-trial.test.ts";

test("text and reasoning keep their ids, and records leave with the end of their block", () => {
  const made = read(
    { type: "stream-start", warnings: [] },
    { type: "response-metadata", id: "resp_1", modelId: "m-1" },
    { type: "reasoning-start", id: "0", providerMetadata: { openai: { itemId: "rs", enc: null } } },
    { type: "reasoning-delta", id: "0", delta: "Hm." },
    {
      type: "reasoning-delta",
      id: "0",
      delta: "",
      providerMetadata: { anthropic: { signature: "s" } },
    },
    { type: "reasoning-end", id: "0", providerMetadata: { openai: { enc: "e" } } },
    { type: "text-start", id: "0" },
    { type: "text-delta", id: "0", delta: "Yes." },
    { type: "text-end", id: "0" },
    FINISH,
  );
  assert.deepEqual(made, [
    { type: "start-step" },
    { type: "reasoning-start", id: "0" },
    { type: "reasoning-delta", id: "0", delta: "Hm." },
    {
      type: "reasoning-end",
      id: "0",
      providerMetadata: { openai: { itemId: "rs", enc: "e" }, anthropic: { signature: "s" } },
    },
    { type: "text-start", id: "0" },
    { type: "text-delta", id: "0", delta: "Yes." },
    { type: "text-end", id: "0" },
    metadata({ model: "m-1", response_id: "resp_1", finish_reason: "stop" }),
    { type: "finish-step" },
  ]);
});

test("a call's input streams, and the call itself closes it with its records", () => {
  const made = finished(
    { type: "tool-input-start", id: "c1", toolName: "look" },
    { type: "tool-input-delta", id: "c1", delta: '{"pa' },
    { type: "tool-input-delta", id: "c1", delta: 'ge":1}' },
    { type: "tool-input-end", id: "c1" },
    {
      type: "tool-call",
      toolCallId: "c1",
      toolName: "look",
      input: '{"page":1}',
      providerMetadata: { google: { thoughtSignature: "g" } },
    },
    { type: "tool-call", toolCallId: "c2", toolName: "look", input: "" },
    { type: "tool-call", toolCallId: "c3", toolName: "look", input: '{"page":' },
  );
  assert.deepEqual(made, [
    { type: "tool-input-start", toolCallId: "c1", toolName: "look" },
    { type: "tool-input-delta", toolCallId: "c1", inputTextDelta: '{"pa' },
    { type: "tool-input-delta", toolCallId: "c1", inputTextDelta: 'ge":1}' },
    {
      type: "tool-input-available",
      toolCallId: "c1",
      toolName: "look",
      input: { page: 1 },
      providerMetadata: { google: { thoughtSignature: "g" } },
    },
    { type: "tool-input-start", toolCallId: "c2", toolName: "look" },
    { type: "tool-input-available", toolCallId: "c2", toolName: "look", input: {} },
    { type: "tool-input-start", toolCallId: "c3", toolName: "look" },
    {
      type: "tool-input-error",
      toolCallId: "c3",
      toolName: "look",
      input: '{"page":',
      errorText: "the model wrote an input that is not JSON",
    },
  ]);
});

test("a tool that the provider ran is marked as its own, with its result", () => {
  const made = finished(
    {
      type: "tool-call",
      toolCallId: "s1",
      toolName: "search",
      input: "{}",
      providerExecuted: true,
    },
    { type: "tool-result", toolCallId: "s1", toolName: "search", result: { hits: 2 } },
    { type: "tool-result", toolCallId: "s2", toolName: "search", result: "broken", isError: true },
  );
  assert.deepEqual(made.slice(1), [
    {
      type: "tool-input-available",
      toolCallId: "s1",
      toolName: "search",
      input: {},
      providerExecuted: true,
    },
    {
      type: "tool-output-available",
      toolCallId: "s1",
      output: { hits: 2 },
      providerExecuted: true,
    },
    { type: "tool-output-error", toolCallId: "s2", errorText: "broken", providerExecuted: true },
  ]);
});

test("files come as addresses, whichever interface spelled them", () => {
  const bytes = new Uint8Array([137, 80, 78, 71]);
  const url = "data:image/png;base64,iVBORw==";
  const mediaType = "image/png";
  const file = { type: "file", mediaType, url };
  const made = finished(
    { type: "file", mediaType, data: { type: "data", data: "iVBORw==" } },
    { type: "file", mediaType, data: { type: "data", data: bytes } },
    { type: "file", mediaType, data: "iVBORw==" },
    { type: "file", mediaType, data: bytes },
    { type: "file", mediaType, data: { type: "url", url: new URL("https://example.org/a.png") } },
    { type: "reasoning-file", mediaType, data: { type: "data", data: "iVBORw==" } },
  );
  const elsewhere = { ...file, url: "https://example.org/a.png" };
  assert.deepEqual(made, [file, file, file, file, elsewhere, { ...file, reasoning: true }]);
  const large = new Uint8Array(1_000_000).fill(65);
  const [big] = finished({ type: "file", mediaType, data: large });
  assert.equal(
    big?.type === "file" && big.url,
    `data:image/png;base64,${btoa("A".repeat(1_000_000))}`,
  );
});

test("sources are chunks where there is one for them, also those of a citation", () => {
  const page = { type: "source", sourceType: "url", id: "1", url: "https://example.org" } as const;
  const made = finished(
    { ...page, title: "Example" },
    { type: "text-start", id: "t" },
    { type: "text-end", id: "t", citations: [{ source: { ...page, id: "2" } }] },
  );
  assert.deepEqual(made, [
    { type: "source-url", sourceId: "1", url: "https://example.org", title: "Example" },
    { type: "text-start", id: "t" },
    { type: "text-end", id: "t" },
    { type: "source-url", sourceId: "2", url: "https://example.org" },
  ]);
});

test("what has no chunk is kept as data: warnings, documents, parts of a later version", () => {
  const warnings = [{ type: "unsupported", feature: "topK" } as const];
  const custom = { type: "custom", kind: "openai.compaction" } as const;
  const document = {
    type: "source",
    sourceType: "document",
    id: "d",
    mediaType: "application/pdf",
    title: "b.pdf",
  } as const;
  const later = { type: "hologram", at: new Date(0) } as unknown as AiSdkStreamPart;
  const made = read({ type: "stream-start", warnings }, custom, document, later, FINISH);
  assert.deepEqual(made, [
    { type: "start-step" },
    metadata({
      warnings,
      unread_parts: [custom, document, { type: "hologram", at: "1970-01-01T00:00:00.000Z" }],
      finish_reason: "stop",
    }),
    { type: "finish-step" },
  ]);
});

test("pings and raw events hold nothing of the answer", () => {
  assert.deepEqual(finished({ type: "ping" }, { type: "raw", rawValue: { a: 1 } }), []);
});
