/** The walk against git itself: what git would add is what is listed. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import { walkWorkspace } from "./walk.ts";

function git(folder: string, ...words: string[]): string {
  const { PATH = "" } = process.env;
  const none = join(folder, "no-such-file");
  const env = { PATH, HOME: folder, GIT_CONFIG_GLOBAL: none, GIT_CONFIG_SYSTEM: none };
  return execFileSync("git", ["-C", folder, ...words], { env, encoding: "utf8" });
}

function scratch(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "galley-walk-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

async function filesOf(folder: string): Promise<readonly string[]> {
  const all: string[] = [];
  await walkWorkspace(folder, { onBatch: (paths) => void all.push(...paths) });
  return all.filter((path) => !path.endsWith("/")).toSorted();
}

function filesByGit(folder: string): readonly string[] {
  const listed = git(folder, "ls-files", "--others", "--cached", "--exclude-standard", "-z");
  return listed.split("\0").filter(Boolean).toSorted();
}

const NESTED = {
  ".gitignore": "build\n*.log\n!keep.log\n/only-here\ndocs/*.tmp\nvendor/**\n!vendor/ours/\n",
  "a.log": "",
  "keep.log": "",
  "only-here": "",
  "src/only-here": "",
  "docs/a.tmp": "",
  "docs/deep/a.tmp": "",
  "build/out.js": "",
  "sub/.gitignore": "!build\nbuild/*.map\n*.tmp\n!keep.tmp\n",
  "sub/build/out.js": "",
  "sub/build/out.map": "",
  "sub/build/deep/x.log": "",
  "sub/a.tmp": "",
  "sub/keep.tmp": "",
  "sub/deep/.gitignore": "keep.tmp\n!a.tmp\n",
  "sub/deep/keep.tmp": "",
  "sub/deep/a.tmp": "",
  "vendor/theirs/x": "",
  "vendor/ours/x": "",
  "node_modules/p/index.js": "",
};

test("nested rules, negations among them, list what git lists", async (t) => {
  const folder = scratch(t);
  git(folder, "init", "-q");
  write(folder, NESTED);
  const listed = await filesOf(folder);
  assert.deepEqual(listed, filesByGit(folder));
  assert.deepEqual(listed, [
    ".gitignore",
    "docs/deep/a.tmp",
    "keep.log",
    "node_modules/p/index.js",
    "src/only-here",
    "sub/.gitignore",
    "sub/build/out.js",
    "sub/deep/.gitignore",
    "sub/deep/a.tmp",
    "sub/keep.tmp",
  ]);
});

test("the exclude file of the repository counts, below every .gitignore", async (t) => {
  const folder = scratch(t);
  git(folder, "init", "-q");
  write(folder, {
    ".git/info/exclude": "*.local\n/sub/x\n",
    ".gitignore": "!mine.local\n",
    "a.local": "",
    "mine.local": "",
    "sub/x": "",
    "sub/y": "",
  });
  assert.deepEqual(await filesOf(folder), [".gitignore", "mine.local", "sub/y"]);
  assert.deepEqual(await filesOf(folder), filesByGit(folder));
});

test("a worktree, whose .git is a file, finds the exclude file of its repository", async (t) => {
  const folder = scratch(t);
  const [main, tree] = [join(folder, "main"), join(folder, "tree")];
  git(folder, "init", "-q", main);
  const as = ["-c", "user.name=a", "-c", "user.email=a@localhost"];
  git(main, ...as, "commit", "-q", "--allow-empty", "-m", "one");
  git(main, "worktree", "add", "-q", tree);
  write(main, { ".git/info/exclude": "*.local\n" });
  write(tree, { "a.local": "", "b.txt": "" });
  assert.deepEqual(await filesOf(tree), ["b.txt"]);
  assert.deepEqual(await filesOf(tree), filesByGit(tree));
});

test("a workspace inside a repository obeys the rules above it", async (t) => {
  const folder = scratch(t);
  git(folder, "init", "-q");
  write(folder, {
    ".gitignore": "/pkg/host/dist\n*.log\n",
    "pkg/.gitignore": "!loud.log\nhost/gen/\n",
    "pkg/host/a.log": "",
    "pkg/host/loud.log": "",
    "pkg/host/dist/x.js": "",
    "pkg/host/gen/x.js": "",
    "pkg/host/src/x.js": "",
  });
  const workspace = join(folder, "pkg", "host");
  assert.deepEqual(await filesOf(workspace), ["loud.log", "src/x.js"]);
  assert.deepEqual(await filesOf(workspace), filesByGit(workspace));
});

const name = fc.constantFrom("a", "b", "ab", "c.x", "d.x", "é", "A");
const piece = fc.constantFrom(
  "a",
  "b",
  "*",
  "**",
  "?",
  "/",
  "[a-c]",
  "[!a]",
  ".x",
  "é",
  "\\a",
  "c",
);
const rule = fc
  .tuple(fc.boolean(), fc.array(piece, { minLength: 1, maxLength: 5 }), fc.boolean())
  .map(([no, pieces, slash]) => `${no ? "!" : ""}${pieces.join("")}${slash ? "/" : ""}`);
const rules = fc.array(rule, { maxLength: 5 }).map((lines) => lines.join("\n"));
const folders = fc
  .array(name, { maxLength: 3 })
  .map((names) => names.map((each) => `d${each}/`).join(""));
const tree = fc.record({
  files: fc.array(fc.tuple(folders, name), { minLength: 1, maxLength: 25 }),
  ignores: fc.array(fc.tuple(folders, rules), { maxLength: 4 }),
});

test("whatever the rules and the tree, the walk lists what git lists", async (t) => {
  const folder = scratch(t);
  let nth = 0;
  await fc.assert(
    fc.asyncProperty(tree, async ({ files, ignores }) => {
      nth += 1;
      const repository = join(folder, String(nth));
      git(folder, "init", "-q", repository);
      write(repository, Object.fromEntries(files.map(([at, file]) => [at + file, ""])));
      write(repository, Object.fromEntries(ignores.map(([at, text]) => [`${at}.gitignore`, text])));
      assert.deepEqual(await filesOf(repository), filesByGit(repository));
    }),
    { numRuns: 40 },
  );
});
