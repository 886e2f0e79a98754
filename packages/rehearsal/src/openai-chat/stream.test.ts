import assert from "node:assert/strict";
import { test } from "node:test";
import { sayOf } from "../answer.ts";
import type { Step } from "../script.ts";
import { hearing, smallest } from "../trial.ts";
import { completionEvents, wholeCompletion } from "./stream.ts";

const plain = smallest("openai-chat", true);
const withUsage = hearing("openai-chat", {
  model: "default",
  messages: [{ role: "user", content: "hi" }],
  stream: true,
  stream_options: { include_usage: true },
});
const streamed = (step: Step, heard = plain) =>
  completionEvents(sayOf(heard, step, { number: 1 }), heard).map(({ data }) => data);
const parsed = (step: Step, heard = plain) =>
  streamed(step, heard)
    .slice(0, -1)
    .map((data) => JSON.parse(data));

test("a completion opens with its role, then speaks, then calls, then stops", () => {
  const step = { reasoning: "hm", say: ["a", "b"], toolCalls: [{ name: "look", input: { x: 1 } }] };
  assert.deepEqual(
    parsed(step).map(({ choices }) => [choices[0].delta, choices[0].finish_reason]),
    [
      [{ role: "assistant", content: "", refusal: null }, null],
      [{ reasoning_content: "hm" }, null],
      [{ content: "a" }, null],
      [{ content: "b" }, null],
      [
        {
          tool_calls: [
            {
              index: 0,
              id: "call_rehearsal_000001_0",
              type: "function",
              function: { name: "look", arguments: "" },
            },
          ],
        },
        null,
      ],
      [{ tool_calls: [{ index: 0, function: { arguments: '{"x"' } }] }, null],
      [{ tool_calls: [{ index: 0, function: { arguments: ":1}" } }] }, null],
      [{}, "tool_calls"],
    ],
  );
  assert.equal(streamed(step).at(-1), "[DONE]");
});

test("the usage chunk comes last, without choices, and only when it is asked for", () => {
  const chunks = parsed({ say: "abcdefgh" }, withUsage);
  assert.deepEqual(
    chunks.map(({ usage }) => usage?.total_tokens ?? usage),
    [null, null, null, 3],
  );
  assert.deepEqual(chunks.at(-1).choices, []);
  assert.equal("usage" in (parsed({ say: "a" })[0] ?? {}), false);
});

test("each way to stop has its reason", () => {
  const reason = (step: Step) => parsed(step).at(-1).choices[0].finish_reason;
  assert.deepEqual(
    [reason({ say: "a" }), reason({ stop: "length" }), reason({ refusal: "no" })],
    ["stop", "length", "stop"],
  );
});

test("a whole completion has text, refusal and calls in one message", () => {
  const step = { refusal: "no", toolCalls: [{ id: "c9", name: "look", input: null }] };
  const whole = wholeCompletion(sayOf(plain, step, { number: 1 }), plain) as {
    choices: { message: unknown }[];
  };
  assert.deepEqual(whole.choices[0]?.message, {
    role: "assistant",
    content: null,
    refusal: "no",
    tool_calls: [{ id: "c9", type: "function", function: { name: "look", arguments: "{}" } }],
    annotations: [],
  });
});
