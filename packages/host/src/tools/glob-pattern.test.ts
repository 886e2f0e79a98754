import assert from "node:assert/strict";
import { test } from "node:test";
import { readGlob } from "./glob-pattern.ts";

function fits(pattern: string, path: string): boolean {
  const glob = readGlob(pattern);
  assert.ok(glob.ok, pattern);
  return glob.fits(path.replace(/\/$/, ""), path.endsWith("/"));
}

const CASES: readonly (readonly [pattern: string, path: string, fits: boolean])[] = [
  ["*.ts", "a.ts", true],
  ["*.ts", "src/deep/a.ts", true],
  ["/*.ts", "src/a.ts", false],
  ["./*.ts", "a.ts", true],
  ["./*.ts", "src/a.ts", false],
  ["src/*.ts", "src/a.ts", true],
  ["src/*.ts", "src/b/a.ts", false],
  ["src/**/*.ts", "src/a.ts", true],
  ["src/**/*.ts", "src/b/c/a.ts", true],
  ["**/test/*", "a/test/b", true],
  ["*.{ts,tsx}", "a.tsx", true],
  ["*.{ts,tsx}", "a.js", false],
  ["{src,lib}/**/{a,b}.{ts,js}", "lib/x/b.js", true],
  ["a{b{c,d},e}", "abd", true],
  ["a{b{c,d},e}", "ae", true],
  ["{src/**,*.md}", "docs/a.md", true],
  ["a{b}", "a{b}", true],
  ["a\\{b,c}", "a{b,c}", true],
  ["src/", "src/", true],
  ["src/", "src", false],
  ["[ab].txt", "b.txt", true],
  ["?.txt", "a.txt", true],
  ["ä*", "äb", true],
];

for (const [pattern, path, expected] of CASES) {
  test(`${pattern} ${expected ? "fits" : "does not fit"} ${path}`, () => {
    assert.equal(fits(pattern, path), expected);
  });
}

test("a pattern that cannot be used says why", () => {
  const reason = (pattern: string) => {
    const glob = readGlob(pattern);
    return glob.ok ? "" : glob.reason;
  };
  assert.equal(reason("../*"), "`..` matches nothing: give the folder as `path`");
  assert.equal(reason("[a"), "a bracket or a backslash is not complete");
  assert.equal(reason("{a,b}".repeat(7)), "its braces stand for more than 100 patterns");
  assert.equal(reason("a".repeat(1001)), "it is longer than 1000 characters");
});
