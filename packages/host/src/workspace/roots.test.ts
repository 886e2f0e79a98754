/** Where an open file lies is asked of the file, not of the path that led to it. */
import assert from "node:assert/strict";
import { mkdir, open, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { tempFolder } from "../testing/temp-folder.ts";
import { liesInside, OUTSIDE, openInside } from "./roots.ts";

test("a file that was opened outside is not inside, whatever its path says now", async (t) => {
  const top = await tempFolder(t);
  const root = join(top, "ws");
  await mkdir(root);
  await writeFile(join(top, "secret.txt"), "secret");
  await writeFile(join(root, "a.txt"), "open");
  const outside = await open(join(top, "secret.txt"));
  const inside = await open(join(root, "a.txt"));
  try {
    // As if a folder on the way had been swapped for a link between the check and the open.
    assert.equal(await liesInside(root, outside, join(root, "a.txt")), false);
    assert.equal(await liesInside(root, inside, join(root, "a.txt")), true);
  } finally {
    await outside.close();
    await inside.close();
  }
});

test("a link that leads out is refused, and one that stays inside is opened", async (t) => {
  const top = await tempFolder(t);
  const root = join(top, "ws");
  await mkdir(root);
  await writeFile(join(top, "secret.txt"), "secret");
  await writeFile(join(root, "a.txt"), "open");
  await symlink(join(top, "secret.txt"), join(root, "out"));
  await symlink("a.txt", join(root, "in"));
  assert.deepEqual(await openInside(root, "out"), { ok: false, reason: OUTSIDE });
  const opened = await openInside(root, "in");
  assert.ok(opened.ok);
  await opened.handle.close();
});
