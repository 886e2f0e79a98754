/** No source file over 300 lines: where one wants to grow, a room is missing. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { codeFiles, root } from "./repo-files.mjs";

const LIMIT = 300;
const SUFFIXES = [".ts", ".tsx", ".mjs", ".js", ".css"];

const lines = (text: string): number => text.replace(/\n$/, "").split("\n").length;

function tooLong(paths: readonly string[], read: (path: string) => string): string[] {
  return paths
    .map((path) => ({ path, length: lines(read(path)) }))
    .filter(({ length }) => length > LIMIT)
    .map(({ path, length }) => `${path} has ${length} lines`);
}

test("no source file has more than 300 lines", () => {
  const paths = SUFFIXES.flatMap((suffix) => codeFiles(suffix));
  assert.ok(paths.includes("scripts/size.test.ts"), "the list of files is not empty");
  assert.deepEqual(
    tooLong(paths, (path) => readFileSync(join(root, path), "utf8")),
    [],
  );
});

test("the 301st line is one too many, and a final line break is not a line", () => {
  const files: Readonly<Record<string, string>> = {
    "a.ts": "x\n".repeat(300),
    "b.ts": "x\n".repeat(301),
    "c.ts": `${"x\n".repeat(300)}x`,
  };
  const expected = ["b.ts has 301 lines", "c.ts has 301 lines"];
  assert.deepEqual(
    tooLong(Object.keys(files), (path) => files[path] ?? ""),
    expected,
  );
});
