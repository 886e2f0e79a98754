/** Recorded streams of the Messages API, one event's data a line, and what becomes of each. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeWith, metadata, recordingIn } from "../replay.test.ts";
import { decoding } from "./decode.ts";

const decode = decodeWith(decoding);
const recording = recordingIn(new URL("recordings/", import.meta.url));
const replay = (name: string) => decode(recording(name));

const START = { type: "start-step" } as const;
const FINISH = { type: "finish-step" } as const;
const usage = (input: number, output: number, reasoning = 0, read = 0, write = 0) => ({
  input,
  output,
  reasoning,
  cache_read: read,
  cache_write: write,
});
const about = (
  response_id: string,
  model: string,
  counts: Record<string, number>,
  finish_reason?: string,
) => metadata(counts, { model, response_id, ...(finish_reason && { finish_reason }) });

test("text streams in its pieces; counts of the first and the last event make one usage", () => {
  assert.deepEqual(replay("text"), [
    START,
    { type: "text-start", id: "0" },
    { type: "text-delta", id: "0", delta: "Grüße" },
    { type: "text-delta", id: "0", delta: ", 世界" },
    { type: "text-delta", id: "0", delta: " 😀" },
    { type: "text-end", id: "0" },
    about("msg_01A", "claude-haiku-5-5", usage(12, 9, 0, 2048, 300), "stop"),
    FINISH,
  ]);
});

test("reasoning ends with its whole signature, and its tokens are counted apart", () => {
  assert.deepEqual(replay("reasoning"), [
    START,
    { type: "reasoning-start", id: "0" },
    { type: "reasoning-delta", id: "0", delta: "Two plus " },
    { type: "reasoning-delta", id: "0", delta: "two." },
    {
      type: "reasoning-end",
      id: "0",
      providerMetadata: { anthropic: { signature: "EqQBCgIY" } },
    },
    { type: "text-start", id: "1" },
    { type: "text-delta", id: "1", delta: "Four." },
    { type: "text-end", id: "1" },
    about("msg_01B", "claude-opus-4-5", usage(40, 8, 22), "stop"),
    FINISH,
  ]);
});

test("redacted thinking is reasoning without words that keeps its sealed data", () => {
  const providerMetadata = { anthropic: { redactedData: "EmwKAhgB" } };
  assert.deepEqual(replay("redacted").slice(1, 3), [
    { type: "reasoning-start", id: "0", providerMetadata },
    { type: "reasoning-end", id: "0", providerMetadata },
  ]);
});

test("parallel calls keep their ids; no input is an empty object, broken input keeps its text", () => {
  assert.deepEqual(replay("parallel-tools").slice(4), [
    { type: "tool-input-start", toolCallId: "toolu_01", toolName: "read" },
    { type: "tool-input-delta", toolCallId: "toolu_01", inputTextDelta: '{"path": "a' },
    { type: "tool-input-delta", toolCallId: "toolu_01", inputTextDelta: '.ts"}' },
    {
      type: "tool-input-available",
      toolCallId: "toolu_01",
      toolName: "read",
      input: { path: "a.ts" },
    },
    { type: "tool-input-start", toolCallId: "toolu_02", toolName: "now" },
    { type: "tool-input-available", toolCallId: "toolu_02", toolName: "now", input: {} },
    { type: "tool-input-start", toolCallId: "toolu_03", toolName: "read" },
    { type: "tool-input-delta", toolCallId: "toolu_03", inputTextDelta: '{"path": "b' },
    {
      type: "tool-input-error",
      toolCallId: "toolu_03",
      toolName: "read",
      input: '{"path": "b',
      errorText: "the model wrote an input that is not JSON",
    },
    about("msg_01D", "claude-haiku-5-5", usage(700, 80), "tool-calls"),
    FINISH,
  ]);
});

test("a refusal ends as content-filter, and what was said before it stays", () => {
  assert.deepEqual(replay("refusal").slice(2), [
    { type: "text-delta", id: "0", delta: "I cannot" },
    { type: "text-end", id: "0" },
    about("msg_01E", "claude-opus-5-5", usage(33, 4), "content-filter"),
    FINISH,
  ]);
});

test("an error event ends what was being said and is shown in the provider's words", () => {
  assert.deepEqual(replay("overloaded").slice(2), [
    { type: "text-delta", id: "0", delta: "Let me" },
    { type: "text-end", id: "0" },
    about("msg_01F", "claude-haiku-5-5", usage(8, 1), "error"),
    { type: "error", errorText: "overloaded_error: Overloaded" },
  ]);
});

test("a cut stream ends texts, leaves half an input open and says that more is missing", () => {
  assert.deepEqual(replay("cut").slice(3), [
    { type: "text-end", id: "0" },
    { type: "reasoning-start", id: "1" },
    { type: "reasoning-delta", id: "1", delta: "is" },
    { type: "tool-input-start", toolCallId: "toolu_09", toolName: "read" },
    { type: "tool-input-delta", toolCallId: "toolu_09", inputTextDelta: '{"path"' },
    { type: "reasoning-end", id: "1" },
    about("msg_01G", "claude-haiku-5-5", usage(8, 1)),
    { type: "error", errorText: "the stream ended before the answer was complete" },
  ]);
});

test("an event that is not JSON ends the answer, and nothing after it is read", () => {
  assert.deepEqual(replay("malformed").slice(2), [
    { type: "text-delta", id: "0", delta: "Half" },
    { type: "text-end", id: "0" },
    about("msg_01H", "claude-haiku-5-5", usage(8, 1), "error"),
    {
      type: "error",
      errorText:
        'the provider sent an event that is not JSON: {"type":"content_block_delta","index":0,"delta":{"type":"text_del',
    },
  ]);
});

test("blocks and deltas that nobody asked for are kept beside the answer", () => {
  const chunks = replay("unasked");
  assert.deepEqual(chunks.slice(1, 4), [
    { type: "text-start", id: "1" },
    { type: "text-delta", id: "1", delta: "Found." },
    { type: "text-end", id: "1" },
  ]);
  const told = chunks[4];
  assert.deepEqual(told?.type === "message-metadata" && told.messageMetadata.unread_parts, [
    { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} },
    { type: "input_json_delta", partial_json: '{"query":"x"}' },
    { type: "citations_delta", citation: { type: "page_location", cited_text: "c" } },
  ]);
});

test("nothing at all is an early end", () => {
  assert.deepEqual(decode([]), [
    metadata(usage(0, 0), {}),
    { type: "error", errorText: "the stream ended before the answer was complete" },
  ]);
});
