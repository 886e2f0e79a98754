import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { splitWords } from "./argv.ts";

const TABLE: readonly (readonly [string, readonly string[]])[] = [
  ["", []],
  ["   ", []],
  ["a b  c", ["a", "b", "c"]],
  ["a\tb\u00a0c\u3000d", ["a", "b", "c", "d"]],
  ['src/foo.ts critical "two words" x', ["src/foo.ts", "critical", "two words", "x"]],
  ["'two words' x", ["two words", "x"]],
  ['--msg="two words"', ["--msg=two words"]],
  ["--msg='two words'", ["--msg=two words"]],
  ['a"b c"d', ["ab cd"]],
  ['"" x', ["", "x"]],
  ["'' x", ["", "x"]],
  ['"say \\"hi\\" \\\\ \\n"', ['say "hi" \\ \\n']],
  ["a\\ b", ["a b"]],
  ["\\'tis", ["'tis"]],
  ["C:\\temp\\new.txt", ["C:\\temp\\new.txt"]],
  ["a\\", ["a\\"]],
  ["a\\\\", ["a\\"]],
  ["don't stop now", ["don't", "stop", "now"]],
  ["it's broken and doesn't work", ["it's", "broken", "and", "doesn't", "work"]],
  ["Ann's and Bob's end", ["Ann's", "and", "Bob's", "end"]],
  ["x'y z' w", ["x'y", "z'", "w"]],
  ["'don't stop' now", ["don't stop", "now"]],
  ["'tis the season, isn't it", ["'tis", "the", "season,", "isn't", "it"]],
  ['"unclosed rest', ['"unclosed', "rest"]],
  ["'unclosed rest", ["'unclosed", "rest"]],
  ['a "b" "c', ["a", "b", '"c']],
  ['{ "key": "value" }', ["{", "key:", "value", "}"]],
  ["$1 $(ls) `x` {{args}}", ["$1", "$(ls)", "`x`", "{{args}}"]],
];

for (const [raw, words] of TABLE) {
  test(`${JSON.stringify(raw)} is ${words.length} words`, () => {
    assert.deepEqual(splitWords(raw), words);
  });
}

test("words without quotes or backslashes are what lies between the spaces", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const raw = text.replace(/["'\\]/g, "");
      assert.deepEqual(splitWords(raw), raw.split(/\s+/u).filter(Boolean));
    }),
  );
});

test("a word in double quotes comes back whole, whatever is in it", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" })), (words) => {
      const raw = words.map((word) => `"${word.replace(/["\\]/g, "\\$&")}"`).join(" ");
      assert.deepEqual(splitWords(raw), words);
    }),
  );
});
