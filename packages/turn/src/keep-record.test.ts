import assert from "node:assert/strict";
import { test } from "node:test";
import { StoreError } from "@galley/persist";
import { keepRecord } from "./keep-record.ts";

const full = StoreError.make("full", { path: "x", detail: "no room" });
const { signal } = new AbortController();

test("a store that is full for a while gets the record in the end, and is reported once", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const reported: unknown[] = [];
  let tries = 0;
  const kept = keepRecord(
    async () => {
      tries += 1;
      if (tries === 4) return "kept";
      // The wait begins after this try is over.
      setImmediate(() => t.mock.timers.tick(2_000));
      throw full;
    },
    { report: (error) => reported.push(error) },
    signal,
  );
  assert.equal(await kept, "kept");
  assert.deepEqual([tries, reported], [4, [full]]);
});

test("a record that the store refuses, or has no sound page for, is reported and not tried again", async () => {
  const corrupt = StoreError.make("corrupt", { path: "x", detail: "page 7" });
  for (const refused of [StoreError.make("closed", {}), corrupt]) {
    const reported: unknown[] = [];
    const write = async () => {
      throw refused;
    };
    const kept = await keepRecord(write, { report: (error) => reported.push(error) }, signal);
    assert.deepEqual([kept, reported], [undefined, [refused]]);
  }
});

test("a stop ends the waiting", async () => {
  const stop = new AbortController();
  const write = async () => {
    stop.abort();
    throw full;
  };
  assert.equal(await keepRecord(write, { report: () => {} }, stop.signal), undefined);
});
