import assert from "node:assert/strict";
import { test } from "node:test";
import type { UiChunk } from "@galley/parts";
import { readUnderWatch } from "./watch.ts";

const HOUR = 3_600_000;
const CHUNK: UiChunk = { type: "start-step" };

function watching(stall_ms: number) {
  const heard: (readonly UiChunk[])[] = [];
  const controller = new AbortController();
  const hear = (batch: readonly UiChunk[]): void => void heard.push(batch);
  return { heard, controller, watch: { signal: controller.signal, stall_ms, hear } };
}

test("what the source says is heard, to its end", async () => {
  const { heard, watch } = watching(HOUR);
  const end = await readUnderWatch(async function* () {
    yield [CHUNK];
    yield [];
  }, watch);
  assert.deepEqual([end, heard], [{ stalled: false }, [[CHUNK], []]]);
});

test("a source that obeys neither silence nor stop is left behind", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const never: AsyncIterable<readonly UiChunk[]> = {
    [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }),
  };
  const silent = watching(50);
  const stalled = readUnderWatch(() => never, silent.watch);
  t.mock.timers.tick(50);
  t.mock.timers.tick(1_000);
  assert.deepEqual(await stalled, { stalled: true });

  const stopped = watching(HOUR);
  const reading = readUnderWatch(() => never, stopped.watch);
  stopped.controller.abort();
  t.mock.timers.tick(1_000);
  assert.deepEqual(await reading, { stalled: false });
});

test("every sign of life begins the silence anew", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { watch, heard } = watching(50);
  const end = await readUnderWatch(async function* () {
    for (const batch of [[], [], [CHUNK]]) {
      t.mock.timers.tick(40);
      yield batch;
    }
  }, watch);
  assert.deepEqual([end, heard.length], [{ stalled: false }, 3]);
});

test("what the source throws is thrown, unless its silence was cut", async () => {
  const { watch } = watching(HOUR);
  const broken = readUnderWatch(() => {
    throw new Error("no");
  }, watch);
  await assert.rejects(broken, /^Error: no$/);
  const cut = await readUnderWatch(async function* (signal) {
    yield [CHUNK];
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    throw new Error("cut");
  }, watching(1).watch);
  assert.deepEqual(cut, { stalled: true });
});

test("nothing is heard from a source after it was left behind", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { watch, heard, controller } = watching(HOUR);
  const late = Promise.withResolvers<void>();
  let closed = false;
  const reading = readUnderWatch(async function* () {
    try {
      await late.promise;
      yield [CHUNK];
    } finally {
      closed = true;
    }
  }, watch);
  controller.abort();
  t.mock.timers.tick(1_000);
  await reading;
  late.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([heard, closed], [[], true]);
});
