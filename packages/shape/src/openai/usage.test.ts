import assert from "node:assert/strict";
import { test } from "node:test";
import { chatUsage, NO_USAGE, responsesUsage } from "./usage.ts";

test("what was read from and written to the cache is no longer input, reasoning no longer output", () => {
  const expected = { input: 60, output: 5, reasoning: 20, cache_read: 30, cache_write: 10 };
  const chat = {
    prompt_tokens: 100,
    completion_tokens: 25,
    total_tokens: 125,
    prompt_tokens_details: { cached_tokens: 30, cache_write_tokens: 10 },
    completion_tokens_details: { reasoning_tokens: 20 },
  };
  const responses = {
    input_tokens: 100,
    output_tokens: 25,
    total_tokens: 125,
    input_tokens_details: { cached_tokens: 30, cache_write_tokens: 10 },
    output_tokens_details: { reasoning_tokens: 20 },
  };
  assert.deepEqual(chatUsage(chat), expected);
  assert.deepEqual(responsesUsage(responses), expected);
});

test("a server that counts reasoning beside the output is told by its total", () => {
  const usage = chatUsage({
    prompt_tokens: 32,
    completion_tokens: 9,
    total_tokens: 135,
    completion_tokens_details: { reasoning_tokens: 94 },
  });
  assert.deepEqual(usage, { ...NO_USAGE, input: 32, output: 9, reasoning: 94 });
});

test("counts that are no counts are none", () => {
  const wrong = { prompt_tokens: "9", completion_tokens: -1, prompt_tokens_details: [1] };
  assert.deepEqual(chatUsage(wrong), NO_USAGE);
  assert.deepEqual(chatUsage({ prompt_tokens: 1, prompt_tokens_details: { cached_tokens: 9 } }), {
    ...NO_USAGE,
    cache_read: 9,
  });
});
