/** The door of the command line, copied beside a stand-in for src/cli/main.ts. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { root } from "./repo-files.mjs";

const door = join(root, "packages", "host", "bin", "galley.mjs");

function runDoor(main: string, args: readonly string[]): { status: number | null; stdout: string } {
  const folder = mkdtempSync(join(tmpdir(), "galley-bin-"));
  try {
    for (const inner of ["bin", "src/cli"]) mkdirSync(join(folder, inner), { recursive: true });
    copyFileSync(door, join(folder, "bin", "galley.mjs"));
    writeFileSync(join(folder, "src", "cli", "main.ts"), main);
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    return spawnSync(process.execPath, [join(folder, "bin", "galley.mjs"), ...args], {
      encoding: "utf8",
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("main gets the words of the command line, and its number is the exit code", () => {
  const main = `export async function main(words: string[]): Promise<number> {
    console.log(JSON.stringify(words));
    return 2;
  }`;
  const { status, stdout } = runDoor(main, ["compose", "--json", "a b"]);
  assert.equal(stdout, '["compose","--json","a b"]\n');
  assert.equal(status, 2);
});

test("the door can be executed", { skip: process.platform === "win32" && "no file modes" }, () => {
  assert.equal(statSync(door).mode & 0o111, 0o111);
});
