import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { type Mode, openGate } from "./gate.ts";

const FULL = 2;
const NORMAL = 1;

function gateOf(context: TestContext, sync: "full" | "normal") {
  const db = new DatabaseSync(":memory:");
  context.after(() => db.close());
  const gate = openGate(db, { path: ":memory:", patience_ms: 0, sync });
  const safety = () => db.prepare("PRAGMA synchronous").get()?.synchronous;
  return {
    safetyOf: (mode: Mode) => gate.run(mode, safety),
    safetyInTransaction: () => gate.transact((scope) => scope(safety)),
  };
}

test("what is accepted waits for the disk, and the growing text of an answer does not", async (context) => {
  const { safetyOf, safetyInTransaction } = gateOf(context, "full");
  assert.equal(await safetyOf("write"), FULL);
  assert.equal(await safetyOf("stream"), NORMAL);
  assert.equal(await safetyInTransaction(), FULL);
  assert.equal(await safetyOf("stream"), NORMAL);
  assert.equal(await safetyOf("write"), FULL);
});

test("a store that is told so waits for the disk in no write", async (context) => {
  const { safetyOf, safetyInTransaction } = gateOf(context, "normal");
  assert.equal(await safetyOf("write"), NORMAL);
  assert.equal(await safetyInTransaction(), NORMAL);
});
