import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { tempFolder } from "../testing/temp-folder.ts";
import { STALE_MS, workspaceSearch } from "./workspace-search.ts";

async function searched(t: Parameters<typeof tempFolder>[0]) {
  const workspace = await tempFolder(t, {
    "src/loop.ts": "",
    "src/deep/looper.test.ts": "",
    "hidden/loop.ts": "",
    ".agentsignore": "hidden/\n",
  });
  const clock = { ms: 0 };
  const search = workspaceSearch(workspace, () => clock.ms);
  const find = async (query: string) => (await search.find(query, {})).hits.map(({ path }) => path);
  return { workspace, clock, search, find };
}

test("files and folders are found by words in them, the nearest name first", async (t) => {
  const { find } = await searched(t);
  assert.deepEqual(await find("loop"), ["src/loop.ts", "src/deep/looper.test.ts"]);
  assert.deepEqual(await find("deep"), ["src/deep/", "src/deep/looper.test.ts"]);
  assert.deepEqual(await find("test src"), ["src/deep/looper.test.ts"]);
  assert.deepEqual(await find("nothing"), []);
});

test("a list is used until it is old, and then made anew", async (t) => {
  const { workspace, clock, find } = await searched(t);
  await find("loop");
  await writeFile(join(workspace, "loop.md"), "");
  await rm(join(workspace, "src/loop.ts"));
  clock.ms += STALE_MS - 1;
  assert.deepEqual(await find("loop"), ["src/loop.ts", "src/deep/looper.test.ts"]);
  clock.ms += 1;
  assert.deepEqual(await find("loop"), ["loop.md", "src/deep/looper.test.ts"]);
});

test("a large workspace is listed anew behind the answer", async (t) => {
  const workspace = await tempFolder(t, { "a.ts": "" });
  let ms = 0;
  // Every look at the clock takes long, and so does every listing.
  const search = workspaceSearch(workspace, () => (ms += 1000));
  const find = async () => (await search.find("ts", {})).hits.map(({ path }) => path);
  assert.deepEqual(await find(), ["a.ts"]);
  await writeFile(join(workspace, "b.ts"), "");
  ms += STALE_MS;
  assert.deepEqual(await find(), ["a.ts"]);
  while ((await find()).length < 2) await new Promise(setImmediate);
});

test("what could not be listed is told with the hits", async (t) => {
  const { search } = await searched(t);
  const workspace = await tempFolder(t, {});
  const { notes } = await workspaceSearch(join(workspace, "gone"), () => 0).find("", {});
  assert.deepEqual(
    notes.map(({ kind }) => kind),
    ["unreadable"],
  );
  assert.deepEqual((await search.find("", {})).notes, []);
});

test("after the end there is nothing new", async (t) => {
  const { search } = await searched(t);
  search.close();
  assert.deepEqual(await search.find("loop", {}), { hits: [], notes: [] });
});
