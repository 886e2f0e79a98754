/** One ignore file, rule by rule. That git reads the same is proved in `walk-git.test.ts`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { decide, readRules } from "./walk-ignore.ts";

const bytes = (text: string): string => Buffer.from(text).toString("latin1");

function says(rules: string, path: string): string {
  const file = readRules(bytes(rules), "", undefined);
  const isDirectory = path.endsWith("/");
  return decide(file, bytes(isDirectory ? path.slice(0, -1) : path), isDirectory) ?? "nothing";
}

type Row = readonly [rules: string, path: string, verdict: "ignored" | "kept" | "nothing"];

const ROWS: readonly Row[] = [
  ["a.log", "a.log", "ignored"],
  ["a.log", "deep/down/a.log", "ignored"],
  ["a.log", "a.logs", "nothing"],
  ["/a.log", "deep/a.log", "nothing"],
  ["deep/a.log", "x/deep/a.log", "nothing"],
  ["build/", "build/", "ignored"],
  ["build/", "build", "nothing"],
  ["build/", "x/build/", "ignored"],
  ["*.log", "x/a.log", "ignored"],
  ["*.log", ".log", "ignored"],
  ["x/*.log", "x/y/a.log", "nothing"],
  ["a?c", "abc", "ignored"],
  ["a?c", "a/c", "nothing"],
  ["?", "é", "nothing"],
  ["??", "é", "ignored"],
  ["[a-c]x", "bx", "ignored"],
  ["[!a-c]x", "bx", "nothing"],
  ["[^a-c]x", "dx", "ignored"],
  ["[]-]x", "]x", "ignored"],
  ["[]-]x", "-x", "ignored"],
  ["[[:digit:]]", "7", "ignored"],
  ["[[:digit:]]", "x", "nothing"],
  ["[[:nope:]]", "n", "nothing"],
  ["[abc", "a", "nothing"],
  ["a[/]b", "a/b", "nothing"],
  ["**/x", "x", "ignored"],
  ["**/x", "a/b/x", "ignored"],
  ["a/**", "a/b/c", "ignored"],
  ["a/**", "a/", "nothing"],
  ["a/**/b", "a/b", "ignored"],
  ["a/**/b", "a/x/y/b", "ignored"],
  ["a**/b", "ax/y/b", "ignored"],
  ["x/a**b", "x/a/b", "nothing"],
  ["*.log\n!keep.log", "keep.log", "kept"],
  ["!keep.log\n*.log", "keep.log", "ignored"],
  ["\\!a", "!a", "ignored"],
  ["\\#a", "#a", "ignored"],
  ["#a", "#a", "nothing"],
  ["a  ", "a", "ignored"],
  ["a\\ ", "a ", "ignored"],
  ["a\\  ", "a ", "ignored"],
  ["a\r\nb", "a", "ignored"],
  ["a\\", "a", "nothing"],
  ["\ufeffa", "a", "ignored"],
  ["/", "a", "nothing"],
  ["!", "a", "nothing"],
  ["A", "a", "nothing"],
  ["constructor", "toString", "nothing"],
];

for (const [rules, path, verdict] of ROWS) {
  test(`${JSON.stringify(rules)} says ${verdict} of ${JSON.stringify(path)}`, () => {
    assert.equal(says(rules, path), verdict);
  });
}

test("the file nearest to a path has the last word, and is silent where it says nothing", () => {
  const outer = readRules("*.log\nb/c/x", "", undefined);
  const inner = readRules("!a.log\n/x", "b/", outer);
  assert.equal(decide(inner, "b/a.log", false), "kept");
  assert.equal(decide(inner, "b/z.log", false), "ignored");
  assert.equal(decide(inner, "b/x", false), "ignored");
  assert.equal(decide(inner, "b/c/x", false), "ignored");
  assert.equal(decide(inner, "b/c/y", false), undefined);
});

test("a name that is spelled out does not hide a later pattern, nor an earlier one it", () => {
  assert.equal(says("a.log\n!*.log", "a.log"), "kept");
  assert.equal(says("!*.log\na.log", "a.log"), "ignored");
  assert.equal(says("a.log\n!a.log/", "a.log"), "ignored");
  assert.equal(says("a.log\n!a.log/", "a.log/"), "kept");
});

test("a pattern made to be slow comes to an end", () => {
  const name = "a".repeat(250);
  assert.equal(says(`${"*a".repeat(100)}b`, name), "nothing");
  assert.equal(says(`${"**/".repeat(60)}b`, Array(60).fill("a").join("/")), "nothing");
  assert.equal(says(`${"**/*a*/".repeat(20)}b`, Array(60).fill("aaa").join("/")), "nothing");
});
