/** The quick score, the traced way and the ceiling keep each other honest. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createAligner, layOut } from "./align.ts";
import { createCeiling } from "./ceiling.ts";
import { contains } from "./contains.ts";
import { readQuery, type Term } from "./query.ts";
import { append, createStore } from "./store.ts";
import { traceWay } from "./trace.ts";

const UNITS = [..."aaabbcdAB12_-.//", "é", "É", "😀"];
const text = (minLength: number, maxLength: number) =>
  fc
    .array(fc.constantFrom(...UNITS), { minLength, maxLength })
    .map((characters) => characters.join(""));

function laid(path: string, word: string) {
  const store = createStore();
  // A neighbour before it: the places of a text do not begin at 0.
  append(store, "neighbour/a", 0);
  const slot = append(store, path, 0);
  const term = readQuery(word).terms[0] as Term;
  const earliest = new Int32Array(term.length);
  const [from = 0, to = 0] = store.starts.subarray(slot, slot + 2);
  const held = contains(store, from, to, term, earliest);
  return { store, slot, term, earliest, to, held };
}

test("the traced way has the score that was told, and no way has more than the ceiling", () => {
  let held = 0;
  fc.assert(
    fc.property(text(1, 40), text(1, 6), (path, word) => {
      const { store, slot, term, earliest, to, held: holds } = laid(path, word);
      fc.pre(holds);
      held += 1;
      const score = createAligner(term).score(store, to, earliest);
      const way = traceWay(store, to, term, earliest);
      assert.equal(layOut(store, term, way), score);
      assert.ok(createCeiling(term).of(store, slot, score) >= score);
    }),
    { numRuns: 3000, maxSkipsPerRun: 1000 },
  );
  assert.equal(held, 3000);
});

test("a run at the start of the name is worth more than the same run elsewhere", () => {
  const score = (path: string, word: string): number => {
    const { store, term, earliest, to } = laid(path, word);
    return createAligner(term).score(store, to, earliest);
  };
  // Each character 32; at the name's start 28 each and the first twice; 22 at the path's, 20 at a
  // segment's; inside a name 4, or 10 when it continues a run.
  assert.equal(score("x/ab", "ab"), 32 * 2 + 28 * 3);
  assert.equal(score("ab/x", "ab"), 32 * 2 + 22 * 3);
  assert.equal(score("x/ab/y", "ab"), 32 * 2 + 20 * 3);
  assert.equal(score("x/cab", "ab"), 32 * 2 + 4 * 2 + 10);
  assert.equal(score("x/acb", "ab"), 32 * 2 + 28 * 2 + 4 - 14 - 1);
});

test("a text too long to be aligned is laid out as it was found", () => {
  const { store, term, earliest, to } = laid(`${"ab".repeat(20_000)}/ab`, "ab");
  assert.equal(createAligner(term).score(store, to, earliest), 32 * 2 + 22 * 3);
  assert.deepEqual([...traceWay(store, to, term, earliest)], [...earliest]);
});
