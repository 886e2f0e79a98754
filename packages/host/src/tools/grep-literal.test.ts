import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { requiredBytes } from "./grep-literal.ts";

const TEXTS: readonly (readonly [string, string | undefined])[] = [
  ["needle", "needle"],
  ["func\\w+ none\\d+\\(", " none"],
  ["a\\.b\\.c", "a.b.c"],
  ["abc?def", "def"],
  ["abc*", "ab"],
  ["abc+d", "abc"],
  ["abc{0}de", "ab"],
  ["(foo)bar", "bar"],
  ["(?<=foo)bar(?!baz)", "bar"],
  ["[abc]def[^]]gh", "def"],
  ["foo|bar", undefined],
  ["(foo|bar)quux", "quux"],
  ["\\u0041bc", undefined],
  ["abc\\u0041", "abc"],
  ["naïve", "naïve"],
  ["🙂🙂?ab", "🙂"],
  ["a", undefined],
  [".*", undefined],
  ["x\ufffdy", undefined],
  ["[)]foo", "foo"],
  ["(a[)]|b)foo", "foo"],
];

for (const [source, text] of TEXTS) {
  test(`what ${source} needs is ${text ?? "not sure"}`, () => {
    const bytes = requiredBytes(source, "u");
    assert.equal(bytes && Buffer.from(bytes).toString(), text);
  });
}

test("nothing is sure where capitals and small letters are alike", () => {
  assert.equal(requiredBytes("needle", "iu"), undefined);
});

test("whatever a pattern matches holds what it needs", () => {
  const piece = fc.constantFrom(
    ..."a b ab . \\. \\( a? b* a+ a{2} a{0,1} (ab) (a|b) (?:b)? [ab] [^a] \\w \\b ^ $ a|b é".split(
      " ",
    ),
  );
  const text = fc.string({ unit: fc.constantFrom(..."ab.(é ") });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), text, (pieces, line) => {
      const source = pieces.join("");
      let regex: RegExp;
      try {
        regex = new RegExp(source, "u");
      } catch (error) {
        // Pieces side by side that make no pattern.
        assert.ok(error instanceof SyntaxError);
        return;
      }
      const needed = requiredBytes(source, "u");
      if (regex.test(line) && needed) assert.ok(Buffer.from(line).includes(needed), source);
    }),
    { numRuns: 3000, seed: 7 },
  );
});
