/** The drawn body is the body: nothing is added, nothing is lost, and bytes find their part. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { layOut, ownersOf } from "./body-layout.js";

const outcome = (part: number, ...bytes: [number, number][]) => ({
  part,
  type: "text",
  outcome: "text" as const,
  bytes,
});

const textOf = (lines: ReturnType<typeof layOut>): string =>
  lines.flatMap(({ runs }) => runs.map(({ text }) => text)).join("");

test("joining the runs of any JSON gives the body back", () => {
  fc.assert(
    fc.property(fc.json(), (body) => {
      assert.equal(textOf(layOut(body, [])), body);
    }),
  );
});

test("a long object is drawn one entry a line, a short one stays on its line", () => {
  const body = `{"model":"m","messages":[{"role":"user","content":"${"word ".repeat(20)}"}],"x":{"y":[1,2]}}`;
  assert.deepEqual(
    layOut(body, []).map(({ depth, runs }) => `${depth} ${runs.map(({ text }) => text).join("")}`),
    [
      "0 {",
      '1 "model":"m",',
      '1 "messages":[',
      "2 {",
      '3 "role":"user",',
      `3 "content":"${"word ".repeat(20)}"`,
      "2 }",
      "1 ],",
      '1 "x":{"y":[1,2]}',
      "0 }",
    ],
  );
});

test("brackets and commas inside strings draw nothing", () => {
  const body = JSON.stringify(['{,}[\\"]'.repeat(12)]);
  assert.deepEqual(
    layOut(body, []).map(({ runs }) => runs.map(({ text }) => text).join("")),
    ["[", body.slice(1, -1), "]"],
  );
});

test("byte ranges become character ranges, whatever the characters weigh", () => {
  const body = '["é","😀","x"]';
  const ranges = ownersOf(body, [outcome(0, [1, 5]), outcome(1, [6, 12]), outcome(2, [13, 16])]);
  assert.deepEqual(
    ranges.map(({ part, start, end }) => `${part} ${body.slice(start, end)}`),
    ['0 "é"', '1 "😀"', '2 "x"'],
  );
});

test("each run knows its part, the inner one where two nest", () => {
  const runs = layOut("abcdef", [outcome(0, [0, 6]), outcome(1, [2, 4])]).flatMap(
    (line) => line.runs,
  );
  assert.deepEqual(
    runs.map(({ text, part }) => `${text} ${part}`),
    ["ab 0", "cd 1", "ef 0"],
  );
});

test("a part in two places is found in both", () => {
  const runs = layOut("abcdef", [outcome(3, [0, 2], [4, 6])]).flatMap((line) => line.runs);
  assert.deepEqual(
    runs.map(({ text, part }) => `${text} ${part}`),
    ["ab 3", "cd undefined", "ef 3"],
  );
});

test("the middle of a run of base64 is folded and counted, its ends are shown", () => {
  const runs = layOut(`{"data":"${"QUJD".repeat(100)}=="}`, []).flatMap((line) => line.runs);
  assert.deepEqual(
    runs.map(({ text, kind }) => `${kind} ${text.length}`),
    ["plain 1", "key 6", "plain 18", "fold 370", "plain 17", "plain 1"],
  );
});

test("megabytes of base64 are folded like a line of it", () => {
  const runs = layOut(`{"data":"${"QUJD".repeat(2_000_000)}"}`, []).flatMap((line) => line.runs);
  assert.deepEqual(
    runs.filter(({ kind }) => kind === "fold").map(({ text }) => text.length),
    [7_999_968],
  );
});

test("prose is never folded", () => {
  const runs = layOut(JSON.stringify(["some words ".repeat(100)]), []).flatMap((line) => line.runs);
  assert.deepEqual(
    runs.filter(({ kind }) => kind === "fold"),
    [],
  );
});
