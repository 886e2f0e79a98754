import assert from "node:assert/strict";
import { test } from "node:test";
import { StoreError } from "@galley/persist";
import { whenUnlocked } from "./when-unlocked.ts";

const busy = StoreError.make("busy", { path: "t.db", detail: "locked", waited_ms: 5 });

test("a locked database is waited for, and it is said once", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const said: string[] = [];
  let tries = 0;
  const opened = whenUnlocked(
    async () => {
      tries += 1;
      if (tries === 4) return "host";
      setImmediate(() => t.mock.timers.tick(1_000));
      throw busy;
    },
    new AbortController().signal,
    (line) => said.push(line),
  );
  assert.equal(await opened, "host");
  assert.equal(tries, 4);
  assert.equal(said.length, 1);
  assert.match(said[0] ?? "", /Waiting until it is free$/);
});

test("another fault is not waited for, and a signal ends the wait", async () => {
  const full = StoreError.make("full", { path: "t.db", detail: "disk" });
  const never = new AbortController();
  const fails = (fault: Error) => async () => {
    throw fault;
  };
  await assert.rejects(
    whenUnlocked(fails(full), never.signal, () => undefined),
    (error) => StoreError.is(error, "full"),
  );
  const waits = whenUnlocked(fails(busy), never.signal, () => never.abort());
  await assert.rejects(waits, (error) => StoreError.is(error, "busy"));
});
