import assert from "node:assert/strict";
import { test } from "node:test";
import { promptCache } from "./prompt-cache.ts";
import { countByLength } from "./tokens.ts";
import { hearing } from "./trial.ts";

const mark = { cache_control: { type: "ephemeral" } };
/** 400 characters: 100 tokens. */
const words = (letter: string) => letter.repeat(400);
const block = (letter: string, more = {}) => ({ type: "text", text: words(letter), ...more });
const anthropic = (...blocks: unknown[]) =>
  hearing("anthropic-messages", {
    model: "default",
    max_tokens: 9,
    messages: [{ role: "user", content: blocks }],
  });

test("a marked prefix is written once and then read", () => {
  const cache = promptCache(countByLength, 100);
  assert.deepEqual(cache.account(anthropic(block("a", mark), block("b"))), { read: 0, write: 100 });
  assert.deepEqual(cache.account(anthropic(block("a", mark), block("c"))), { read: 100, write: 0 });
});

test("a marker that moves on reads the old prefix and writes the new part", () => {
  const cache = promptCache(countByLength, 100);
  cache.account(anthropic(block("a", mark)));
  assert.deepEqual(cache.account(anthropic(block("a"), block("b"), block("c", mark))), {
    read: 100,
    write: 200,
  });
});

test("one changed letter in the prefix reads nothing", () => {
  const cache = promptCache(countByLength, 100);
  cache.account(anthropic(block("a", mark)));
  const changed = { ...block("a", mark), text: `${words("a").slice(1)}b` };
  assert.deepEqual(cache.account(anthropic(changed)), { read: 0, write: 100 });
});

test("without a marker Anthropic caches nothing", () => {
  const cache = promptCache(countByLength, 100);
  cache.account(anthropic(block("a")));
  assert.deepEqual(cache.account(anthropic(block("a"))), { read: 0, write: 0 });
});

test("OpenAI reads what it saw before, from 1,024 tokens on", () => {
  const cache = promptCache(countByLength, 100);
  const chat = (...texts: string[]) =>
    hearing("openai-chat", {
      model: "default",
      messages: texts.map((content) => ({ role: "user", content })),
    });
  const long = "a".repeat(4 * 1024);
  cache.account(chat(long, "b"));
  assert.deepEqual(cache.account(chat(long, "c")), { read: 1024, write: 0 });
  cache.account(chat("short", "b"));
  assert.deepEqual(cache.account(chat("short", "c")), { read: 0, write: 0 });
});

test("another model shares nothing", () => {
  const cache = promptCache(countByLength, 100);
  const heard = anthropic(block("a", mark));
  cache.account(heard);
  assert.deepEqual(cache.account({ ...heard, model: "other" }), { read: 0, write: 100 });
});

test("the oldest prefixes are forgotten first", () => {
  const cache = promptCache(countByLength, 1);
  cache.account(anthropic(block("a", mark)));
  cache.account(anthropic(block("b", mark)));
  assert.deepEqual(cache.account(anthropic(block("a", mark))), { read: 0, write: 100 });
});
