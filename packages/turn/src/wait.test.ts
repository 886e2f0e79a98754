import assert from "node:assert/strict";
import { test } from "node:test";
import { unlessStopped, wait } from "./wait.ts";

const HOUR = 3_600_000;
const never = new Promise<string>(() => {});

test("time passes, unless a stop comes first", async () => {
  const { signal } = new AbortController();
  assert.equal(await wait(0, signal), true);
  const stop = new AbortController();
  const waiting = wait(HOUR, stop.signal);
  stop.abort();
  assert.equal(await waiting, false);
  assert.equal(await wait(HOUR, stop.signal), false);
});

test("work that ends is not touched by the watch over it", async () => {
  const { signal } = new AbortController();
  assert.equal(await unlessStopped(Promise.resolve("done"), signal, HOUR), "done");
  await assert.rejects(unlessStopped(Promise.reject(new Error("no")), signal, HOUR), /^Error: no$/);
});

test("work that does not obey a stop is left behind after its grace", async () => {
  const stop = new AbortController();
  const left = unlessStopped(never, stop.signal, 0);
  stop.abort();
  assert.equal(await left, undefined);
  assert.equal(await unlessStopped(never, stop.signal, 0), undefined);
});

test("work that obeys a stop within its grace is heard", async () => {
  const stop = new AbortController();
  const work = Promise.withResolvers<string>();
  stop.signal.addEventListener("abort", () => work.resolve("half"));
  const heard = unlessStopped(work.promise, stop.signal, HOUR);
  stop.abort();
  assert.equal(await heard, "half");
});
