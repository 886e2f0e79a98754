import assert from "node:assert/strict";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { tempFolder } from "../testing/temp-folder.ts";
import { paxName, tarOf, tarPiece, zipOf } from "./archive-files.test.ts";
import { archiveList } from "./archive-list.ts";

const LINK = 0o120777;
const PIECES = [
  { name: "src/a.ts", data: "let a" },
  { name: "docs/" },
  { name: "b.md", data: "# b" },
];

async function listed(...args: Parameters<typeof archiveList>) {
  const result = await archiveList(...args);
  assert.ok(result.ok, result.ok ? "" : result.reason);
  return result.value;
}

test("a zip tells the names and sizes of what it holds", async () => {
  assert.deepEqual(await listed(zipOf(PIECES)), {
    format: "zip",
    entries: [
      { name: "src/a.ts", kind: "file", size: 5 },
      { name: "docs/", kind: "directory", size: 0 },
      { name: "b.md", kind: "file", size: 3 },
    ],
    total: { entries: 3, bytes: 8 },
  });
});

test("a tar tells the same, packed or not, from memory or from a file", async (t) => {
  const tar = tarOf(
    [PIECES[0], { name: "docs/", type: "5" }, PIECES[2]].map((each) => each ?? { name: "" }),
  );
  const folder = await tempFolder(t, { "a.tgz": gzipSync(tar) });
  const expected = [
    ["src/a.ts", "file", 5],
    ["docs/", "directory", 0],
    ["b.md", "file", 3],
  ];
  for (const [format, source] of [
    ["tar", tar],
    ["tar.gz", gzipSync(tar)],
    ["tar.gz", { path: join(folder, "a.tgz") }],
  ] as const) {
    const value = await listed(source);
    assert.equal(value.format, format);
    assert.deepEqual(
      value.entries.map(({ name, kind, size }) => [name, kind, size]),
      expected,
    );
  }
});

test("a gzip of one file is one entry, also when the file is a gzip", async () => {
  const value = await listed(gzipSync(gzipSync("hello")));
  assert.equal(value.format, "gzip");
  assert.equal(value.entries[0]?.name, "content");
});

test("a tar that begins as another compression is a file and not a tar", async () => {
  for (const magic of ["\x1f\x8b", "\x28\xb5\x2f\xfd"]) {
    const disguised = tarOf([{ name: `${magic}name`, data: "x" }]);
    assert.equal((await listed(gzipSync(disguised))).format, "gzip");
  }
});

test("names that lead out, links and locked entries are listed with why they stay inside", async () => {
  const { entries } = await listed(
    zipOf([
      { name: "../../etc/cron.d/x", data: "x" },
      { name: "/etc/passwd", data: "x" },
      { name: "C:/x", data: "x" },
      { name: "a\\..\\..\\b", data: "x" },
      { name: "link", data: "/etc", mode: LINK },
      { name: "secret", data: "x", encrypted: true },
      { name: "pipe", mode: 0o010644 },
      { name: "fine..txt", data: "x" },
    ]),
  );
  assert.deepEqual(
    entries.map(({ name, refused }) => [name, refused]),
    [
      ["../../etc/cron.d/x", "its name leads out of the archive"],
      ["/etc/passwd", "its name begins at the root"],
      ["C:/x", "its name begins at the root"],
      ["a\\..\\..\\b", "its name has a backslash, which is a separator elsewhere"],
      ["link", "it is a link"],
      ["secret", "it is encrypted"],
      ["pipe", "it is neither file nor folder"],
      ["fine..txt", undefined],
    ],
  );
});

test("a tar's extended header cannot smuggle in a name", async () => {
  const { entries } = await listed(
    tarOf([
      paxName("../../evil"),
      { name: "good.txt", data: "x" },
      { name: "dev", type: "3" },
      { name: "s", type: "2", link: "/etc" },
    ]),
  );
  assert.deepEqual(
    entries.map(({ name, refused }) => [name, refused]),
    [
      ["../../evil", "its name leads out of the archive"],
      ["dev", "it is neither file nor folder"],
      ["s", "it is a link"],
    ],
  );
});

test("more entries than are shown are counted, and more than are read end the walk", async () => {
  const many = Array.from({ length: 50 }, (_, n) => ({ name: `f${n}` }));
  for (const archive of [zipOf(many), tarOf(many)]) {
    const value = await listed(archive, { show: 3 });
    assert.equal(value.entries.length, 3);
    assert.deepEqual(value.total, { entries: 50, bytes: 0 });
    const short = await listed(archive, { limits: { entries: 20, bytes: 1e6 } });
    assert.equal(short.total.entries, 20);
    assert.equal(short.stopped, "it has more than 20 entries");
  }
});

test("a tar that unpacks to far more than it is ends at the limit", async () => {
  const bomb = gzipSync(tarOf([{ name: "zeros", data: new Uint8Array(8e6) }]));
  assert.ok(bomb.length < 20_000);
  const value = await listed(bomb, { limits: { entries: 10, bytes: 1e6 } });
  assert.equal(value.stopped, "it unpacks to more than 1000000 bytes");
  const plain = gzipSync(new Uint8Array(8e6));
  const gzip = await listed(plain, { limits: { entries: 10, bytes: 1e6 } });
  assert.equal(gzip.stopped, "it unpacks to more than 1000000 bytes");
});

test("an archive that is cut off says what could be seen of it", async () => {
  const tar = gzipSync(
    tarOf([
      { name: "a", data: "x" },
      { name: "b", data: Buffer.alloc(9000, "abc") },
    ]),
  );
  const cut = await listed(tar.subarray(0, tar.length - 40));
  assert.equal(cut.entries[0]?.name, "a");
  assert.equal(cut.stopped, "unexpected end of file");
  const zip = zipOf(PIECES);
  assert.deepEqual(await archiveList(zip.subarray(0, zip.length - 30)), {
    ok: false,
    reason:
      "the zip cannot be read: End of central directory record signature not found. Either not a zip file, or file is truncated.",
  });
});

test("what is no archive, not there or no file is a reason", async (t) => {
  const folder = await tempFolder(t);
  const reasons = [
    new Uint8Array(),
    Buffer.from("hello"),
    { path: join(folder, "x") },
    { path: folder },
  ];
  assert.deepEqual(
    (await Promise.all(reasons.map((source) => archiveList(source)))).map(
      (result) => !result.ok && result.reason,
    ),
    [
      "it is not a zip, tar or gzip archive",
      "it is not a zip, tar or gzip archive",
      "no such file",
      "is a directory",
    ],
  );
});

test("a file of 20 GB with a hole in it costs no more than the limit", async (t) => {
  const folder = await tempFolder(t);
  const sparse = async (name: string, head: Uint8Array) => {
    const handle = await open(join(folder, name), "w");
    await handle.write(head);
    await handle.truncate(20e9);
    await handle.close();
    return { path: join(folder, name) };
  };
  const header = Buffer.concat(tarPiece({ name: "big", claims: 8_589_934_591 }).slice(0, 1));
  const tar = await listed(await sparse("a.tar", header), { limits: { entries: 9, bytes: 2e6 } });
  assert.deepEqual(tar.entries, [{ name: "big", kind: "file", size: 8_589_934_591 }]);
  assert.equal(tar.stopped, "it unpacks to more than 2000000 bytes");
  const zip = await archiveList(await sparse("a.zip", zipOf(PIECES)));
  assert.match(zip.ok ? "" : zip.reason, /^the zip cannot be read/);
});

test("whatever is done to an archive, listing it gives a value", async () => {
  const archives = [zipOf(PIECES), tarOf(PIECES), gzipSync(tarOf(PIECES))];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...archives),
      fc.array(fc.tuple(fc.nat(3000), fc.nat(255)), { maxLength: 12 }),
      async (archive, changes) => {
        const bytes = Uint8Array.from(archive);
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        const result = await archiveList(bytes, { limits: { entries: 100, bytes: 1e6 } });
        assert.equal(typeof (result.ok ? result.value.format : result.reason), "string");
      },
    ),
    { numRuns: 300 },
  );
});
