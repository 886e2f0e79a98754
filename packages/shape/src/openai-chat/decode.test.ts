import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeWith, metadata, reasonOf, recordingIn } from "../replay.test.ts";
import { decoding } from "./decode.ts";

const recording = recordingIn(new URL("recordings/", import.meta.url));
const decode = decodeWith(decoding);

/** A chunk with one choice. */
const delta = (value: Record<string, unknown>, finish_reason: string | null = null): string =>
  JSON.stringify({ id: "r", choices: [{ index: 0, delta: value, finish_reason }] });
const calls = (...tool_calls: unknown[]): string => delta({ tool_calls });
const DONE = "[DONE]";

const finished = (finish_reason: string) => [
  metadata({}, { response_id: "r", finish_reason }),
  { type: "finish-step" },
];
const available = (toolCallId: string, toolName: string, input: unknown) => ({
  type: "tool-input-available",
  toolCallId,
  toolName,
  input,
});

test("a text is one block; the usage comes after it, without its cached and reasoning part", () => {
  assert.deepEqual(decode(recording("text")), [
    { type: "start-step" },
    { type: "text-start", id: "0" },
    { type: "text-delta", id: "0", delta: "Oslo is" },
    { type: "text-delta", id: "0", delta: " the capital — " },
    { type: "text-delta", id: "0", delta: "Noreg 🇳🇴." },
    { type: "text-end", id: "0" },
    metadata(
      { input: 186, output: 11, reasoning: 30, cache_read: 1024 },
      {
        model: "gpt-5.5-2026-04-23",
        response_id: "chatcmpl-CdN3m0bQp7",
        finish_reason: "stop",
      },
    ),
    { type: "finish-step" },
  ]);
});

test("reasoning, as compatible servers send it, ends where the text begins", () => {
  assert.deepEqual(decode(recording("reasoning")), [
    { type: "start-step" },
    { type: "reasoning-start", id: "0" },
    { type: "reasoning-delta", id: "0", delta: "Nine is not" },
    { type: "reasoning-delta", id: "0", delta: " prime." },
    { type: "reasoning-end", id: "0" },
    { type: "text-start", id: "1" },
    { type: "text-delta", id: "1", delta: "No: 9" },
    { type: "text-delta", id: "1", delta: " = 3 × 3." },
    { type: "text-end", id: "1" },
    metadata(
      { input: 17, output: 11, reasoning: 14 },
      { model: "deepseek-reasoner", response_id: "5a4ab2ee-98", finish_reason: "stop" },
    ),
    { type: "finish-step" },
  ]);
});

test("reasoning has a second name, and a server that uses both says it once", () => {
  const both = delta({ reasoning_content: "Hm", reasoning: "Hm" });
  const deltas = decode([delta({ reasoning: "So." }), both, DONE]).filter(
    ({ type }) => type === "reasoning-delta",
  );
  assert.deepEqual(deltas, [
    { type: "reasoning-delta", id: "0", delta: "So." },
    { type: "reasoning-delta", id: "0", delta: "Hm" },
  ]);
});

test("usage that was given stays when a later chunk has none", () => {
  const usage = { prompt_tokens: 3, completion_tokens: 2 };
  const chunks = decode([JSON.stringify({ id: "r", usage }), '{"usage":null}', DONE]);
  assert.deepEqual(
    chunks[1],
    metadata({ input: 3, output: 2 }, { response_id: "r", finish_reason: "other" }),
  );
});

test("interleaved calls stay apart, and text goes on before and after them", () => {
  assert.deepEqual(decode(recording("parallel-calls")), [
    { type: "start-step" },
    { type: "text-start", id: "0" },
    { type: "text-delta", id: "0", delta: "I'll look at both." },
    { type: "text-end", id: "0" },
    { type: "tool-input-start", toolCallId: "call_Ab1", toolName: "read_file" },
    { type: "tool-input-delta", toolCallId: "call_Ab1", inputTextDelta: '{"pa' },
    { type: "tool-input-start", toolCallId: "call_Cd2", toolName: "list_dir" },
    { type: "tool-input-delta", toolCallId: "call_Cd2", inputTextDelta: '{"path":' },
    { type: "tool-input-delta", toolCallId: "call_Ab1", inputTextDelta: 'th":"a.ts"}' },
    { type: "tool-input-delta", toolCallId: "call_Cd2", inputTextDelta: '"src"}' },
    { type: "text-start", id: "1" },
    { type: "text-delta", id: "1", delta: "Then I compare." },
    { type: "text-end", id: "1" },
    available("call_Ab1", "read_file", { path: "a.ts" }),
    available("call_Cd2", "list_dir", { path: "src" }),
    metadata(
      { input: 310, output: 58 },
      {
        model: "gpt-5.5-2026-04-23",
        response_id: "chatcmpl-CdN7xYw2Lk",
        finish_reason: "tool-calls",
      },
    ),
    { type: "finish-step" },
  ]);
});

test("a refusal is read as text, and the reason to stop says what it is", () => {
  const chunks = decode(recording("refusal"));
  assert.deepEqual(chunks.slice(1, 5), [
    { type: "text-start", id: "0" },
    { type: "text-delta", id: "0", delta: "I'm sorry," },
    { type: "text-delta", id: "0", delta: " I can't assist with that." },
    { type: "text-end", id: "0" },
  ]);
  assert.partialDeepStrictEqual(chunks[5], {
    messageMetadata: { finish_reason: "content-filter" },
  });
});

test("an error in the stream ends it: the text is closed, the error is said once", () => {
  const about = { model: "gpt-5.5-2026-04-23", response_id: "chatcmpl-CdNEf03vMs" };
  const errorText =
    "server_error: The server had an error while processing your request. Sorry about that!";
  assert.deepEqual(decode([...recording("error"), delta({ content: "late" }), DONE]), [
    { type: "start-step" },
    { type: "text-start", id: "0" },
    { type: "text-delta", id: "0", delta: "The first" },
    { type: "text-end", id: "0" },
    metadata({}, { ...about, finish_reason: "error" }),
    { type: "error", errorText },
  ]);
});

test("a stream that is cut closes its text, leaves the call unfinished and says so", () => {
  assert.deepEqual(decode(recording("cut")).slice(2), [
    { type: "text-delta", id: "0", delta: "The first" },
    { type: "text-end", id: "0" },
    { type: "tool-input-start", toolCallId: "call_Ef3", toolName: "read_file" },
    { type: "tool-input-delta", toolCallId: "call_Ef3", inputTextDelta: '{"path":' },
    metadata({}, { model: "gpt-5.5-2026-04-23", response_id: "chatcmpl-CdNEf03vMs" }),
    { type: "error", errorText: "the stream ended before the answer was complete" },
  ]);
});

test("an event that is not JSON ends the stream with its text", () => {
  const zero = metadata({}, { response_id: "r", finish_reason: "error" });
  assert.deepEqual(decode([delta({ content: "a" }), "<html>"]).slice(3), [
    { type: "text-end", id: "0" },
    zero,
    { type: "error", errorText: "the provider sent an event that is not JSON: <html>" },
  ]);
});

test("an error before anything else begins no step", () => {
  const types = decode(['{"object":"error","message":"too long","code":400}']);
  assert.deepEqual(
    types.map(({ type }) => type),
    ["message-metadata", "error"],
  );
  assert.deepEqual(types[1], { type: "error", errorText: "400: too long" });
});

test("a server that leaves out the closing line has finished when it gave a reason", () => {
  assert.deepEqual(decode([delta({ content: "a" }), delta({}, "length")]).slice(3), [
    { type: "text-end", id: "0" },
    ...finished("length"),
  ]);
});

test("the reason is what happened, whatever word the server has for it", () => {
  const call = calls({ index: 0, id: "c", function: { name: "f", arguments: "{}" } });
  const reason = (...events: string[]): unknown => reasonOf(decode([...events, DONE]));
  assert.equal(reason(delta({ content: "a" }), delta({}, "stop")), "stop");
  assert.equal(reason(call, delta({}, "stop")), "tool-calls");
  assert.equal(reason(call), "tool-calls");
  assert.equal(reason(delta({ refusal: "no" }), call, delta({}, "stop")), "tool-calls");
  assert.equal(reason(call, delta({}, "content_filter")), "content-filter");
  assert.equal(reason(delta({ content: "a" }, "")), "other");
  assert.equal(reason(delta({ content: "a" }, "constructor")), "other");
});
