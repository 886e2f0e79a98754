/** Items whose events come in another order, or only in part, through the whole decoder. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeWith, reasonOf } from "../replay.test.ts";
import { decoding } from "./decode.ts";

const decode = decodeWith(decoding);

const event = (type: string, rest: object = {}): string =>
  JSON.stringify({ type: `response.${type}`, ...rest });
const COMPLETED = event("completed", { response: {} });
const openai = (record: Record<string, string>) => ({ providerMetadata: { openai: record } });

test("a call that is still open when the limit cuts the response is cut too", () => {
  const item = { type: "function_call", call_id: "c", name: "f" };
  const added = event("output_item.added", { output_index: 0, item });
  const typeAfter = (end: string): unknown =>
    decode([added, event(end, { response: {} })])[2]?.type;
  assert.equal(typeAfter("incomplete"), "tool-input-error");
  assert.equal(typeAfter("completed"), "tool-input-available");
});

test("the arguments at the end of a call are the ones that count", () => {
  const item = { type: "function_call", call_id: "c", name: "f", arguments: '{"b":2}' };
  const chunks = decode([
    event("output_item.added", { output_index: 0, item: { ...item, arguments: "" } }),
    event("function_call_arguments.delta", { output_index: 0, delta: '{"a"' }),
    event("output_item.done", { output_index: 0, item }),
    COMPLETED,
  ]);
  assert.deepEqual(chunks.slice(2, 4), [
    { type: "tool-input-delta", toolCallId: "c", inputTextDelta: '{"a"' },
    { type: "tool-input-available", toolCallId: "c", toolName: "f", input: { b: 2 } },
  ]);
});

test("reasoning with neither a summary nor a record leaves nothing", () => {
  const item = { type: "reasoning", id: "rs", summary: [] };
  const chunks = decode([event("output_item.done", { output_index: 0, item }), COMPLETED]);
  assert.equal(chunks[1]?.type, "message-metadata");
});

test("what no delta brought is said when the item ends", () => {
  const message = { type: "message", id: "m", content: [{ type: "output_text", text: "Hello" }] };
  const said = event("output_text.delta", { output_index: 0, item_id: "m", delta: "Hel" });
  const call = { type: "function_call", id: "f", call_id: "c", name: "f", arguments: '{"a":1}' };
  const chunks = decode([
    said,
    event("output_item.done", { output_index: 0, item: message }),
    event("output_item.done", { output_index: 1, item: call }),
    COMPLETED,
  ]);
  assert.deepEqual(chunks.slice(1, 8), [
    { type: "text-start", id: "0:0" },
    { type: "text-delta", id: "0:0", delta: "Hel" },
    { type: "text-delta", id: "0:0", delta: "lo" },
    { type: "text-end", id: "0:0", ...openai({ itemId: "m" }) },
    { type: "tool-input-start", toolCallId: "c", toolName: "f" },
    { type: "tool-input-delta", toolCallId: "c", inputTextDelta: '{"a":1}' },
    {
      type: "tool-input-available",
      toolCallId: "c",
      toolName: "f",
      input: { a: 1 },
      ...openai({ itemId: "f" }),
    },
  ]);
});

test("reasoning that is shown in full is reasoning too", () => {
  const at = { output_index: 0, item_id: "rs", content_index: 0 };
  const chunks = decode([
    event("reasoning_text.delta", { ...at, delta: "Hm" }),
    event("reasoning_text.done", { ...at, text: "Hm." }),
    COMPLETED,
  ]);
  assert.deepEqual(chunks.slice(1, 5), [
    { type: "reasoning-start", id: "0:t0" },
    { type: "reasoning-delta", id: "0:t0", delta: "Hm" },
    { type: "reasoning-delta", id: "0:t0", delta: "." },
    { type: "reasoning-end", id: "0:t0", ...openai({ itemId: "rs" }) },
  ]);
});

test("a call that is never named is an error that shows it", () => {
  const item = { type: "function_call", id: "f", call_id: "c", arguments: '{"a":1}' };
  const chunks = decode([event("output_item.done", { output_index: 0, item }), COMPLETED]);
  const errorText = 'the model called a tool without naming it: {"a":1}';
  assert.deepEqual(chunks[1], { type: "error", errorText });
});

test("the closing line of another protocol, progress and unknown items pass", () => {
  const web = { type: "web_search_call", id: "ws" };
  const events = [
    event("in_progress"),
    event("output_item.added", { output_index: 0, item: web }),
    event("output_item.done", { output_index: 0, item: web }),
    "[DONE]",
    COMPLETED,
    "[DONE]",
  ];
  const types = decode(events).map(({ type }) => type);
  assert.deepEqual(types, ["start-step", "message-metadata", "finish-step"]);
});

test("an incomplete response has the reason it gives", () => {
  const stop = (reason: string) =>
    reasonOf(decode([event("incomplete", { response: { incomplete_details: { reason } } })]));
  assert.equal(stop("content_filter"), "content-filter");
  assert.equal(stop("max_output_tokens"), "length");
  assert.equal(stop("constructor"), "other");
});
