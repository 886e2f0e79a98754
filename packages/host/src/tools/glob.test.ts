import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { globTool } from "./glob.ts";
import { cut, no, placesIn, whole } from "./test-places.ts";

const TREE = {
  ".gitignore": "build/\n",
  ".agentsignore": "secret/\n",
  "README.md": "",
  "build/out.ts": "",
  "secret/key.ts": "",
  "src/a.ts": "",
  "src/deep/b.ts": "",
};

test("files are found by name at any depth, without what the ignore files hide", async (t) => {
  const { places, run } = await placesIn(t, TREE);
  assert.deepEqual(
    await run(globTool(places), { pattern: "*.ts" }),
    whole("src/a.ts\nsrc/deep/b.ts"),
  );
});

test("a folder narrows the search; its ignored parts stay hidden", async (t) => {
  const { places, root, run } = await placesIn(t, TREE);
  const tool = globTool(places);
  assert.deepEqual(await run(tool, { pattern: "/*", path: "src" }), whole("src/a.ts\nsrc/deep/"));
  assert.deepEqual(await run(tool, { pattern: `${root}/src/*.ts` }), whole("src/a.ts"));
  assert.deepEqual(
    await run(tool, { pattern: "*", path: "secret" }),
    whole("Nothing matches. (1 entries are left out by .gitignore and .agentsignore)"),
  );
});

test("what is over the cap is counted and said", async (t) => {
  const files = Object.fromEntries(Array.from({ length: 12 }, (_, nth) => [`f${nth + 10}`, ""]));
  const { places, run } = await placesIn(t, files);
  assert.deepEqual(
    await run(globTool(places, 2), { pattern: "f*" }),
    cut("The first 2 of 12; a narrower pattern or a folder shows the others:\nf10\nf11"),
  );
});

test("a name that could draw outside its line is a JSON string", async (t) => {
  const { places, run } = await placesIn(t, { "a\nb.ts": "", "c\u202ed.ts": "" });
  assert.deepEqual(
    await run(globTool(places), { pattern: "*.ts" }),
    whole('"a\\nb.ts"\n"c\\u202ed.ts"'),
  );
});

test("links are listed where they stay inside, and never walked through", async (t) => {
  const { places, root, home, run } = await placesIn(t, { "d/a.ts": "" });
  await symlink(home, join(root, "out"));
  await symlink("d", join(root, "in"));
  await symlink(".", join(root, "d", "loop"));
  assert.deepEqual(
    await run(globTool(places), { pattern: "**" }),
    whole("d/\nin/\nd/a.ts\nd/loop/"),
  );
});

test("the scratch folder is searched by its prefix, also before it is there", async (t) => {
  const { places, scratch, run } = await placesIn(t);
  const tool = globTool(places);
  assert.deepEqual(await run(tool, { pattern: "*", path: "scratch:" }), whole("Nothing matches."));
  const folder = await scratch.open("ses_1");
  await mkdir(join(folder, "d"));
  await writeFile(join(folder, "d/a"), "");
  assert.deepEqual(await run(tool, { pattern: "*", path: "scratch:d" }), whole("scratch:d/a"));
});

test("a folder that is none is refused", async (t) => {
  const { places, root, run } = await placesIn(t, { a: "" });
  await symlink("/etc", join(root, "etc"));
  const tool = globTool(places);
  assert.deepEqual(
    await run(tool, { pattern: "*", path: "a" }),
    no("a is a file: the read tool opens it"),
  );
  assert.deepEqual(
    await run(tool, { pattern: "*", path: "b" }),
    no("cannot read b: no such folder"),
  );
  for (const path of ["..", "/etc", "etc"]) {
    assert.deepEqual(
      await run(tool, { pattern: "*", path }),
      no(`cannot read ${path}: outside the workspace; only files of the workspace can be read`),
    );
  }
  assert.deepEqual(
    await run(tool, { pattern: "[" }),
    no("the pattern cannot be used: a bracket or a backslash is not complete"),
  );
});

test("a search that is stopped says so", async (t) => {
  const { places, run } = await placesIn(t, { "a/b": "" });
  const control = new AbortController();
  const running = run(globTool(places), { pattern: "*" }, { signal: control.signal });
  control.abort();
  assert.deepEqual(await running, no("stopped before it was done"));
});
