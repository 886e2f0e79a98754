import assert from "node:assert/strict";
import { test } from "node:test";
import { sayOf } from "../answer.ts";
import type { Step } from "../script.ts";
import { seal } from "../seal.ts";
import { hearing, smallest } from "../trial.ts";
import { openaiResponses } from "./protocol.ts";
import { responseEvents } from "./stream.ts";

const heard = smallest("openai-responses", true);
const streamed = (step: Step, request = heard) =>
  responseEvents(sayOf(request, step, { number: 1 }), request).map(({ event, data }) => {
    const parsed = JSON.parse(data);
    assert.equal(event, parsed.type);
    return parsed;
  });

test("items open, fill and close in their documented order, numbered from 0", () => {
  const step = { reasoning: "hm", say: ["a", "b"], toolCalls: [{ name: "look", input: { x: 1 } }] };
  const events = streamed(step);
  assert.deepEqual(
    events.map(({ type, output_index }) => [type, output_index]),
    [
      ["response.created", undefined],
      ["response.in_progress", undefined],
      ["response.output_item.added", 0],
      ["response.reasoning_summary_part.added", 0],
      ["response.reasoning_summary_text.delta", 0],
      ["response.reasoning_summary_text.done", 0],
      ["response.reasoning_summary_part.done", 0],
      ["response.output_item.done", 0],
      ["response.output_item.added", 1],
      ["response.content_part.added", 1],
      ["response.output_text.delta", 1],
      ["response.output_text.delta", 1],
      ["response.output_text.done", 1],
      ["response.content_part.done", 1],
      ["response.output_item.done", 1],
      ["response.output_item.added", 2],
      ["response.function_call_arguments.delta", 2],
      ["response.function_call_arguments.delta", 2],
      ["response.function_call_arguments.done", 2],
      ["response.output_item.done", 2],
      ["response.completed", undefined],
    ],
  );
  assert.deepEqual(
    events.map(({ sequence_number }) => sequence_number),
    events.map((_, index) => index),
  );
});

test("the completed response holds the items that were streamed", () => {
  const events = streamed({ say: "a b", toolCalls: [{ name: "look", input: {} }] });
  const done = events.filter(({ type }) => type === "response.output_item.done");
  const { response } = events.at(-1);
  assert.deepEqual(
    response.output,
    done.map(({ item }) => item),
  );
  assert.equal(response.status, "completed");
});

test("a refusal is a part of its own, and running out of tokens leaves it incomplete", () => {
  const types = streamed({ refusal: "no" }).map(({ type }) => type);
  assert.deepEqual(types.slice(3, 7), [
    "response.content_part.added",
    "response.refusal.delta",
    "response.refusal.done",
    "response.content_part.done",
  ]);
  const cut = streamed({ say: "a", stop: "length" }).at(-1);
  assert.equal(cut.type, "response.incomplete");
  assert.deepEqual(cut.response.incomplete_details, { reason: "max_output_tokens" });
});

test("reasoning is sealed for those who ask for it", () => {
  const asking = hearing("openai-responses", {
    ...heard.body,
    include: ["reasoning.encrypted_content"],
  });
  const item = (request: typeof heard) =>
    streamed({ reasoning: "hm", say: "a" }, request).at(-1).response.output[0];
  assert.equal(item(asking).encrypted_content, seal("rs_rehearsal_000001"));
  assert.equal("encrypted_content" in item(heard), false);
});

test("a whole response is the one that ends the stream", () => {
  const step = { reasoning: "hm", say: "a b", toolCalls: [{ name: "look", input: { x: 1 } }] };
  const said = sayOf(heard, step, { number: 1 });
  assert.deepEqual(
    JSON.parse(JSON.stringify(openaiResponses.whole(said, heard))),
    streamed(step).at(-1).response,
  );
});
