/** Each example runs alone, offline, and fails loudly when what it shows no longer holds. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { root } from "./repo-files.mjs";

const folder = join(root, "examples");
const names = existsSync(folder) ? readdirSync(folder).sort() : [];

for (const name of names.filter((each) => /^\d\d-[\w-]+\.ts$/.test(each))) {
  test(`example ${name} runs and its claims hold`, () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join("examples", name)], {
      cwd: root,
      encoding: "utf8",
      timeout: 60_000,
    });
    assert.equal(status, 0, stderr);
    assert.notEqual(stdout, "", "an example prints what a person wants to see");
  });
}

test("every program in examples is numbered, so that it is run here", () => {
  const strays = names.filter(
    (name) => /\.(ts|mjs|js)$/.test(name) && !/^\d\d-[\w-]+\.ts$/.test(name),
  );
  assert.deepEqual(strays, []);
});
