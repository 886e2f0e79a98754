/** What the decoders share: events read safely, inputs closed, endings said. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { metadataChunk, parseEvent, parseInput, unreadable } from "./decode.ts";

test("an event is an object or nothing", () => {
  assert.deepEqual(parseEvent('{"a":1}'), { a: 1 });
  for (const data of ["", "[DONE]", "null", "1", '"x"', "[]", "{"]) {
    assert.equal(parseEvent(data), undefined);
  }
});

test("an unreadable event is quoted, at most 80 characters of it", () => {
  assert.deepEqual(unreadable(`x${"y".repeat(200)}`), {
    type: "error",
    errorText: `the provider sent an event that is not JSON: x${"y".repeat(79)}`,
  });
});

test("no input is an empty object; one that is not JSON keeps its text", () => {
  const call = { toolCallId: "c", toolName: "t" };
  assert.deepEqual(parseInput("c", "t", ""), { type: "tool-input-available", ...call, input: {} });
  assert.deepEqual(parseInput("c", "t", "[1]"), {
    type: "tool-input-available",
    ...call,
    input: [1],
  });
  assert.deepEqual(parseInput("c", "t", '{"a'), {
    type: "tool-input-error",
    ...call,
    input: '{"a',
    errorText: "the model wrote an input that is not JSON",
  });
});

test("the metadata of a step says why it finished only when that is known", () => {
  const usage = { input: 1, output: 2, reasoning: 3, cache_read: 4, cache_write: 5 };
  assert.deepEqual(metadataChunk(usage, undefined, {}), {
    type: "message-metadata",
    messageMetadata: { usage },
  });
  assert.deepEqual(metadataChunk(usage, "length", { model: "m", response_id: "r" }), {
    type: "message-metadata",
    messageMetadata: { usage, model: "m", response_id: "r", finish_reason: "length" },
  });
});
