import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { lineCollector } from "./line-range.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (found: Uint8Array): string => new TextDecoder().decode(found);

function collect(content: string, start: number, end: number, max = 1000, cuts: number[] = []) {
  const collector = lineCollector({ start, end }, max);
  const all = bytes(content);
  const at = [0, ...cuts.map((cut) => cut % (all.length + 1)).sort((a, b) => a - b), all.length];
  // One array for all chunks, as a reader has it: what is kept must be a copy.
  const shared = new Uint8Array(all.length);
  for (let index = 1; index < at.length; index += 1) {
    const chunk = all.subarray(at[index - 1], at[index]);
    shared.set(chunk);
    collector.push(shared.subarray(0, chunk.length));
  }
  const { bytes: found, ...rest } = collector.finish(true);
  return { text: text(found), ...rest };
}

test("both ends of a range are included, with their line feeds", () => {
  assert.deepEqual(collect("1\n2\n3\n4\n", 2, 3), { text: "2\n3\n", last: 3, total: 4 });
});

test("a last line without a line feed is a line", () => {
  assert.deepEqual(collect("1\n2", 2, 2), { text: "2", last: 2, total: 2 });
});

test("a range past the end is clamped", () => {
  assert.deepEqual(collect("1\n2\n", 2, 9), { text: "2\n", last: 2, total: 2 });
});

test("a range wholly past the end holds nothing", () => {
  assert.deepEqual(collect("1\n2\n", 5, 9), { text: "", last: 2, total: 2 });
});

test("an empty file has no lines", () => {
  assert.deepEqual(collect("", 1, 1), { text: "", last: 0, total: 0 });
});

test("a range over the bound is cut after its last whole line", () => {
  const cut = collect("aaa\nbbb\nccc\nddd\n", 1, 4, 9);
  assert.deepEqual(cut, { text: "aaa\nbbb\n", last: 2, total: 4, cut: "between-lines" });
});

test("a line over the bound is cut between characters", () => {
  const cut = collect("äöü€𝄞\n", 1, 1, 10);
  assert.deepEqual(cut, { text: "äöü€", last: 1, total: 1, cut: "inside-a-line" });
});

test("a range that fits the bound to the byte is not cut", () => {
  assert.deepEqual(collect("aaa\nbbb\n", 1, 2, 8), { text: "aaa\nbbb\n", last: 2, total: 2 });
});

test("wherever the chunks end, the lines are those of the text split at line feeds", () => {
  const letter = fc.constantFrom("a", "ä", "𝄞", "\n", "\r", " ");
  fc.assert(
    fc.property(
      fc.array(letter).map((letters) => letters.join("")),
      fc.integer({ min: 1, max: 8 }),
      fc.nat({ max: 8 }),
      fc.array(fc.nat()),
      (content, start, more, cuts) => {
        const lines = content.split(/(?<=\n)/).filter((line) => line !== "");
        const found = collect(content, start, start + more, 1000, cuts);
        assert.equal(found.text, lines.slice(start - 1, start + more).join(""));
        assert.equal(found.total, lines.length);
      },
    ),
  );
});
