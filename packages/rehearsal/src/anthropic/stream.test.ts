import assert from "node:assert/strict";
import { test } from "node:test";
import { sayOf } from "../answer.ts";
import type { Step } from "../script.ts";
import { seal } from "../seal.ts";
import { hearing, smallest } from "../trial.ts";
import { messageEvents, wholeMessage } from "./stream.ts";

const heard = smallest("anthropic-messages", true);
const context = { number: 7, cached: { read: 3, write: 2 } };
const streamed = (step: Step) =>
  messageEvents(sayOf({ ...heard, inputTokens: 10 }, step, context), heard).map(
    ({ event, data }) => ({ event, data: JSON.parse(data) }),
  );

test("thinking, words and a call come as blocks in their documented order", () => {
  const step = { reasoning: "hm", say: ["a", "b"], toolCalls: [{ name: "look", input: { x: 1 } }] };
  const events = streamed(step);
  assert.deepEqual(
    events.map(({ data }) => [data.type, data.index, data.delta?.type ?? data.content_block?.type]),
    [
      ["message_start", undefined, undefined],
      ["ping", undefined, undefined],
      ["content_block_start", 0, "thinking"],
      ["content_block_delta", 0, "thinking_delta"],
      ["content_block_delta", 0, "signature_delta"],
      ["content_block_stop", 0, undefined],
      ["content_block_start", 1, "text"],
      ["content_block_delta", 1, "text_delta"],
      ["content_block_delta", 1, "text_delta"],
      ["content_block_stop", 1, undefined],
      ["content_block_start", 2, "tool_use"],
      ["content_block_delta", 2, "input_json_delta"],
      ["content_block_delta", 2, "input_json_delta"],
      ["content_block_delta", 2, "input_json_delta"],
      ["content_block_stop", 2, undefined],
      ["message_delta", undefined, undefined],
      ["message_stop", undefined, undefined],
    ],
  );
  assert.deepEqual(
    events.map(({ event }) => event),
    events.map(({ data }) => data.type),
  );
});

test("the pieces of a call are its input, and the thinking carries its seal", () => {
  const events = streamed({ reasoning: "hm", toolCalls: [{ name: "look", input: { x: "é" } }] });
  const deltas = events.map(({ data }) => data.delta).filter(Boolean);
  const json = deltas.map(({ partial_json }) => partial_json ?? "").join("");
  assert.deepEqual(JSON.parse(json), { x: "é" });
  assert.deepEqual(deltas.find(({ type }) => type === "signature_delta")?.signature, seal("hm"));
});

test("usage tells the cached tokens apart from the rest", () => {
  const events = streamed({ say: "abcd" });
  const { usage } = events[0]?.data.message ?? {};
  assert.deepEqual(
    [usage.input_tokens, usage.cache_read_input_tokens, usage.cache_creation_input_tokens],
    [5, 3, 2],
  );
  assert.deepEqual(events.at(-2)?.data.usage.output_tokens, 1);
});

test("each way to stop has its reason", () => {
  const reason = (step: Step) => streamed(step).at(-2)?.data.delta.stop_reason;
  assert.deepEqual(
    [
      reason({ say: "a" }),
      reason({ say: "a", stop: "length" }),
      reason({ toolCalls: [{ name: "a", input: {} }] }),
      reason({ refusal: "no" }),
    ],
    ["end_turn", "max_tokens", "tool_use", "refusal"],
  );
});

test("a whole message is what its stream adds up to", () => {
  const step = { reasoning: "hm", say: ["a", "b"], toolCalls: [{ name: "look", input: { x: 1 } }] };
  const said = sayOf(heard, step, { number: 7 });
  const { id, content, stop_reason } = wholeMessage(said, heard) as Record<string, unknown>;
  assert.deepEqual(
    { id, content, stop_reason },
    {
      id: "msg_rehearsal_000007",
      content: [
        { type: "thinking", thinking: "hm", signature: seal("hm") },
        { type: "text", text: "ab", citations: null },
        {
          type: "tool_use",
          id: "toolu_rehearsal_000007_0",
          name: "look",
          input: { x: 1 },
          caller: { type: "direct" },
        },
      ],
      stop_reason: "tool_use",
    },
  );
});

test("what was streamed may come back in the next request", () => {
  const said = sayOf(heard, { reasoning: "hm", say: "yes" }, context);
  const { content } = wholeMessage(said, heard) as { content: Record<string, unknown>[] };
  const messages = [
    { role: "user", content: "hi" },
    { role: "assistant", content },
    { role: "user", content: "go on" },
  ];
  const next = hearing("anthropic-messages", { model: "default", max_tokens: 9, messages });
  assert.deepEqual(next.messages[1]?.blocks, [
    { kind: "reasoning", text: "hm" },
    { kind: "text", text: "yes" },
  ]);
});
