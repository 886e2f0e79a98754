/** How a stream ends: finished, failed, broken off, or in no order at all. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { assertClosed } from "../decoder-contract.test.ts";
import type { AiSdkStreamPart } from "./stream.ts";
import { FINISH, finished, metadata, read, USAGE } from "./stream-trial.test.ts";

const NOTHING = { input: 0, output: 0, reasoning: 0, cache_read: 0, cache_write: 0 };
const CUT = { type: "error", errorText: "the stream ended before the answer was complete" };

test("an error is said once, in its own words, and the step does not finish", () => {
  const made = read(
    { type: "text-start", id: "0" },
    { type: "error", error: new Error("overloaded") },
    { ...FINISH, finishReason: { unified: "error", raw: undefined } },
  );
  assert.deepEqual(made, [
    { type: "start-step" },
    { type: "text-start", id: "0" },
    { type: "error", errorText: "overloaded" },
    { type: "text-end", id: "0" },
    metadata({ finish_reason: "error" }),
  ]);
  const words = ["plain", { message: "inside" }, { code: 3 }, undefined, null, ""].map((error) => {
    const [, chunk] = read({ type: "error", error });
    return chunk?.type === "error" && chunk.errorText;
  });
  const unknown = "the provider reported an error";
  assert.deepEqual(words, ["plain", "inside", '{"code":3}', unknown, unknown, unknown]);
});

test("a stream that breaks off closes its text and says so, whoever noticed", () => {
  const begun: AiSdkStreamPart[] = [
    { type: "text-start", id: "0" },
    { type: "text-delta", id: "0", delta: "The fi" },
  ];
  const open = [
    { type: "start-step" },
    { type: "text-start", id: "0" },
    { type: "text-delta", id: "0", delta: "The fi" },
    { type: "text-end", id: "0" },
  ];
  const nothing = { type: "message-metadata", messageMetadata: { usage: NOTHING } };
  assert.deepEqual(read(...begun), [...open, nothing, CUT]);
  const interrupted = { unified: "interrupted", raw: undefined } as const;
  assert.deepEqual(read(...begun, { ...FINISH, finishReason: interrupted }), [
    ...open,
    metadata({}),
    CUT,
  ]);
  assert.deepEqual(read(), [CUT]);
});

test("an answer that a filter kept back whole is an error, and a broken call is told of", () => {
  const filtered = {
    ...FINISH,
    finishReason: { unified: "content-filter", raw: "SAFETY" },
  } as const;
  assert.deepEqual(read(filtered).slice(1), [
    metadata({ finish_reason: "content-filter" }),
    { type: "error", errorText: "the model stopped without an answer: SAFETY" },
  ]);
  const made = finished(
    { type: "tool-input-start", id: "c1", toolName: "look" },
    { type: "tool-input-delta", id: "c1", delta: '{"pa' },
  );
  assert.deepEqual(made.at(-1), {
    type: "tool-input-error",
    toolCallId: "c1",
    toolName: "look",
    input: '{"pa',
    errorText: "the answer ended before the call was complete",
  });
});

test("counts are split into the same buckets, from totals and from what is counted apart", () => {
  const usage = {
    inputTokens: 100,
    outputTokens: 50,
    totalTokens: 150,
    reasoningTokens: 30,
    cachedInputTokens: 40,
  };
  const of = (finishReason: "stop" | "unknown" | "tool-calls") =>
    read({ type: "text-delta", id: "0", delta: "x" }, { type: "finish", usage, finishReason }).find(
      (chunk) => chunk.type === "message-metadata",
    )?.messageMetadata;
  assert.deepEqual(of("stop"), {
    usage: { input: 60, output: 20, reasoning: 30, cache_read: 40, cache_write: 0 },
    finish_reason: "stop",
  });
  const inputTokens = { noCache: 7, total: undefined, cacheRead: undefined, cacheWrite: undefined };
  const apart = { ...FINISH, usage: { ...USAGE, inputTokens } };
  const [, made] = read(apart);
  assert.equal(made?.type === "message-metadata" && made.messageMetadata.usage?.input, 7);
  assert.equal(of("unknown")?.finish_reason, "other");
  assert.equal(of("tool-calls")?.finish_reason, "tool-calls");
});

test("nothing comes after the end", () => {
  const late = { type: "text-delta", id: "0", delta: "late" } as const;
  assert.deepEqual(read(FINISH, late), read(FINISH));
});

test("in whatever order parts come, chunks are sound and every start has its end", () => {
  const id = fc.constantFrom("0", "1");
  const part = fc.oneof(
    fc.record({ type: fc.constantFrom("text-start", "text-end", "reasoning-start"), id }),
    fc.record({ type: fc.constantFrom("text-delta", "reasoning-delta"), id, delta: fc.string() }),
    fc.record({ type: fc.constantFrom("reasoning-end", "tool-input-end"), id }),
    fc.record({ type: fc.constant("tool-input-start"), id, toolName: fc.constant("f") }),
    fc.record({ type: fc.constant("tool-input-delta"), id, delta: fc.string() }),
    fc.record({
      type: fc.constant("tool-call"),
      toolCallId: id,
      toolName: fc.constant("f"),
      input: fc.oneof(fc.json(), fc.string()),
    }),
    fc.record({ type: fc.constant("error"), error: fc.anything() }),
    fc.record({ type: fc.constantFrom("custom", "later"), value: fc.anything() }),
    fc.record({ type: fc.constant("finish"), usage: fc.anything(), finishReason: fc.anything() }),
  );
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      // Some of these break the SDK's types on purpose, as a provider in plain JavaScript may.
      const chunks = read(...(parts as AiSdkStreamPart[]));
      assertClosed(chunks);
      chunks.forEach(({ type }, index) => {
        assert.equal(type === "start-step", index === 0 && parts.length > 0);
      });
    }),
    { numRuns: 500 },
  );
});
