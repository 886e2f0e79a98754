import assert from "node:assert/strict";
import { test } from "node:test";
import type { UiChunk } from "@galley/parts";
import { createPlace } from "./place.ts";

const delta = (text: string): UiChunk => ({ type: "text-delta", id: "0", delta: text });
const BEGIN: readonly UiChunk[] = [{ type: "start" }, { type: "text-start", id: "0" }];

function hear(...connections: readonly (readonly UiChunk[])[]): UiChunk[] {
  const place = createPlace();
  return connections.flatMap((chunks) => {
    place.replay();
    return chunks.flatMap((chunk) => place.fresh(chunk) ?? []);
  });
}

test("a replay from the first chunk tells nothing twice", () => {
  const first = [...BEGIN, delta("one "), delta("two ")];
  const again = [...first, delta("three"), { type: "text-end", id: "0" } as const];
  assert.deepEqual(hear(first, again), again);
});

test("deltas that the server joined meanwhile are cut where they were heard", () => {
  const heard = hear([...BEGIN, delta("one "), delta("tw")], [...BEGIN, delta("one two three")]);
  assert.deepEqual(heard, [...BEGIN, delta("one "), delta("tw"), delta("o three")]);
});

test("a replay that is behind what was heard tells nothing", () => {
  const all = [...BEGIN, delta("one"), delta("two")];
  assert.deepEqual(hear(all, all.slice(0, 3), all), all);
});

test("partial inputs of tools are cut as text is", () => {
  const input = (text: string): UiChunk => ({
    type: "tool-input-delta",
    toolCallId: "c",
    inputTextDelta: text,
  });
  assert.deepEqual(hear([input('{"a"')], [input('{"a":1}')]), [input('{"a"'), input(":1}")]);
});

test("chunks of an unknown kind count as one", () => {
  const odd = { type: "data-odd", data: 1 } as unknown as UiChunk;
  assert.deepEqual(hear([odd], [odd, odd]), [odd, odd]);
});
