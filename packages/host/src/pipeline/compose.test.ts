import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, symlink, truncate } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createCompositor } from "../compositor/compositor.ts";
import { tempFolder } from "../testing/temp-folder.ts";
import { type ComposeDeps, compose } from "./compose.ts";

const LIMITS = { attachment_bytes: 1000, message_bytes: 2000 };

function deps(workspace: string, more: Partial<ComposeDeps> = {}) {
  const warnings: string[] = [];
  const made: ComposeDeps = {
    workspace,
    cwd: workspace,
    attachFrom: "workspace",
    limits: LIMITS,
    compositor: createCompositor({ workspace, mostBytes: LIMITS.message_bytes, now: () => 7 }),
    warn: (line) => void warnings.push(line),
    ...more,
  };
  return { deps: made, warnings };
}

const partsOf = async (input: Parameters<typeof compose>[0], given: ComposeDeps) =>
  (await compose(input, given)).message.parts;

const fileRef = (path: string, range?: { start: number; end: number }) => ({
  type: "file-ref",
  ref: { kind: "path", path, ...(range && { range }) },
});

test("text comes first, then references, attachments and ready parts, each in order", async (t) => {
  const root = await tempFolder(t, { "a.txt": "a", "b.txt": "bb" });
  const context = { type: "editor-context", kind: "k", payload: {}, emitted_at: 1 } as const;
  const input = { text: "hi", refs: ["a.txt"], attach: ["b.txt"], parts: [context] };
  assert.deepEqual(await partsOf(input, deps(root).deps), [
    { type: "text", text: "hi" },
    fileRef("a.txt"),
    { type: "file-attachment", name: "b.txt", mime: "text/plain", size: 2, data: "YmI=" },
    context,
  ]);
});

test("a composed message carries its version", async (t) => {
  const { message } = await compose({ text: "hi" }, deps(await tempFolder(t)).deps);
  assert.deepEqual(message.metadata, { schema_version: 1 });
});

test("a file whose own name ends like a range is meant by that name", async (t) => {
  const root = await tempFolder(t, { "a.txt": "a", "a.txt:1-2": "odd", "b.txt": "b" });
  const refs = ["a.txt:1-2", "b.txt:1-2", "b.txt#L3"];
  assert.deepEqual(await partsOf({ refs }, deps(root).deps), [
    fileRef("a.txt:1-2"),
    fileRef("b.txt", { start: 1, end: 2 }),
    fileRef("b.txt", { start: 3, end: 3 }),
  ]);
});

test("every spelling of a range is one and the same", async (t) => {
  const root = await tempFolder(t, { "a.txt": "a" });
  for (const spelling of [":10-25", "#L10-L25", "#10-25", "#L10:25"]) {
    const parts = await partsOf({ refs: [`a.txt${spelling}`] }, deps(root).deps);
    assert.deepEqual(parts, [fileRef("a.txt", { start: 10, end: 25 })], spelling);
  }
  assert.deepEqual(await partsOf({ refs: ["a.txt:10"] }, deps(root).deps), [
    fileRef("a.txt", { start: 10, end: 10 }),
  ]);
});

test("what cannot be a range belongs to the name, which is then said to be missing", async (t) => {
  const { deps: given, warnings } = deps(await tempFolder(t, { "a.txt": "a" }));
  assert.deepEqual(await partsOf({ refs: ["a.txt:9-2"] }, given), [fileRef("a.txt:9-2")]);
  assert.deepEqual(warnings, ["the reference a.txt:9-2 will be a placeholder: no such file"]);
});

test("a folder is a directory-ref, an address a url", async (t) => {
  const root = await tempFolder(t, { "d/a.txt": "a" });
  assert.deepEqual(
    await partsOf({ refs: ["d/", ".", "https://x.example.com/a:1-2"] }, deps(root).deps),
    [
      { type: "directory-ref", ref: { kind: "path", path: "d" } },
      { type: "directory-ref", ref: { kind: "path", path: "." } },
      { type: "file-ref", ref: { kind: "url", url: "https://x.example.com/a:1-2" } },
    ],
  );
});

test("paths are stored from the workspace, those outside it whole", async (t) => {
  const outer = await tempFolder(t, { "w/sub/a.txt": "a", "b.txt": "b" });
  const root = join(outer, "w");
  const refs = [join(root, "sub", "a.txt"), "sub/../sub/a.txt", "../b.txt"];
  assert.deepEqual(await partsOf({ refs }, deps(root).deps), [
    fileRef("sub/a.txt"),
    fileRef("sub/a.txt"),
    fileRef(join(outer, "b.txt")),
  ]);
});

test("what the model will not get is warned about and composed all the same", async (t) => {
  const outer = await tempFolder(t, { "w/a.txt": "a", "b.txt": "b" });
  const root = join(outer, "w");
  await symlink(join(outer, "b.txt"), join(root, "out.txt"));
  const { deps: given, warnings } = deps(root);
  const refs = ["gone.ts:1-2", "out.txt", "a.txt"];
  assert.equal((await partsOf({ refs }, given)).length, 3);
  assert.deepEqual(warnings, [
    "the reference gone.ts:1-2 will be a placeholder: no such file",
    "the reference out.txt will be a placeholder: outside the workspace",
  ]);
});

test("from another folder a path is meant from there, unless only the workspace has it", async (t) => {
  const outer = await tempFolder(t, {
    "w/a.txt": "w",
    "w/s/b.txt": "s",
    "w/s/a.txt": "s",
    "c/a.txt": "c",
  });
  const root = join(outer, "w");
  const inside = deps(root, { cwd: join(root, "s") }).deps;
  assert.deepEqual(await partsOf({ refs: ["b.txt", "a.txt"] }, inside), [
    fileRef("s/b.txt"),
    fileRef("s/a.txt"),
  ]);
  const outside = deps(root, { cwd: join(outer, "c") }).deps;
  assert.deepEqual(await partsOf({ refs: ["a.txt"] }, outside), [fileRef("a.txt")]);
});

test("an attachment is refused in one sentence when its bytes cannot be had", async (t) => {
  const root = await tempFolder(t, { "long.bin": "x".repeat(1001), "d/a": "" });
  execFileSync("mkfifo", [join(root, "pipe")]);
  await truncate(join(root, "d", "a"), 1024 ** 3);
  const table: readonly (readonly [string, RegExp])[] = [
    ["none.png", /^cannot read the attachment none\.png: no such file$/],
    ["d", /^cannot read the attachment d: is a directory$/],
    ["pipe", /^cannot read the attachment pipe: not a regular file$/],
    ["../x", /^cannot read the attachment \.\.\/x: outside the workspace$/],
    [
      "long.bin",
      /^the attachment long\.bin is 1001 bytes, more than the 1000 bytes that limits\.attachment_bytes in the configuration allows$/,
    ],
    ["d/a", /^the attachment d\/a is 1073741824 bytes, more than the 1000 bytes/],
  ];
  for (const [name, message] of table) {
    await assert.rejects(compose({ attach: [name] }, deps(root).deps), { message });
  }
});

test("an attachment may come from anywhere where the person named it", async (t) => {
  const outer = await tempFolder(t, { "b.txt": "b" });
  const root = join(outer, "w");
  await mkdir(root);
  const given = deps(root, { attachFrom: "anywhere" }).deps;
  assert.equal((await partsOf({ attach: ["../b.txt"] }, given)).length, 1);
  await assert.rejects(compose({ attach: ["../b.txt"] }, deps(root).deps), /outside the workspace/);
});

test("attachments that are small alone and too large together are refused", async (t) => {
  const root = await tempFolder(t, { a: "x".repeat(900) });
  assert.equal((await partsOf({ attach: ["a"] }, deps(root).deps)).length, 1);
  await assert.rejects(
    compose({ attach: ["a", "a"] }, deps(root).deps),
    /all these attachments is larger than the 2000 bytes that limits\.message_bytes/,
  );
});

test("a message of nothing is refused", async (t) => {
  const root = await tempFolder(t);
  await assert.rejects(compose({ text: "" }, deps(root).deps), /there is nothing in the message/);
});

test("a part without its shape is refused with its path", async (t) => {
  const root = await tempFolder(t);
  const parts = [{ type: "editor-context", kind: "k" }] as never;
  await assert.rejects(
    compose({ text: "a", parts }, deps(root).deps),
    /^GalleyError: not a user message: parts\.1\.payload: /,
  );
});
