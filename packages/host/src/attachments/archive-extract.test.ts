import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { tempFolder } from "../testing/temp-folder.ts";
import { archiveExtract, type ExtractOptions } from "./archive-extract.ts";
import { tarOf, zipOf } from "./archive-files.test.ts";
import type { Source } from "./source.ts";

const LIMITS = { entries: 100, bytes: 100_000 };
const PIECES = [
  { name: "src/a.ts", data: "let a" },
  { name: "b.md", data: "# b" },
];

async function extracted(source: Source, options: ExtractOptions) {
  const result = await archiveExtract(source, options);
  assert.ok(result.ok, result.ok ? "" : result.reason);
  return result.value;
}

for (const [format, archive] of [
  ["zip", zipOf(PIECES)],
  ["tar", tarOf(PIECES)],
  ["tar.gz", gzipSync(tarOf(PIECES))],
] as const) {
  test(`the files of a ${format} come out as they went in, into a new folder`, async (t) => {
    const scratch = await tempFolder(t);
    const { folder, files, left } = await extracted(archive, { scratch });
    assert.ok(folder.startsWith(join(scratch, "archive-")));
    assert.deepEqual(files, [
      { name: "src/a.ts", bytes: 5 },
      { name: "b.md", bytes: 3 },
    ]);
    assert.deepEqual(left, []);
    assert.equal(await readFile(join(folder, "src/a.ts"), "utf8"), "let a");
  });
}

test("only the entries that are asked for come out, and one that is not there is told", async (t) => {
  const scratch = await tempFolder(t);
  const names = ["b.md", "c.md"];
  const { files, left } = await extracted(zipOf(PIECES), { scratch, names });
  assert.deepEqual(files, [{ name: "b.md", bytes: 3 }]);
  assert.deepEqual(left, [{ name: "c.md", reason: "there is no such entry" }]);
});

test("nothing is written outside the new folder, whatever names and links say", async (t) => {
  const home = await tempFolder(t, { "scratch/keep": "", "target/file": "old" });
  const scratch = join(home, "scratch");
  const evil = [
    { name: "../evil", data: "x" },
    { name: "a/../../../target/file", data: "new" },
    { name: "/tmp/evil-abs", data: "x" },
  ];
  const zip = zipOf([
    { name: "in", data: join(home, "target"), mode: 0o120777 },
    { name: "in/file", data: "new" },
    ...evil,
  ]);
  const tar = tarOf([
    { name: "in", type: "2", link: join(home, "target") },
    { name: "in/file", data: "new" },
    ...evil,
  ]);
  for (const archive of [zip, tar]) {
    const { folder, files, left } = await extracted(archive, { scratch });
    assert.deepEqual(files, [{ name: "in/file", bytes: 3 }]);
    assert.deepEqual(
      left.map(({ name }) => name),
      ["in", "../evil", "a/../../../target/file", "/tmp/evil-abs"],
    );
    assert.deepEqual(await readdir(folder, { recursive: true }), ["in", "in/file"]);
  }
  assert.equal(await readFile(join(home, "target/file"), "utf8"), "old");
  assert.deepEqual((await readdir(home)).sort(), ["scratch", "target"]);
});

test("a second entry of a name is left, not written over the first", async (t) => {
  const scratch = await tempFolder(t);
  const twice = [
    { name: "a", data: "first" },
    { name: "a", data: "second" },
    { name: "a/b", data: "x" },
  ];
  for (const archive of [zipOf(twice), tarOf(twice)]) {
    const { folder, files, left } = await extracted(archive, { scratch });
    assert.deepEqual(files, [{ name: "a", bytes: 5 }]);
    assert.deepEqual(
      left.map(({ name }) => name),
      ["a", "a/b"],
    );
    assert.match(left[0]?.reason ?? "", /EEXIST/);
    assert.equal(await readFile(join(folder, "a"), "utf8"), "first");
  }
});

test("a bomb is stopped by what comes out, and leaves no file behind", async (t) => {
  const scratch = await tempFolder(t);
  const zeros = { name: "zeros", data: new Uint8Array(5e6) };
  const bombs = [
    zipOf([{ name: "a", data: "x" }, zeros]),
    zipOf([
      { name: "a", data: "x" },
      { ...zeros, claims: 10 },
    ]),
    gzipSync(tarOf([{ name: "a", data: "x" }, zeros])),
  ];
  for (const bomb of bombs) {
    const { folder, files, stopped } = await extracted(bomb, { scratch, limits: LIMITS });
    assert.equal(stopped, "it unpacks to more than 100000 bytes");
    assert.deepEqual(files, [{ name: "a", bytes: 1 }]);
    assert.deepEqual(await readdir(folder), ["a"]);
  }
});

test("an entry that lies about its size is left, and the next one comes out", async (t) => {
  const scratch = await tempFolder(t);
  const zip = zipOf([
    { name: "liar", data: "12345", claims: 4 },
    { name: "b", data: "x" },
  ]);
  const { files, left } = await extracted(zip, { scratch });
  assert.deepEqual(files, [{ name: "b", bytes: 1 }]);
  assert.deepEqual(left, [{ name: "liar", reason: "it has 5 bytes and claims 4" }]);
});

test("what is no archive leaves no folder behind", async (t) => {
  const scratch = await tempFolder(t);
  const result = await archiveExtract(Buffer.from("hello"), { scratch });
  assert.deepEqual(result, { ok: false, reason: "it is not a zip, tar or gzip archive" });
  assert.deepEqual(await readdir(scratch), []);
});

test("a scratch folder that is not there is a reason", async () => {
  const result = await archiveExtract(zipOf(PIECES), { scratch: "/nowhere/at/all" });
  assert.match(result.ok ? "" : result.reason, /^it cannot be unpacked: ENOENT/);
});
