import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmod,
  mkdir,
  readdir,
  readFile,
  rename,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { changeTools } from "./change-tools.ts";
import { no, placesIn, whole } from "./test-places.ts";

const at = (root: string, path: string) => readFile(join(root, path), "utf8");

test("a file is written with the folders that it needs, and replaced whole", async (t) => {
  const { places, root, run } = await placesIn(t);
  const { write } = changeTools(places);
  assert.deepEqual(
    await run(write, { path: "a/b/c.txt", content: "hé\n" }),
    whole("a/b/c.txt: new, 4 bytes"),
  );
  assert.deepEqual(
    await run(write, { path: join(root, "a/b/c.txt"), content: "" }),
    whole(`${join(root, "a/b/c.txt")}: replaced, 0 bytes`),
  );
  assert.equal(await at(root, "a/b/c.txt"), "");
  assert.deepEqual(await readdir(join(root, "a/b")), ["c.txt"]);
});

test("an edit changes its passage and keeps the mode; a conflict changes nothing", async (t) => {
  const { places, root, run } = await placesIn(t, { "a.sh": "one\ntwo\ntwo\n" });
  await chmod(join(root, "a.sh"), 0o776);
  const { edit } = changeTools(places);
  assert.deepEqual(
    await run(edit, { path: "a.sh", old_text: "one", new_text: "1" }),
    whole("a.sh: changed at line 1; 10 bytes now"),
  );
  assert.equal((await stat(join(root, "a.sh"))).mode & 0o777, 0o776);
  const before = await stat(join(root, "a.sh"));
  assert.deepEqual(
    await run(edit, { path: "a.sh", old_text: "two", new_text: "2" }),
    no(
      "a.sh was not changed: the passage is there 2 times (lines 2, 3): give more of what is around it, or replace_all",
    ),
  );
  const after = await stat(join(root, "a.sh"));
  assert.deepEqual([after.ino, after.mtimeMs], [before.ino, before.mtimeMs]);
  assert.equal(await at(root, "a.sh"), "1\ntwo\ntwo\n");
});

test("a mark at the start of a file is kept through an edit", async (t) => {
  const { places, root, run } = await placesIn(t, { a: "\ufeffone\r\ntwo\r\n" });
  await run(changeTools(places).edit, { path: "a", old_text: "one\ntwo", new_text: "1\n2" });
  assert.equal(await at(root, "a"), "\ufeff1\r\n2\r\n");
});

test("what cannot be edited is refused and left alone", async (t) => {
  const { places, root, text } = await placesIn(t, {
    bin: "a\0b",
    latin: Buffer.from([0x61, 0xe9]),
    big: "a".repeat(4 * 1024 * 1024 + 1),
    "d/x": "",
  });
  execFileSync("mkfifo", [join(root, "pipe")]);
  const { edit, write } = changeTools(places);
  const why = (path: string) => text(edit, { path, old_text: "a", new_text: "b" });
  assert.equal(await why("bin"), "bin was not changed: it is no text");
  assert.equal(await why("latin"), "latin was not changed: it is no UTF-8 text");
  assert.match(await why("big"), /larger than the 4194304 bytes/);
  assert.match(await why("none"), /no such file; the write tool makes one/);
  assert.equal(
    await text(write, { path: "d", content: "" }),
    "d was not changed: not a regular file",
  );
  assert.equal(await text(write, { path: ".", content: "" }), ". was not changed: is a directory");
  assert.match(await text(write, { path: "pipe", content: "x" }), /not a regular file/);
  assert.match(await text(write, { path: "d/x/y", content: "" }), /was not changed: /);
  assert.match(await text(write, { path: "h", content: "\ud800" }), /half of a character/);
  assert.equal((await readdir(root)).includes("h"), false);
});

test("nothing is written outside the roots, in git's own folder, or where agents must not", async (t) => {
  const { places, root, home, text } = await placesIn(t, {
    ".agentsignore": "secret/\n",
    "secret/a": "s",
    ".git/config": "c",
  });
  await mkdir(join(home, "out"));
  await writeFile(join(home, "out/a"), "o");
  await symlink(join(home, "out"), join(root, "link"));
  await symlink(join(home, "out/new"), join(root, "dangling"));
  const { write } = changeTools(places);
  const why = async (path: string) =>
    (await text(write, { path, content: "x" })).replace(`${path} was not changed: `, "");
  for (const path of ["../x", "/etc/x", join(home, "out/a"), "link/a", "link/new", "link/n/e/w"]) {
    assert.equal(await why(path), "outside the workspace", path);
  }
  assert.equal(await why("scratch:../../x"), "outside the workspace");
  assert.equal(await why("dangling"), "symbolic links that lead nowhere");
  assert.equal(await why("dangling/x"), "a folder on the way is none");
  assert.equal(await why("secret/a"), "kept from agents by .agentsignore");
  assert.equal(await why("secret/n/e/w"), "kept from agents by .agentsignore");
  assert.equal(await why(".git/config"), "git's own files are written by git alone");
  assert.equal(await why("sub/.git/hooks/x"), "git's own files are written by git alone");
  assert.deepEqual(await readdir(join(home, "out")), ["a"]);
  assert.equal(await at(home, "out/a"), "o");
  assert.equal(await at(root, "secret/a"), "s");
});

test("a link inside the workspace stays, and the file it leads to is written", async (t) => {
  const { places, root, run } = await placesIn(t, { "d/a": "one" });
  await symlink("d/a", join(root, "alias"));
  await run(changeTools(places).edit, { path: "alias", old_text: "one", new_text: "two" });
  assert.equal(await at(root, "d/a"), "two");
  assert.deepEqual((await readdir(root)).sort(), ["alias", "d"]);
});

test("a folder that is swapped for a link while files are written leads nothing out", async (t) => {
  const { places, root, home, run } = await placesIn(t, { "d/keep": "" });
  await mkdir(join(home, "out"));
  await symlink(join(home, "out"), join(root, "evil"));
  const { write } = changeTools(places);
  for (let nth = 0; nth < 100; nth += 1) {
    const writing = run(write, { path: `d/f${nth}`, content: "x" });
    await rename(join(root, "d"), join(root, "aside"));
    await rename(join(root, "evil"), join(root, "d"));
    await writing;
    await rename(join(root, "d"), join(root, "evil"));
    await rename(join(root, "aside"), join(root, "d"));
  }
  assert.deepEqual(await readdir(join(home, "out")), []);
});

test("calls about one file run one after the other, and none is lost", async (t) => {
  const { places, root, run } = await placesIn(t, { a: "top\n" });
  const { edit } = changeTools(places);
  await symlink("a", join(root, "b"));
  const all = Array.from({ length: 20 }, (_, nth) =>
    run(edit, { path: nth % 2 ? "a" : "b", old_text: "top\n", new_text: `top\n${nth}\n` }),
  );
  const outputs = await Promise.all(all);
  assert.deepEqual(
    outputs.filter(({ type }) => type === "error"),
    [],
  );
  const [top, ...lines] = (await at(root, "a")).trim().split("\n");
  assert.equal(top, "top");
  assert.deepEqual(
    lines.map(Number).toSorted((one, other) => one - other),
    Array.from({ length: 20 }, (_, nth) => nth),
  );
});

test("the scratch folder takes files up to its limit", async (t) => {
  const { places, scratch, run } = await placesIn(t, {}, {}, 10_000);
  const { write } = changeTools(places);
  assert.deepEqual(
    await run(write, { path: "scratch:n/a", content: "x" }),
    whole("scratch:n/a: new, 1 bytes"),
  );
  assert.equal(await at(scratch.folderOf("ses_1"), "n/a"), "x");
  assert.deepEqual(
    await run(write, { path: "scratch:b", content: "x".repeat(9000) }),
    no("scratch:b was not changed: the scratch folder is full"),
  );
});
