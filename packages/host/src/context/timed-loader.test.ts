import assert from "node:assert/strict";
import { test } from "node:test";
import type { Loader } from "@galley/assemble";
import { timedLoader } from "./timed-loader.ts";

const never = (): Promise<never> => new Promise(() => {});
const HANGS: Loader = {
  read: never,
  readRange: never,
  directoryProblem: never,
  skillProblem: never,
  entity: never,
};
const REF = { kind: "path", path: "a" } as const;

test("what hangs is cut off, and says so in place of its content", async () => {
  const loader = timedLoader(HANGS, 1);
  const late = { kind: "unavailable", reason: "it was not read within 1 ms" };
  assert.deepEqual(await loader.read(REF, 9), late);
  assert.deepEqual(await loader.readRange(REF, { start: 1, end: 2 }, 9), late);
  assert.equal(await loader.directoryProblem("a"), late.reason);
  assert.equal(await loader.skillProblem?.("a"), late.reason);
  assert.equal(await loader.entity?.({ kind: "node" }), undefined);
});

test("what is there in time is handed on, failures too", async () => {
  const broken = new Error("broken");
  const loader = timedLoader({
    read: async () => ({ kind: "whole", bytes: new Uint8Array([1]) }),
    readRange: () => Promise.reject(broken),
    directoryProblem: async () => undefined,
  });
  assert.deepEqual(await loader.read(REF, 9), { kind: "whole", bytes: new Uint8Array([1]) });
  await assert.rejects(loader.readRange(REF, { start: 1, end: 2 }, 9), broken);
  assert.equal(await loader.directoryProblem("a"), undefined);
  assert.equal(loader.skillProblem, undefined);
});
