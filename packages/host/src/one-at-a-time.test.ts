import assert from "node:assert/strict";
import { test } from "node:test";
import { oneAtATime } from "./one-at-a-time.ts";

test("work on one key waits, work on another does not, and a failure holds up nobody", async () => {
  const inTurn = oneAtATime();
  const gate = Promise.withResolvers<void>();
  const seen: string[] = [];
  const note = (name: string) => async () => void seen.push(name);
  const first = inTurn("a", async () => {
    await gate.promise;
    seen.push("a1");
    throw new Error("no");
  });
  const failed = assert.rejects(first, /no/);
  const second = inTurn("a", note("a2"));
  await inTurn("b", note("b"));
  assert.deepEqual(seen, ["b"]);
  gate.resolve();
  await Promise.all([failed, second]);
  assert.deepEqual(seen, ["b", "a1", "a2"]);
});
