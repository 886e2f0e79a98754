import assert from "node:assert/strict";
import { test } from "node:test";
import { codeSpansOf, fencesOf, regionReader } from "./code-regions.ts";

const cut = (text: string, regions: readonly { from: number; to: number }[]): string[] =>
  regions.map(({ from, to }) => text.slice(from, to));

const FENCES: readonly (readonly [string, readonly string[]])[] = [
  ["no fence", []],
  ["a\n```\nx\n```\nb", ["```\nx\n```"]],
  ["```ts x\n``\n````\nb", ["```ts x\n``\n````"]],
  ["````\n```\n````", ["````\n```\n````"]],
  ["~~~\n```\n~~~", ["~~~\n```\n~~~"]],
  ["   ```\nx\n  ```\r\ny", ["   ```\nx\n  ```\r"]],
  ["    ```\nx", []],
  ["``` a`b\nx", []],
  ["```\nnever closed", ["```\nnever closed"]],
  ["```\nx\n``` not a close\n```", ["```\nx\n``` not a close\n```"]],
];

for (const [text, expected] of FENCES) {
  test(`the fences of ${JSON.stringify(text)}`, () => {
    assert.deepEqual(cut(text, fencesOf(text)), expected);
  });
}

const SPANS: readonly (readonly [string, readonly string[]])[] = [
  ["a `b` c", ["`b`"]],
  ["`` a`b `` `c`", ["`` a`b ``", "`c`"]],
  ["` ``", []],
  ["`a\nb`", ["`a\nb`"]],
  ["`a\n \nb`", []],
  ["```a```", ["```a```"]],
  ["`a `` b`", ["`a `` b`"]],
];

for (const [text, expected] of SPANS) {
  test(`the code spans of ${JSON.stringify(text)}`, () => {
    assert.deepEqual(cut(text, codeSpansOf(text, [])), expected);
  });
}

test("a block ends a paragraph, so no span reaches over it", () => {
  assert.deepEqual(codeSpansOf("a ` BLOCK ` b", [{ from: 4, to: 9 }]), []);
});

test("a reader answers for positions in order", () => {
  const inside = regionReader([
    { from: 1, to: 3 },
    { from: 5, to: 6 },
  ]);
  assert.deepEqual([0, 1, 2, 3, 5, 6].map(inside), [false, true, true, false, true, false]);
});
