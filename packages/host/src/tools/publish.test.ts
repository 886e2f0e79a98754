import assert from "node:assert/strict";
import { mkdir, readdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { publish, stampOf } from "./publish.ts";
import { placesIn } from "./test-places.ts";
import { openPlace } from "./write-place.ts";

test("a file that somebody else changed meanwhile is left as they made it", async (t) => {
  const { root } = await placesIn(t, { a: "one" });
  for (const name of ["a", "new"]) {
    const place = await openPlace({ root, path: name, isScratch: false });
    assert.ok(place.ok);
    const before = await stampOf(place);
    await writeFile(join(root, name), "theirs");
    assert.deepEqual(await publish(place, before, Buffer.from("ours")), {
      ok: false,
      reason: "it was changed by somebody else meanwhile; nothing was written",
    });
    await place.handle.close();
    assert.equal(await readFile(join(root, name), "utf8"), "theirs");
  }
  assert.deepEqual(await readdir(root), ["a", "new"]);
});

test("a folder that becomes a link after it was opened does not lead the file away", {
  skip: process.platform !== "linux" && "only Linux lets a path begin at an open folder",
}, async (t) => {
  const { root, home } = await placesIn(t, { "d/x": "" });
  await mkdir(join(home, "out"));
  const place = await openPlace({ root, path: "d/n/new", isScratch: false });
  assert.ok(place.ok);
  await rename(join(root, "d"), join(root, "aside"));
  await symlink(join(home, "out"), join(root, "d"));
  await mkdir(join(home, "out/n"));
  assert.deepEqual(await publish(place, undefined, Buffer.from("ours")), { ok: true });
  await place.handle.close();
  assert.deepEqual(await readdir(join(home, "out/n")), []);
  assert.equal(await readFile(join(root, "aside/n/new"), "utf8"), "ours");
});
