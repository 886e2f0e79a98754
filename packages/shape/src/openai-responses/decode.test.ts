import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeWith, metadata, reasonOf, recordingIn } from "../replay.test.ts";
import { decoding } from "./decode.ts";

const recording = recordingIn(new URL("recordings/", import.meta.url));
const decode = decodeWith(decoding);

const event = (type: string, rest: object = {}): string =>
  JSON.stringify({ type: type === "error" ? type : `response.${type}`, ...rest });
const COMPLETED = event("completed", { response: {} });

const openai = (record: Record<string, string>) => ({ providerMetadata: { openai: record } });

test("a text is one block that ends with the item's id", () => {
  assert.deepEqual(decode(recording("text")), [
    { type: "start-step" },
    { type: "text-start", id: "0:0" },
    { type: "text-delta", id: "0:0", delta: "Oslo is" },
    { type: "text-delta", id: "0:0", delta: " the capital — " },
    { type: "text-delta", id: "0:0", delta: "Noreg 🇳🇴." },
    { type: "text-end", id: "0:0", ...openai({ itemId: "msg_68c1a" }) },
    metadata(
      { input: 36, output: 12 },
      { model: "gpt-4.1-2025-04-14", response_id: "resp_68c1", finish_reason: "stop" },
    ),
    { type: "finish-step" },
  ]);
});

test("each part of a summary is a block; all end with the item, with what its last event encrypts", () => {
  const signed = openai({ itemId: "rs_68c2a", reasoningEncryptedContent: "gAAAAABo-full" });
  assert.deepEqual(decode(recording("reasoning")), [
    { type: "start-step" },
    { type: "reasoning-start", id: "0:0" },
    { type: "reasoning-delta", id: "0:0", delta: "**Checking" },
    { type: "reasoning-delta", id: "0:0", delta: "** the divisors." },
    { type: "reasoning-start", id: "0:1" },
    { type: "reasoning-delta", id: "0:1", delta: "**Deciding**" },
    { type: "reasoning-end", id: "0:0", ...signed },
    { type: "reasoning-end", id: "0:1", ...signed },
    { type: "text-start", id: "1:0" },
    { type: "text-delta", id: "1:0", delta: "No: 9" },
    { type: "text-delta", id: "1:0", delta: " = 3 × 3." },
    { type: "text-end", id: "1:0", ...openai({ itemId: "msg_68c2b", phase: "final_answer" }) },
    metadata(
      { input: 116, output: 28, reasoning: 192, cache_read: 1920, cache_write: 64 },
      { model: "gpt-5.5-2026-04-23", response_id: "resp_68c2", finish_reason: "stop" },
    ),
    { type: "finish-step" },
  ]);
});

test("parallel calls stay apart, and reasoning without a summary still carries its record", () => {
  const bare = openai({ itemId: "rs_68c3a", reasoningEncryptedContent: "gAAAAABo-bare" });
  assert.deepEqual(decode(recording("parallel-calls")), [
    { type: "start-step" },
    { type: "reasoning-start", id: "0:0" },
    { type: "reasoning-end", id: "0:0", ...bare },
    { type: "text-start", id: "1:0" },
    { type: "text-delta", id: "1:0", delta: "I'll look at both." },
    { type: "text-end", id: "1:0", ...openai({ itemId: "msg_68c3b", phase: "commentary" }) },
    { type: "tool-input-start", toolCallId: "call_Ab1", toolName: "read_file" },
    { type: "tool-input-delta", toolCallId: "call_Ab1", inputTextDelta: '{"pa' },
    { type: "tool-input-start", toolCallId: "call_Cd2", toolName: "list_dir" },
    { type: "tool-input-delta", toolCallId: "call_Cd2", inputTextDelta: '{"path":' },
    { type: "tool-input-delta", toolCallId: "call_Ab1", inputTextDelta: 'th":"a.ts"}' },
    {
      type: "tool-input-available",
      toolCallId: "call_Ab1",
      toolName: "read_file",
      input: { path: "a.ts" },
      ...openai({ itemId: "fc_68c3c" }),
    },
    { type: "tool-input-delta", toolCallId: "call_Cd2", inputTextDelta: '"src"}' },
    {
      type: "tool-input-available",
      toolCallId: "call_Cd2",
      toolName: "list_dir",
      input: { path: "src" },
      ...openai({ itemId: "fc_68c3d" }),
    },
    metadata(
      { input: 340, output: 64, reasoning: 32 },
      { model: "gpt-5.5-2026-04-23", response_id: "resp_68c3", finish_reason: "tool-calls" },
    ),
    { type: "finish-step" },
  ]);
});

test("a refusal is read as text, and the reason to stop says what it is", () => {
  const chunks = decode(recording("refusal"));
  assert.deepEqual(chunks.slice(1, 5), [
    { type: "text-start", id: "0:0" },
    { type: "text-delta", id: "0:0", delta: "I'm sorry," },
    { type: "text-delta", id: "0:0", delta: " I can't assist with that." },
    { type: "text-end", id: "0:0", ...openai({ itemId: "msg_68c4a" }) },
  ]);
  assert.equal(reasonOf(chunks), "content-filter");
});

test("a refusal counts whether its deltas came or only its end", () => {
  const delta = event("refusal.delta", { output_index: 0, delta: "No." });
  const item = { type: "message", content: [{ type: "refusal", refusal: "No." }] };
  const done = event("output_item.done", { output_index: 0, item });
  for (const refusal of [delta, done]) {
    const chunks = decode([refusal, COMPLETED]);
    assert.deepEqual(chunks[2], { type: "text-delta", id: "0:0", delta: "No." });
    assert.equal(reasonOf(chunks), "content-filter");
  }
});

test("an event that is not JSON ends the stream with its text", () => {
  const said = event("output_text.delta", { output_index: 0, delta: "a" });
  assert.deepEqual(decode([said, "<html>", COMPLETED]).slice(3), [
    { type: "text-end", id: "0:0" },
    metadata({}, { finish_reason: "error" }),
    { type: "error", errorText: "the provider sent an event that is not JSON: <html>" },
  ]);
});

test("an error in the stream closes the text and is said once, in either of its shapes", () => {
  const about = { model: "gpt-5.5-2026-04-23", response_id: "resp_68c5", finish_reason: "error" };
  const failed = event("failed", { response: { error: { message: "again" } } });
  const errorText = "server_error: The server had an error processing your request.";
  assert.deepEqual(decode([...recording("error"), failed]), [
    { type: "start-step" },
    { type: "text-start", id: "0:0" },
    { type: "text-delta", id: "0:0", delta: "The first" },
    { type: "text-end", id: "0:0", ...openai({ itemId: "msg_68c5a" }) },
    metadata({}, about),
    { type: "error", errorText },
  ]);
  const nested = event("error", { error: { code: "too_many_requests", message: "Slow down" } });
  assert.deepEqual(decode([nested])[1], {
    type: "error",
    errorText: "too_many_requests: Slow down",
  });
});

test("a response that failed says why and what it cost", () => {
  const about = { model: "gpt-5.5-2026-04-23", response_id: "resp_68c6", finish_reason: "error" };
  assert.deepEqual(decode(recording("failed")).slice(3), [
    { type: "text-end", id: "0:0", ...openai({ itemId: "msg_68c6a" }) },
    metadata({ input: 50, output: 3 }, about),
    { type: "error", errorText: "rate_limit_exceeded: Rate limit reached." },
  ]);
});

test("a response that the limit cut has a length, and its empty call is not one with no input", () => {
  const chunks = decode(recording("incomplete"));
  assert.equal(reasonOf(chunks), "length");
  assert.deepEqual(chunks.slice(4, 6), [
    { type: "tool-input-start", toolCallId: "call_Ef3", toolName: "read_file" },
    {
      type: "tool-input-error",
      toolCallId: "call_Ef3",
      toolName: "read_file",
      input: "",
      errorText: "the answer was cut off before the input was written",
      ...openai({ itemId: "fc_68c7b" }),
    },
  ]);
});

test("a stream that is cut closes its text, leaves the call unfinished and says so", () => {
  assert.deepEqual(decode(recording("cut")).slice(4), [
    { type: "text-start", id: "1:0" },
    { type: "text-delta", id: "1:0", delta: "The first" },
    { type: "tool-input-start", toolCallId: "call_Gh4", toolName: "read_file" },
    { type: "tool-input-delta", toolCallId: "call_Gh4", inputTextDelta: '{"path":' },
    { type: "text-end", id: "1:0", ...openai({ itemId: "msg_68c8b" }) },
    metadata({}, { model: "gpt-5.5-2026-04-23", response_id: "resp_68c8" }),
    { type: "error", errorText: "the stream ended before the answer was complete" },
  ]);
});
