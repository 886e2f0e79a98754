import assert from "node:assert/strict";
import { test } from "node:test";
import { fitsCommand } from "./command-pattern.ts";

const ALLOWED: readonly (readonly [string, string, boolean])[] = [
  ["git *", "git status", true],
  ["git *", "git add src/a.ts", true],
  ["git *", "gitx status", false],
  ["npm test", "npm test", true],
  ["npm test", "npm test; rm -rf ~", false],
  ["git *", "git status; rm -rf x", false],
  ["git *", "git log && rm x", false],
  ["git *", "git log | sh", false],
  ["git *", "git log $(rm x)", false],
  ["git *", "git log `rm x`", false],
  ["git *", "git log > /etc/x", false],
  ["git *", "git log\nrm x", false],
  ["git *", "git log\\\nrm x", false],
  ["git *", "git -c core.pager=x log", false],
  ["*test*", "npm run test-all", true],
  ["a*b*c", "abc", true],
  ["a*b*c", "acb", false],
  ["ab*bc", "abc", false],
  ["ls; pwd", "ls; pwd", true],
];

for (const [pattern, command, fits] of ALLOWED) {
  test(`${pattern} ${fits ? "allows" : "does not allow"} ${JSON.stringify(command)}`, () => {
    assert.equal(fitsCommand(pattern, command, "allow"), fits);
  });
}

test("a denial is about any piece of a line", () => {
  for (const line of [
    "rm -rf x",
    "ls; rm -rf x",
    "ls && rm x",
    "(rm x)",
    "echo $(rm x)",
    "a\nrm x",
  ]) {
    assert.equal(fitsCommand("rm *", line, "deny"), true, line);
    assert.equal(fitsCommand("rm *", line, "ask"), true, line);
  }
  assert.equal(fitsCommand("rm *", "echo farm x", "deny"), false);
});
