import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { open, symlink, truncate } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { FileRef } from "@galley/parts";
import { tempFolder } from "../testing/temp-folder.ts";
import { fileLoader, sha256 } from "./loader.ts";

const path = (name: string): FileRef => ({ kind: "path", path: name });
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const gone = (reason: string) => ({ kind: "unavailable", reason });
const GIGABYTE = 1024 ** 3;

test("a file is read whole, with its hash and its time", async (t) => {
  const root = await tempFolder(t, { "a/b.txt": "hello" });
  const loaded = await fileLoader(root).read(path("a/b.txt"), 100);
  assert.equal(loaded.kind, "whole");
  if (loaded.kind !== "whole") return;
  assert.equal(text(loaded.bytes), "hello");
  assert.equal(loaded.sha256, "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");
  assert.ok(Number.isInteger(loaded.mtime_ms));
});

test("a file of exactly the bound is whole, and one byte more is a head with its size", async (t) => {
  const root = await tempFolder(t, { five: "12345", six: "123456" });
  const loader = fileLoader(root);
  assert.equal((await loader.read(path("five"), 5)).kind, "whole");
  const head = await loader.read(path("six"), 5);
  assert.deepEqual({ ...head, bytes: undefined }, { kind: "head", bytes: undefined, size: 6 });
});

test("a file that is read in several pieces is itself again", async (t) => {
  const bytes = Uint8Array.from({ length: 700_000 }, (_, index) => index % 251);
  const loaded = await fileLoader(await tempFolder(t, { a: bytes })).read(path("a"), 1_000_000);
  assert.equal(loaded.kind === "whole" && loaded.sha256, sha256(bytes));
});

test("a file outside the workspace is refused, whether it is there or not", async (t) => {
  const outer = await tempFolder(t, { "secret.txt": "s", "in/a.txt": "a" });
  const loader = fileLoader(join(outer, "in"));
  for (const name of ["../secret.txt", "../none.txt", join(outer, "secret.txt"), "/etc/passwd"]) {
    assert.deepEqual(await loader.read(path(name), 100), gone("outside the workspace"));
  }
  assert.equal((await loader.read(path(join(outer, "in", "a.txt")), 100)).kind, "whole");
});

test("a link that leads out of the workspace is refused, a link inside it is followed", async (t) => {
  const outer = await tempFolder(t, { "secret/s.txt": "s", "in/a.txt": "a" });
  const root = join(outer, "in");
  await symlink(join(outer, "secret", "s.txt"), join(root, "out.txt"));
  await symlink(join(outer, "secret"), join(root, "folder"));
  await symlink("a.txt", join(root, "alias.txt"));
  await symlink("loop", join(root, "loop"));
  const loader = fileLoader(root);
  assert.deepEqual(await loader.read(path("out.txt"), 9), gone("outside the workspace"));
  assert.deepEqual(await loader.read(path("folder/s.txt"), 9), gone("outside the workspace"));
  assert.deepEqual(await loader.directoryProblem("folder"), "outside the workspace");
  assert.equal((await loader.read(path("alias.txt"), 9)).kind, "whole");
  assert.deepEqual(await loader.read(path("loop"), 9), gone("symbolic links that lead nowhere"));
});

test("a workspace that is itself reached by a link holds its files", async (t) => {
  const outer = await tempFolder(t, { "real/a.txt": "a" });
  await symlink(join(outer, "real"), join(outer, "alias"));
  const loader = fileLoader(join(outer, "alias"));
  assert.equal((await loader.read(path("a.txt"), 9)).kind, "whole");
  assert.equal((await loader.read(path(join(outer, "real", "a.txt")), 9)).kind, "whole");
});

test("what is no regular file is refused at once, and a pipe without a writer holds up nothing", async (t) => {
  const root = await tempFolder(t, { "folder/a": "" });
  execFileSync("mkfifo", [join(root, "pipe")]);
  const loader = fileLoader(root);
  assert.deepEqual(await loader.read(path("pipe"), 9), gone("not a regular file"));
  assert.deepEqual(await loader.read(path("folder"), 9), gone("is a directory"));
  assert.deepEqual(await loader.read(path("none"), 9), gone("no such file"));
  assert.deepEqual(await loader.read(path("folder/a/b"), 9), gone("no such file"));
  const range = { start: 1, end: 2 };
  assert.deepEqual(await loader.readRange(path("pipe"), range, 9), gone("not a regular file"));
});

test("a device is refused", { skip: process.platform === "win32" && "there is none" }, async () => {
  assert.deepEqual(await fileLoader("/dev").read(path("zero"), 9), gone("not a regular file"));
});

test("a name that no file system takes is a reason like any other", async (t) => {
  const loader = fileLoader(await tempFolder(t));
  const nul = await loader.read(path("a\u0000b"), 9);
  assert.deepEqual(nul, gone("a name with a character that no path may hold"));
  assert.deepEqual(await loader.read(path("a".repeat(5000)), 9), gone("a name that is too long"));
});

test("a file that claims to be empty is read up to the bound", {
  skip: process.platform !== "linux" && "such files are Linux's",
}, async () => {
  const loaded = await fileLoader("/proc").read(path("version"), 4096);
  assert.equal(loaded.kind, "whole");
  if (loaded.kind === "whole") assert.match(text(loaded.bytes), /^Linux version/);
  assert.equal((await fileLoader("/proc").read(path("version"), 5)).kind, "head");
});

test("lines are clamped to the file, and that is said", async (t) => {
  const root = await tempFolder(t, { "a.txt": "1\n2\n3\n4\n5\n" });
  const loaded = await fileLoader(root).readRange(path("a.txt"), { start: 4, end: 99 }, 1000);
  assert.equal(loaded.kind, "range");
  if (loaded.kind !== "range") return;
  assert.equal(text(loaded.bytes), "4\n5\n");
  assert.deepEqual(loaded.shown, { start: 4, end: 5, total: 5 });
  assert.equal(loaded.note, "the file ends at line 5");
  assert.equal(loaded.size, 10);
  assert.equal(loaded.sha256, sha256("1\n2\n3\n4\n5\n"));
});

test("lines that all lie past the end are unavailable, and an empty file is just empty", async (t) => {
  const root = await tempFolder(t, { "a.txt": "1\n2\n", empty: "" });
  const loader = fileLoader(root);
  const past = await loader.readRange(path("a.txt"), { start: 7, end: 9 }, 1000);
  assert.deepEqual(past, gone("it ends at line 2, before the lines asked for (7 to 9)"));
  const empty = await loader.readRange(path("empty"), { start: 1, end: 9 }, 1000);
  assert.equal(empty.kind === "range" && empty.note, "the file is empty");
});

test("bytes are half open and clamped", async (t) => {
  const root = await tempFolder(t, { "a.txt": "0123456789" });
  const loader = fileLoader(root);
  const range = { start: 8, end: 99, unit: "byte" } as const;
  const loaded = await loader.readRange(path("a.txt"), range, 1000);
  assert.equal(loaded.kind === "range" && text(loaded.bytes), "89");
  assert.equal(loaded.kind === "range" && loaded.note, "cut at byte 10: the file ends");
  const cut = await loader.readRange(path("a.txt"), { start: 2, end: 9, unit: "byte" }, 3);
  assert.equal(cut.kind === "range" && text(cut.bytes), "234");
  assert.equal(cut.kind === "range" && cut.note, "cut at byte 5: the range is over 3 bytes");
  const past = await loader.readRange(path("a.txt"), { start: 10, end: 12, unit: "byte" }, 9);
  assert.deepEqual(past, gone("it ends at byte 10, before the bytes asked for (10 to 12)"));
});

test("of a gigabyte only what is asked for is held", async (t) => {
  const root = await tempFolder(t, { big: "1\n2\n3\n" });
  await truncate(join(root, "big"), GIGABYTE);
  const file = await open(join(root, "big"), "r+");
  await file.write("\nlast\n", GIGABYTE - 6);
  await file.close();
  const loader = fileLoader(root);
  const before = process.memoryUsage().rss;
  const head = await loader.read(path("big"), 32 * 1024 * 1024);
  assert.equal(head.kind === "head" && head.size, GIGABYTE);
  const early = await loader.readRange(path("big"), { start: 2, end: 3 }, 1000);
  assert.equal(early.kind === "range" && text(early.bytes), "2\n3\n");
  const late = await loader.readRange(path("big"), { start: 5, end: 9 }, 1000);
  assert.equal(late.kind === "range" && text(late.bytes), "last\n");
  assert.deepEqual(late.kind === "range" && late.shown, { start: 5, end: 5, total: 5 });
  const long = await loader.readRange(path("big"), { start: 4, end: 4 }, 1000);
  assert.equal(
    long.kind === "range" && long.note,
    "cut inside line 4: the range is over 1000 bytes",
  );
  assert.ok(process.memoryUsage().rss - before < 200 * 1024 * 1024);
});

test("bytes that left their message are found by their hash, and by no other", async (t) => {
  const bytes = new TextEncoder().encode("1\n2\n3\n");
  const id = `sha256:${sha256(bytes)}`;
  const loader = fileLoader(await tempFolder(t), new Map([[id, bytes]]));
  const ref: FileRef = { kind: "content-id", content_id: id };
  assert.equal((await loader.read(ref, 100)).kind, "whole");
  const lines = await loader.readRange(ref, { start: 2, end: 2 }, 100);
  assert.equal(lines.kind === "range" && text(lines.bytes), "2\n");
  const other: FileRef = { kind: "content-id", content_id: `sha256:${"0".repeat(64)}` };
  assert.deepEqual(await loader.read(other, 100), gone("its bytes are not stored here"));
});

test("a directory is told from what is none", async (t) => {
  const loader = fileLoader(await tempFolder(t, { "d/a": "" }));
  assert.equal(await loader.directoryProblem("d"), undefined);
  assert.equal(await loader.directoryProblem("d/a"), "not a directory");
  assert.equal(await loader.directoryProblem("none"), "no such directory");
});
