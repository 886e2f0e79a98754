import assert from "node:assert/strict";
import { test } from "node:test";
import { sayOf } from "../answer.ts";
import type { Step } from "../script.ts";
import { seal } from "../seal.ts";
import { smallest } from "../trial.ts";
import { responseEvents, wholeResponse } from "./stream.ts";

const heard = smallest("gemini-generate", true);
const streamed = (step: Step) =>
  responseEvents(sayOf(heard, step, { number: 1 }), heard).map(({ data }) => {
    const { candidates, usageMetadata } = JSON.parse(data);
    return { ...candidates[0], usage: usageMetadata };
  });
const calls = [
  { name: "look", input: { x: 1 } },
  { name: "hear", input: null },
];

test("thoughts, words and calls come as parts, and the last response stops", () => {
  assert.deepEqual(
    streamed({ reasoning: "hm", say: ["a", "b"], toolCalls: calls }).map(
      ({ content, finishReason }) => [content.parts, finishReason],
    ),
    [
      [[{ text: "hm", thought: true }], undefined],
      [[{ text: "a" }], undefined],
      [[{ text: "b" }], undefined],
      [
        [
          {
            functionCall: { id: "call_rehearsal_000001_0", name: "look", args: { x: 1 } },
            thoughtSignature: seal("call_rehearsal_000001_0"),
          },
          { functionCall: { id: "call_rehearsal_000001_1", name: "hear", args: {} } },
        ],
        undefined,
      ],
      [[{ text: "" }], "STOP"],
    ],
  );
});

test("without a call the signature of the thoughts comes at the end", () => {
  const last = streamed({ reasoning: "hm", say: "a" }).at(-1);
  assert.deepEqual(last.content.parts, [{ text: "", thoughtSignature: seal("hm") }]);
});

test("thoughts are counted apart, the total holds everything", () => {
  const { usage } = streamed({ reasoning: "abcd", say: "abcdefgh" }).at(-1);
  assert.deepEqual(
    [
      usage.promptTokenCount,
      usage.candidatesTokenCount,
      usage.thoughtsTokenCount,
      usage.totalTokenCount,
    ],
    [1, 2, 1, 4],
  );
});

test("each way to stop has its reason, and a refusal its words", () => {
  const last = (step: Step) => streamed(step).at(-1);
  assert.deepEqual(
    [
      last({ say: "a" }).finishReason,
      last({ stop: "length" }).finishReason,
      last({ refusal: "no" }).finishReason,
      last({ refusal: "no" }).finishMessage,
    ],
    ["STOP", "MAX_TOKENS", "SAFETY", "no"],
  );
});

test("a whole response has all parts at once", () => {
  const said = sayOf(heard, { reasoning: "hm", say: ["a", "b"], toolCalls: calls }, { number: 1 });
  const { candidates } = wholeResponse(said, heard) as {
    candidates: { content: { parts: object[] } }[];
  };
  assert.deepEqual(
    candidates[0]?.content.parts.map((part) => Object.keys(part)[0]),
    ["text", "text", "functionCall", "functionCall"],
  );
});
