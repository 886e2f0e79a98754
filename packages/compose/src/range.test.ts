import assert from "node:assert/strict";
import { test } from "node:test";
import { findRef, readRef, splitRange } from "./range.ts";

const LINES: readonly (readonly [string, number, number])[] = [
  ["a.ts:10", 10, 10],
  ["a.ts:10-25", 10, 25],
  ["a.ts:L10-L25", 10, 25],
  ["a.ts#L10", 10, 10],
  ["a.ts#L10-L25", 10, 25],
  ["a.ts#L10-25", 10, 25],
  ["a.ts#10-25", 10, 25],
  ["a.ts#L10:25", 10, 25],
  ["a.ts#L10:L25", 10, 25],
  ["a.ts:7-7", 7, 7],
];

for (const [text, start, end] of LINES) {
  test(`${text} is lines ${start} to ${end} of a.ts`, () => {
    assert.deepEqual(splitRange(text), { path: "a.ts", range: { start, end } });
  });
}

const NOT_RANGES = [
  "a.ts",
  "a.ts:",
  "a.ts:0",
  "a.ts:25-10",
  "a.ts:10:25",
  "a.ts#",
  "a.ts#Lx",
  ":10",
  "#L3",
  "a:1234567890",
];

for (const text of NOT_RANGES) {
  test(`${text} has no range`, () => assert.equal(splitRange(text), undefined));
}

const holds =
  (...paths: string[]) =>
  (path: string): boolean =>
    paths.includes(path);

test("a file whose own name looks like a range wins over the range", async () => {
  const both = holds("a.ts", "a.ts:10-25");
  assert.deepEqual(await findRef("a.ts:10-25", both), { path: "a.ts:10-25" });
  assert.deepEqual(await findRef("a.ts:10-25", holds("a.ts")), {
    path: "a.ts",
    range: { start: 10, end: 25 },
  });
});

test("what is not there is not found", async () => {
  assert.equal(await findRef("b.ts:10", holds("a.ts")), undefined);
  assert.equal(await findRef("", holds("")), undefined);
});

test("a reference that must be one keeps its range though nothing is there", async () => {
  assert.deepEqual(await readRef("gone.ts#L3-4", holds()), {
    path: "gone.ts",
    range: { start: 3, end: 4 },
  });
  assert.deepEqual(await readRef("gone.ts", holds()), { path: "gone.ts" });
});

test("existence may be asked of a disk", async () => {
  const later = async (path: string) => path === "a.ts";
  assert.deepEqual(await findRef("a.ts:2", later), { path: "a.ts", range: { start: 2, end: 2 } });
});
