import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { tempFolder } from "../testing/temp-folder.ts";
import { scratchFolders } from "./scratch.ts";

test("a session's folder is made when it is needed and goes with the session", async (t) => {
  const home = await tempFolder(t);
  const scratch = scratchFolders(home);
  assert.equal(existsSync(join(home, "scratch")), false);
  const folder = await scratch.open("ses_a");
  assert.equal(folder, join(home, "scratch", "ses_a"));
  await writeFile(join(folder, "x"), "x");
  await scratch.remove("ses_a");
  await scratch.remove("ses_a");
  assert.equal(existsSync(folder), false);
});

test("an id that is a path is no id", async (t) => {
  const scratch = scratchFolders(await tempFolder(t));
  for (const id of ["ses_/../..", "..", "ses_a/b"]) assert.throws(() => scratch.folderOf(id));
});

test("removing follows no link", async (t) => {
  const home = await tempFolder(t, { "keep/a": "a" });
  const scratch = scratchFolders(home);
  const folder = await scratch.open("ses_a");
  await symlink(join(home, "keep"), join(folder, "link"));
  await symlink(join(home, "keep"), join(home, "scratch", "ses_b"));
  await scratch.remove("ses_a");
  await scratch.remove("ses_b");
  assert.equal(await readFile(join(home, "keep/a"), "utf8"), "a");
});

test("every file takes room, also an empty one", async (t) => {
  const scratch = scratchFolders(await tempFolder(t), 100_000);
  assert.equal(await scratch.room("ses_a"), 100_000);
  const folder = await scratch.open("ses_a");
  await mkdir(join(folder, "d"));
  await writeFile(join(folder, "d", "empty"), "");
  await writeFile(join(folder, "d", "small"), "x");
  assert.equal(await scratch.room("ses_a"), 100_000 - 4096 - 4096 - 8192);
});
