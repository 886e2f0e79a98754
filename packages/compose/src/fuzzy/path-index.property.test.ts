/** The rules of the search, each against a plain reading of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createPathIndex, type Hit } from "./path-index.ts";

const ALL = { limit: Number.POSITIVE_INFINITY };

/** Few characters, so that texts and queries meet; halves of characters are among them. */
const UNITS = [..."aabbcAB1_-./// kis", "é", "É", "ß", "İ", "\u212a", "😀", "\ud83d", "\ude00"];
const text = (maxLength: number) =>
  fc.array(fc.constantFrom(...UNITS), { maxLength }).map((units) => units.join(""));
const texts = fc.uniqueArray(text(18), { maxLength: 60 });
const query = text(6);
const anything = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 30 })
  .map((units) => String.fromCharCode(...units));

function fold(character: string): string {
  const lower = character.toLowerCase();
  return [...lower].length === 1 ? lower : character;
}

const isLarge = (character: string): boolean => fold(character) !== character;

function inOrder(characters: readonly string[], wanted: string, exact: boolean): boolean {
  let at = 0;
  return [...wanted].every((character) => {
    const fits = (other: string): boolean =>
      fold(other) === fold(character) && (!exact || isLarge(other) === isLarge(character));
    while (at < characters.length && !fits(characters[at] ?? "")) at += 1;
    at += 1;
    return at <= characters.length;
  });
}

function holdsTerm(path: string, term: string): boolean {
  const exact = [...term].some(isLarge);
  if (!term.includes("/")) return inOrder([...path], term, exact);
  const segments = path.split("/");
  let at = 0;
  return term.split("/").every((piece) => {
    while (at < segments.length && !inOrder([...(segments[at] ?? "")], piece, exact)) at += 1;
    at += 1;
    return at <= segments.length;
  });
}

const termsOf = (typed: string): readonly string[] => typed.split(/\s+/).filter(Boolean);

test("a search finds exactly the texts that hold every term", () => {
  fc.assert(
    fc.property(texts, query, (held, typed) => {
      const found = createPathIndex(held)
        .search(typed, ALL)
        .map(({ path }) => path);
      const expected = held.filter((path) => termsOf(typed).every((term) => holdsTerm(path, term)));
      assert.deepEqual(found.toSorted(), expected.toSorted());
    }),
    { numRuns: 600 },
  );
});

test("what is marked in a hit spells every term, and marks whole characters in order", () => {
  fc.assert(
    fc.property(texts, query, (held, typed) => {
      for (const { path, positions } of createPathIndex(held).search(typed, ALL)) {
        const marked = positions.map((at) => String.fromCodePoint(path.codePointAt(at) ?? 0));
        for (const term of termsOf(typed)) {
          assert.ok(inOrder(marked, term, [...term].some(isLarge)));
        }
        const starts = [...path].map((_, nth, all) => all.slice(0, nth).join("").length);
        assert.ok(positions.every((at, nth) => at > (positions[nth - 1] ?? -1)));
        assert.ok(positions.every((at) => starts.includes(at)));
      }
    }),
    { numRuns: 400 },
  );
});

test("a limit gives the beginning of the whole list", () => {
  fc.assert(
    fc.property(texts, query, fc.nat(8), (held, typed, limit) => {
      const whole = createPathIndex(held).search(typed, ALL);
      assert.deepEqual(createPathIndex(held).search(typed, { limit }), whole.slice(0, limit));
    }),
    { numRuns: 600 },
  );
});

test("scores fall, then texts grow, then code units rise", () => {
  fc.assert(
    fc.property(texts, query, (held, typed) => {
      const hits = createPathIndex(held).search(typed, ALL);
      const before = (one: Hit, other: Hit): boolean =>
        one.score !== other.score
          ? one.score > other.score
          : one.path.length !== other.path.length
            ? one.path.length < other.path.length
            : one.path < other.path;
      assert.ok(hits.every((hit, nth) => nth === 0 || before(hits[nth - 1] as Hit, hit)));
    }),
  );
});

test("the order in which texts came does not matter", () => {
  fc.assert(
    fc.property(texts, query, (held, typed) => {
      const backwards = createPathIndex([]);
      for (const path of held.toReversed()) backwards.add([path]);
      assert.deepEqual(backwards.search(typed), createPathIndex(held).search(typed));
    }),
  );
});

test("adding and then removing restores what is found", () => {
  fc.assert(
    fc.property(texts, texts, query, (held, others, typed) => {
      const fresh = others.filter((path) => !held.includes(path));
      const index = createPathIndex(held);
      const before = index.search(typed);
      index.add(fresh);
      index.remove(fresh);
      assert.deepEqual(index.search(typed), before);
      index.replace(others);
      assert.deepEqual(index.search(typed), createPathIndex(others).search(typed));
    }),
  );
});

test("typing and taking back finds what a fresh search finds", () => {
  fc.assert(
    fc.property(texts, fc.array(fc.tuple(query, fc.nat(7)), { maxLength: 4 }), (held, typings) => {
      const index = createPathIndex(held);
      for (const [typed, back] of typings) {
        const steps = Array.from({ length: typed.length + 1 }, (_, nth) => typed.slice(0, nth));
        for (const step of [...steps, ...steps.toReversed().slice(0, back)]) {
          assert.deepEqual(index.search(step, { limit: 4 }), freshly(held, step));
        }
      }
    }),
    { numRuns: 200 },
  );
});

const freshly = (held: readonly string[], typed: string): readonly Hit[] =>
  createPathIndex(held).search(typed, { limit: 4 });

test("slices of any size find what one search finds", () => {
  fc.assert(
    fc.property(texts, query, fc.integer({ min: -1, max: 9 }), (held, typed, sliceCount) => {
      const slices = createPathIndex(held).searchSlices(typed, { sliceCount });
      let step = slices.next();
      while (!step.done) step = slices.next();
      assert.deepEqual(step.value, createPathIndex(held).search(typed));
    }),
  );
});

test("no text and no query makes a search throw, and a text finds itself first", () => {
  fc.assert(
    fc.property(fc.uniqueArray(anything, { maxLength: 20 }), anything, (held, typed) => {
      const index = createPathIndex(held);
      index.search(typed);
      for (const path of held.filter((each) => each !== "" && !/\s/.test(each))) {
        assert.equal(index.search(path)[0]?.path, path);
      }
    }),
    { numRuns: 400 },
  );
});
