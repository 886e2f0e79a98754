import assert from "node:assert/strict";
import { test } from "node:test";
import type { UiChunk } from "@galley/parts";
import { createHeard } from "./catch-up.ts";
import { replayAnswer, type StoredAnswer } from "./replay.ts";

const ANSWER: StoredAnswer = {
  id: "msg_a",
  metadata: { finished_at: 5 },
  parts: [
    { type: "step-start" },
    { type: "reasoning", text: "hm", state: "done" },
    { type: "text", text: "let me look", state: "done" },
    {
      type: "tool-read",
      toolCallId: "call_1",
      state: "output-available",
      input: { path: "a" },
      output: { type: "output", data: "A" },
    },
    { type: "step-start" },
    { type: "text", text: "it says A", state: "done" },
  ],
};

/** As a provider's decoder names its texts: anew in each step. */
const STREAMED: readonly UiChunk[] = [
  { type: "start", messageId: "msg_a" },
  { type: "start-step" },
  { type: "reasoning-start", id: "0" },
  { type: "reasoning-delta", id: "0", delta: "hm" },
  { type: "reasoning-end", id: "0" },
  { type: "text-start", id: "1" },
  { type: "text-delta", id: "1", delta: "let " },
  { type: "text-delta", id: "1", delta: "me look" },
  { type: "text-end", id: "1" },
  { type: "tool-input-start", toolCallId: "call_1", toolName: "read" },
  { type: "tool-input-available", toolCallId: "call_1", toolName: "read", input: { path: "a" } },
  { type: "message-metadata", messageMetadata: { model: "x" } },
  { type: "finish-step" },
  { type: "tool-output-available", toolCallId: "call_1", output: { type: "output", data: "A" } },
  { type: "start-step" },
  { type: "text-start", id: "1" },
  { type: "text-delta", id: "1", delta: "it says A" },
  { type: "text-end", id: "1" },
  { type: "finish-step" },
  { type: "finish" },
];

function textOf(chunks: readonly UiChunk[]): string {
  return chunks.flatMap((each) => (each.type === "text-delta" ? [each.delta] : [])).join("");
}

test("wherever the stream was cut, the store gives exactly the rest of the text", () => {
  for (let cut = 0; cut <= STREAMED.length; cut += 1) {
    const heard = createHeard();
    for (const chunk of STREAMED.slice(0, cut)) heard.note(chunk);
    const all = [...STREAMED.slice(0, cut), ...heard.missing(ANSWER)];
    assert.equal(textOf(all), "let me lookit says A", `cut after ${cut}`);
    for (const type of ["start", "tool-input-available", "tool-output-available", "finish"]) {
      assert.equal(all.filter((each) => each.type === type).length, 1, `${type}, cut after ${cut}`);
    }
    assert.equal(all.filter((each) => each.type === "start-step").length, 2);
  }
});

test("a text that was begun goes on under the id it began with", () => {
  const heard = createHeard();
  for (const chunk of STREAMED.slice(0, 7)) heard.note(chunk);
  assert.deepEqual(heard.missing(ANSWER).slice(0, 2), [
    { type: "text-delta", id: "1", delta: "me look" },
    { type: "text-end", id: "1" },
  ]);
});

test("a telling from the beginning is cut where its stored form was known", () => {
  const heard = createHeard();
  const known: StoredAnswer = { ...ANSWER, metadata: {}, parts: ANSWER.parts.slice(0, 4) };
  for (const chunk of replayAnswer(known)) heard.note(chunk);
  const isNew = heard.beyond();
  const told = STREAMED.flatMap((chunk) => isNew(chunk) ?? []);
  assert.equal(textOf(told), "it says A");
  assert.equal(told.filter((each) => each.type === "tool-output-available").length, 0);
  assert.equal(told.at(-1)?.type, "finish");
});

test("the answer's id is the one that its start told", () => {
  const heard = createHeard();
  assert.equal(heard.answerId(), undefined);
  heard.note({ type: "start", messageId: "msg_a" });
  assert.equal(heard.answerId(), "msg_a");
});

test("how an answer ended is told by its stamps, and one without a stamp has no end", () => {
  const last = (metadata: StoredAnswer["metadata"]) =>
    replayAnswer({ id: "msg_a", parts: [], metadata }).at(-1);
  assert.deepEqual(last({ finished_at: 1 }), { type: "finish" });
  assert.deepEqual(last({ aborted_at: 1 }), { type: "abort" });
  assert.deepEqual(last({ failed_at: 1, error: "broke" }), { type: "error", errorText: "broke" });
  assert.deepEqual(last({}), { type: "start", messageId: "msg_a" });
});

test("calls are told in the state in which they were left", () => {
  const call = (state: string, more: object = {}) =>
    replayAnswer({
      id: "msg_a",
      metadata: {},
      parts: [{ type: "tool-bash", toolCallId: "c", state, input: { a: 1 }, ...more } as never],
    })
      .slice(1)
      .map(({ type }) => type);
  assert.deepEqual(call("input-streaming"), ["tool-input-start"]);
  assert.deepEqual(call("input-available"), ["tool-input-available"]);
  assert.deepEqual(call("approval-requested", { approval: { id: "ap_1" } }), [
    "tool-input-available",
    "tool-approval-request",
  ]);
  assert.deepEqual(call("output-error"), ["tool-input-available", "tool-output-error"]);
  assert.deepEqual(call("output-denied"), ["tool-input-available", "tool-output-denied"]);
});
