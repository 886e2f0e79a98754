import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import fc from "fast-check";
import { readArgs } from "../command/bind.ts";
import { expandTemplate } from "./expand.ts";
import { parseTemplate } from "./parse.ts";
import { placeAfter, quoteWords } from "./shell-place.ts";

const PLACES: readonly (readonly [string, string])[] = [
  ["grep ", "bare"],
  ['grep "', "double"],
  ["grep '", "single"],
  ["grep 'a' ", "bare"],
  ['grep "a" "b', "double"],
  ["grep '\"' ", "bare"],
  ['grep "\'" ', "bare"],
  ["grep \\' ", "bare"],
  ['grep "\\"', "double"],
  ["echo $HOME ", "bare"],
  ["echo a#b ", "bare"],
  ["echo $(", "unsafe"],
  ['echo "$(', "unsafe"],
  ["echo '$(' ", "bare"],
  ["echo `", "unsafe"],
  ["echo ${x} ", "unsafe"],
  ["echo $'", "unsafe"],
  ["echo $", "unsafe"],
  ['echo "$', "double"],
  ["echo $[", "unsafe"],
  ["cat <<E ", "unsafe"],
  ['echo "<<" ', "bare"],
  ["(( ", "unsafe"],
  ["echo # ", "unsafe"],
  ["# ", "unsafe"],
  ["echo \\", "unsafe"],
];

for (const [text, place] of PLACES) {
  test(`after ${text} an argument stands ${place}`, () => {
    assert.equal(placeAfter(text, "bare"), place);
  });
}

test("an argument closes and re-opens the quotes around it", () => {
  assert.equal(quoteWords(["a b", "it's"], "bare"), "'a b' 'it'\\''s'");
  assert.equal(quoteWords(["a"], "double"), `"'a'"`);
  assert.equal(quoteWords(["a"], "single"), "''a''");
});

/** The commands that a template asks the host to run. */
async function commandsOf(text: string, raw: string): Promise<string[]> {
  const heard: string[] = [];
  await expandTemplate(parseTemplate(text, "galley"), readArgs(raw), {
    kindOf: async () => undefined,
    shell: async (command) => {
      heard.push(command);
      return { ok: true, output: "" };
    },
  });
  return heard;
}

test("a real shell reads each argument back as it was, in every place", async () => {
  const argument = fc.string({ unit: "binary" }).filter((text) => text.isWellFormed());
  const samples = fc
    .sample(fc.tuple(argument, argument), { numRuns: 60, seed: 7 })
    .map(([one, two]) => [one, two].map((each) => each.replace(/[\0\n]/g, "")))
    .concat([
      ["$(id)", "`id`"],
      ["'; id; '", '"; id; "'],
      ["\\", "\\'"],
      ["-n", "*"],
      ["", "$1"],
    ]);
  const script: string[] = [];
  const expected: string[] = [];
  for (const [one = "", two = ""] of samples) {
    const raw = [one, two].map((word) => `"${word.replace(/["\\]/g, "\\$&")}"`).join(" ");
    const text = "!`printf '%s\\n' $1 \"$2\" '$1' \"a$1'b'\" x$2 $ARGUMENTS`";
    script.push(...(await commandsOf(text, raw)));
    expected.push(one, two, one, `a${one}'b'`, `x${two}`, one, two);
  }
  const output = execFileSync("/bin/sh", ["-s"], { input: script.join("\n"), encoding: "utf8" });
  assert.equal(output, expected.map((line) => `${line}\n`).join(""));
});

test("an argument that has no safe place, or a NUL in it, is not passed", async () => {
  assert.deepEqual(await commandsOf("!`echo $(cat $1)`", "x"), []);
  assert.deepEqual(await commandsOf("!`echo $1`", "a\0b"), []);
  assert.deepEqual(await commandsOf("!`echo $1 $(date)`", "x"), ["echo 'x' $(date)"]);
});
