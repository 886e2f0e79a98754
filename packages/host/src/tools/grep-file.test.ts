import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rename, symlink } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { tempFolder } from "../testing/temp-folder.ts";
import { fileReader } from "./grep-file.ts";

const MOST = 200_000;

test("a folder on the way that is a link leads nowhere", async (t) => {
  const other = await tempFolder(t, { "b/secret": "s3cret" });
  const root = await tempFolder(t, { "a/b/secret": "mine" });
  const reader = fileReader(root, MOST);
  t.after(() => reader.close());
  const read = reader.read("a/b/secret");
  assert.equal(read.kind === "text" && Buffer.from(read.bytes).toString(), "mine");
  reader.close();
  await rename(join(root, "a"), join(root, "old"));
  await symlink(other, join(root, "a"));
  assert.deepEqual(reader.read("a/b/secret"), { kind: "link" });
  await symlink(join(other, "b"), join(root, "c"));
  assert.deepEqual(reader.read("c/secret").kind === "text", false);
});

test("a file comes whole however long it is, up to the bound", async (t) => {
  const root = await tempFolder(t, {
    small: "a",
    block: "b".repeat(65_536),
    long: "c".repeat(150_000),
    over: "d".repeat(MOST + 1),
    empty: "",
  });
  execFileSync("mkfifo", [join(root, "pipe")]);
  const reader = fileReader(root, MOST);
  t.after(() => reader.close());
  const sizes = ["small", "block", "long", "over", "empty", "none", "pipe"].map((name) => {
    const read = reader.read(name);
    return read.kind === "text" ? read.bytes.length : read.kind;
  });
  assert.deepEqual(sizes, [1, 65_536, 150_000, "large", 0, "unreadable", "unreadable"]);
});
