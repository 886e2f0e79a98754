import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { UiChunk } from "@galley/parts";
import { openSqliteStore, StoreError } from "@galley/persist";
import { failing, settle, stage } from "./recorder-stage.ts";
import { createWrites } from "./recorder-writes.ts";

const FULL = StoreError.make("full", { path: "t.db", detail: "disk" });
const CLOSED = StoreError.make("closed", {});
const said = (delta: string, id = "0"): UiChunk => ({ type: "text-delta", id, delta });
const step: UiChunk = { type: "start-step" };

async function passTime(context: TestContext, ms: number) {
  await settle();
  context.mock.timers.tick(ms);
  await settle();
}

test("a full store loses nothing and keeps the order, however long it is full", async (context) => {
  const { record, rows, store, reported, path } = await stage(context);
  const faulty = failing(store);
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const recorder = record({}, faulty.store);
  recorder.take([said("before")]);
  await recorder.flush();
  faulty.state.fault = FULL;
  const stored: string[] = [];
  for (const word of ["one", "two", "three"]) {
    recorder.take([step, said(word, word)]);
    recorder.flush().then(() => stored.push(word), assert.fail);
    await passTime(context, 5_000);
  }
  assert.deepEqual(stored, []);
  assert.deepEqual(await rows(), [{ type: "text", text: "before", state: "streaming" }]);
  faulty.state.fault = undefined;
  await passTime(context, 2_000);
  assert.deepEqual(stored, ["one", "two", "three"]);
  const restarted = await openSqliteStore({ path });
  const parts = (await restarted.messages.get("msg_a"))?.parts ?? [];
  await restarted.close();
  assert.deepEqual(
    parts.map(({ index, data_json }) => [index, JSON.parse(data_json).text]),
    [
      [0, "before"],
      [1, undefined],
      [2, "one"],
      [3, undefined],
      [4, "two"],
      [5, undefined],
      [6, "three"],
    ],
  );
  assert.deepEqual(reported, [FULL]);
});

test("what is wrong is told as long as it is, and each outage is reported once", async (context) => {
  const { record, store, reported } = await stage(context);
  const faulty = failing(store);
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const told: (string | undefined)[] = [];
  const recorder = record({ troubled: () => told.push(recorder.trouble()) }, faulty.store);
  const troubles: (string | undefined)[] = [recorder.trouble()];
  for (const fault of [FULL, undefined, FULL, undefined]) {
    faulty.state.fault = fault;
    recorder.take([said("x")]);
    await passTime(context, 40);
    await passTime(context, 4_000);
    troubles.push(recorder.trouble());
  }
  const sentence =
    "there is no room left for t.db (disk); nothing was written. Free some space and try again";
  assert.deepEqual(troubles, [undefined, sentence, undefined, sentence, undefined]);
  assert.deepEqual(told, [sentence, undefined, sentence, undefined]);
  assert.deepEqual(reported, [FULL, FULL]);
});

test("tries are a tenth of a second apart, then twice as long each time, at most two seconds", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  let now = 0;
  const tries: number[] = [];
  const write = async () => {
    tries.push(now);
    if (tries.length < 9) throw FULL;
  };
  const writes = createWrites({ write, window_ms: 40, report: () => {} });
  writes.changed(true);
  while (now < 10_000) {
    now += 50;
    await passTime(context, 50);
  }
  const pauses = tries.slice(1).map((at, index) => at - (tries[index] ?? 0));
  assert.deepEqual(pauses, [100, 200, 400, 800, 1600, 2000, 2000, 2000]);
});

test("changes that come while the store is full do not make it be tried more often", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  let tries = 0;
  const write = async () => {
    tries += 1;
    throw FULL;
  };
  const writes = createWrites({ write, window_ms: 40, report: () => {} });
  for (let count = 0; count < 20; count += 1) {
    writes.changed(true);
    await passTime(context, 1);
  }
  assert.equal(tries, 1);
});

test("one write runs at a time, and what changes meanwhile goes with the next", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const open: (() => void)[] = [];
  const write = () => new Promise<void>((resolve) => open.push(resolve));
  const writes = createWrites({ write, window_ms: 40, report: () => {} });
  writes.changed(true);
  writes.changed(true);
  writes.changed(false);
  await passTime(context, 40);
  assert.equal(open.length, 1);
  let flushed = false;
  const flush = writes.flush().then(() => {
    flushed = true;
  });
  open[0]?.();
  await settle();
  assert.deepEqual([open.length, flushed], [2, false]);
  open[1]?.();
  await flush;
  await passTime(context, 1_000);
  assert.equal(open.length, 2);
});

test("who gives up is told why, nothing is tried behind his back, and the next flush stores it all", async (context) => {
  const { record, rows, store } = await stage(context);
  const faulty = failing(store);
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const recorder = record({}, faulty.store);
  faulty.state.fault = FULL;
  recorder.take([said("kept")]);
  const closing = new AbortController();
  const flush = recorder.flush(closing.signal);
  await passTime(context, 0);
  closing.abort(new Error("the host closes"));
  await assert.rejects(flush, /the host closes/);
  const before = faulty.state.tries;
  await passTime(context, 60_000);
  assert.equal(faulty.state.tries, before);
  faulty.state.fault = undefined;
  await recorder.flush();
  assert.deepEqual(await rows(), [{ type: "text", text: "kept", state: "streaming" }]);
});

test("who comes after one that gave up is served at once", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  let fault: Error | undefined = FULL;
  const write = async () => {
    if (fault) throw fault;
  };
  const writes = createWrites({ write, window_ms: 40, report: () => {} });
  writes.changed(true);
  const closing = new AbortController();
  const flush = writes.flush(closing.signal);
  await settle();
  closing.abort(new Error("the host closes"));
  await assert.rejects(flush, /the host closes/);
  fault = undefined;
  let stored = false;
  const again = writes.flush().then(() => {
    stored = true;
  });
  await settle();
  assert.equal(stored, true);
  await again;
});

test("giving up in the middle of a write leaves nothing ticking either", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  let fault: Error | undefined = FULL;
  const write = async () => {
    if (fault) throw fault;
  };
  const writes = createWrites({ write, window_ms: 40, report: () => {} });
  writes.changed(false);
  await assert.rejects(writes.flush(AbortSignal.abort(new Error("no time"))), /no time/);
  await settle();
  fault = undefined;
  await writes.flush();
  assert.equal(writes.trouble(), undefined);
});

test("one who gives up does not stop another who waits", async (context) => {
  const { record, rows, store } = await stage(context);
  const faulty = failing(store);
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const recorder = record({}, faulty.store);
  faulty.state.fault = FULL;
  recorder.take([said("kept")]);
  const patient = recorder.flush();
  await assert.rejects(recorder.flush(AbortSignal.abort(new Error("no time"))), /no time/);
  await settle();
  faulty.state.fault = undefined;
  await passTime(context, 100);
  await patient;
  assert.deepEqual(await rows(), [{ type: "text", text: "kept", state: "streaming" }]);
});

test("a fault that no waiting mends is thrown at those who wait, and what failed stays dirty", async (context) => {
  const { record, rows, store, reported } = await stage(context);
  const faulty = failing(store);
  const recorder = record({}, faulty.store);
  faulty.state.fault = CLOSED;
  recorder.take([said("kept")]);
  await assert.rejects(recorder.flush(), CLOSED);
  await assert.rejects(recorder.end("finish"), CLOSED);
  assert.deepEqual(reported, [CLOSED]);
  faulty.state.fault = undefined;
  await recorder.flush();
  assert.deepEqual(await rows(), [{ type: "text", text: "kept", state: "done" }]);
});

test("an end that the store refuses at first is written when it can be", async (context) => {
  const { record, metadata, store } = await stage(context);
  const messages = { ...store.messages };
  let refusals = 2;
  messages.end = async (...ending) => {
    if (refusals-- > 0) throw FULL;
    return store.messages.end(...ending);
  };
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const recorder = record({}, { ...store, messages });
  recorder.take([said("x")]);
  const ended = recorder.end("error", "it broke");
  for (let count = 0; count < 5; count += 1) await passTime(context, 500);
  await ended;
  const { error, failed_at } = (await metadata()) as { error: string; failed_at: number };
  assert.deepEqual([error, typeof failed_at], ["it broke", "number"]);
});

test("a row that was begun in a write that then failed is not begun twice", async (context) => {
  const { record, rows, store } = await stage(context);
  const messages = { ...store.messages };
  messages.begin = async (message) => {
    await store.messages.begin(message);
    throw FULL;
  };
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const recorder = record({}, { ...store, messages });
  recorder.take([said("x")]);
  const flush = recorder.flush();
  await passTime(context, 100);
  await flush;
  assert.deepEqual(await rows(), [{ type: "text", text: "x", state: "streaming" }]);
});
