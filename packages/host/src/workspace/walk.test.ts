import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { type WalkOptions, walkWorkspace } from "./walk.ts";

function workspace(t: TestContext, files: readonly (string | readonly [string, string])[]): string {
  const folder = mkdtempSync(join(tmpdir(), "galley-walk-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const file of files) {
    const [path, text] = typeof file === "string" ? [file, ""] : file;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    if (path.endsWith("/")) mkdirSync(join(folder, path), { recursive: true });
    else writeFileSync(join(folder, path), text);
  }
  return folder;
}

async function walked(root: string, options: Omit<WalkOptions, "onBatch"> = {}) {
  const paths: string[] = [];
  const summary = await walkWorkspace(root, {
    ...options,
    onBatch: (batch) => void paths.push(...batch),
  });
  return { paths, ...summary };
}

test("level by level and in byte order, directories with a slash, empty ones too", async (t) => {
  const root = workspace(t, ["b/z.ts", "b/a.ts", "a.ts", "b/c/d.ts", "Z.ts", "empty/", "é.ts"]);
  const { paths, ...summary } = await walked(root);
  assert.deepEqual(paths, [
    "Z.ts",
    "a.ts",
    "b/",
    "empty/",
    "é.ts",
    "b/a.ts",
    "b/c/",
    "b/z.ts",
    "b/c/d.ts",
  ]);
  assert.deepEqual(summary, { end: "complete", files: 6, directories: 3, ignored: 0, notes: [] });
});

test("only .git is passed over without a rule, wherever it is", async (t) => {
  const root = workspace(t, [".git/config", "sub/.git", "node_modules/a.js", ".env", ".gitkeep"]);
  const { paths } = await walked(root);
  assert.deepEqual(paths, [".env", ".gitkeep", "node_modules/", "sub/", "node_modules/a.js"]);
});

test("what a rule holds back is counted, and its directory is not entered", async (t) => {
  const root = workspace(t, [[".gitignore", "out/\n*.log\n"], "out/a", "out/b", "x.log", "y"]);
  const { paths, ignored } = await walked(root);
  assert.deepEqual(paths, [".gitignore", "y"]);
  assert.equal(ignored, 2);
});

test(".agentsignore has the last word over git's files, in both directions", async (t) => {
  const root = workspace(t, [
    [".gitignore", "dist/\n"],
    [".agentsignore", "*.pem\n!dist/\n"],
    ["keys/.gitignore", "!test.pem\n"],
    "keys/test.pem",
    "dist/out.js",
    ["open/.agentsignore", "!fake.pem\n"],
    "open/fake.pem",
    "open/real.pem",
  ]);
  const { paths } = await walked(root);
  assert.deepEqual(
    paths.filter((path) => !path.includes("ignore") && !path.endsWith("/")),
    ["dist/out.js", "open/fake.pem"],
  );
});

test("where .agentsignore cannot be read, nothing is listed, and that is said", async (t) => {
  const root = workspace(t, ["secret/.agentsignore/x", "secret/key", "open"]);
  const { paths, notes } = await walked(root);
  assert.deepEqual(paths, ["open", "secret/"]);
  assert.deepEqual(notes, [
    {
      kind: "rules-unknown",
      says: "directories left out because their .agentsignore could not be read",
      count: 1,
      examples: [{ path: "secret/.agentsignore", reason: "it is not a regular file" }],
    },
  ]);
});

test("a .gitignore that is a link is not followed, and that is said", async (t) => {
  const root = workspace(t, [["rules", "a\n"], "a"]);
  symlinkSync("rules", join(root, ".gitignore"));
  const { paths, notes } = await walked(root);
  assert.deepEqual(paths, [".gitignore", "a", "rules"]);
  assert.deepEqual(
    notes.map(({ kind, examples }) => [kind, examples]),
    [["rules-not-applied", [{ path: ".gitignore", reason: "it is a symbolic link" }]]],
  );
});

test("an .agentsignore that is a link inside the workspace is followed", async (t) => {
  const root = workspace(t, [["rules", "a\n"], "a"]);
  symlinkSync("rules", join(root, ".agentsignore"));
  assert.deepEqual((await walked(root)).paths, [".agentsignore", "rules"]);
});

test("a link is listed as what it leads to and never walked through", async (t) => {
  const root = workspace(t, ["real/a.ts", "real/deep/b.ts"]);
  symlinkSync("real/a.ts", join(root, "file"));
  symlinkSync("real", join(root, "folder"));
  symlinkSync("..", join(root, "real/loop"));
  const { paths, notes } = await walked(root);
  assert.deepEqual(paths, [
    "file",
    "folder/",
    "real/",
    "real/a.ts",
    "real/deep/",
    "real/loop/",
    "real/deep/b.ts",
  ]);
  assert.deepEqual(notes, []);
});

test("a link that leads out or nowhere, and what is no file, are noted", async (t) => {
  const root = workspace(t, ["a"]);
  const outside = workspace(t, ["secret"]);
  symlinkSync(outside, join(root, "out"));
  symlinkSync(join(outside, "secret"), join(root, "out-file"));
  symlinkSync("nowhere", join(root, "dead"));
  symlinkSync("round", join(root, "round"));
  const server = createServer().listen(join(root, "socket"));
  await new Promise((resolve) => server.once("listening", resolve));
  t.after(() => server.close());
  const { paths, notes } = await walked(root);
  assert.deepEqual(paths, ["a"]);
  assert.deepEqual(
    notes.map(({ kind, count, examples }) => [kind, count, examples.map(({ path }) => path)]),
    [
      ["dangling", 2, ["dead", "round"]],
      ["outside", 2, ["out", "out-file"]],
      ["special", 1, ["socket"]],
    ],
  );
});

test("a root that is itself a link is walked by what it leads to", async (t) => {
  const root = workspace(t, ["real/a"]);
  symlinkSync("real", join(root, "link"));
  assert.deepEqual((await walked(join(root, "link"))).paths, ["a"]);
});

const notUtf8 = process.platform === "linux" ? {} : { skip: "file systems here hold only text" };

test("a name that is not UTF-8 is noted, one with a line break is listed", notUtf8, async (t) => {
  const root = workspace(t, ["a\nb"]);
  const at = (...bytes: number[]): Buffer =>
    Buffer.concat([Buffer.from(`${root}/`), Buffer.from(bytes)]);
  writeFileSync(at(0x62, 0xff), "");
  mkdirSync(at(0xfe));
  writeFileSync(at(0xfe, 0x2f, 0x78), "");
  const { paths, notes } = await walked(root);
  assert.deepEqual(paths, ["a\nb"]);
  assert.deepEqual(
    notes.map(({ kind, count, examples }) => [kind, count, examples]),
    [["unnameable", 2, [{ path: "b\ufffd" }, { path: "\ufffd" }]]],
  );
});

test("a directory that is gone when it is read is noted, and the walk goes on", async (t) => {
  const root = workspace(t, ["a/x", "b/y"]);
  const paths: string[] = [];
  const { end, notes } = await walkWorkspace(root, {
    onBatch: (batch) => {
      paths.push(...batch);
      rmSync(join(root, "a"), { recursive: true, force: true });
    },
    batchSize: 1,
  });
  assert.equal(end, "complete");
  assert.deepEqual(paths, ["a/", "b/", "b/y"]);
  assert.deepEqual(
    notes.map(({ kind, examples }) => [kind, examples]),
    [["unreadable", [{ path: "a/", reason: "no such file" }]]],
  );
});

test("a workspace that is not there is a note", async (t) => {
  const { end, notes } = await walked(join(workspace(t, []), "none"));
  assert.equal(end, "complete");
  assert.deepEqual(notes[0]?.examples, [{ path: ".", reason: "no such file" }]);
});

test("a limit cuts the depths and names what was not looked into", async (t) => {
  const root = workspace(t, ["a/1", "a/2", "a/3", "b/4", "c"]);
  const { paths, notes, ...summary } = await walked(root, { maxEntries: 5 });
  assert.deepEqual(paths, ["a/", "b/", "c", "a/1", "a/2"]);
  assert.deepEqual(summary, { end: "cut", files: 3, directories: 2, ignored: 0 });
  const reason = "only the first of its entries are listed";
  assert.deepEqual(
    notes.map(({ kind, count, examples }) => [kind, count, examples]),
    [["cut", 2, [{ path: "a/", reason }, { path: "b/" }]]],
  );
});

test("a limit that is just enough cuts nothing", async (t) => {
  const { end, notes } = await walked(workspace(t, ["a/1", "a/2"]), { maxEntries: 3 });
  assert.deepEqual([end, notes], ["complete", []]);
});

test("an abort ends the walk after the batch at hand", async (t) => {
  const root = workspace(t, ["a/1", "b/2", "c", "d"]);
  const abort = new AbortController();
  const batches: (readonly string[])[] = [];
  const { end, files } = await walkWorkspace(root, {
    onBatch: (batch) => {
      batches.push(batch);
      abort.abort();
    },
    signal: abort.signal,
    batchSize: 3,
  });
  assert.deepEqual(batches, [["a/", "b/", "c"]]);
  assert.deepEqual([end, files], ["aborted", 1]);
});
