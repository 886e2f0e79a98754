import assert from "node:assert/strict";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { tarOf, zipOf } from "../attachments/archive-files.test.ts";
import { archiveExtractTool, archiveListTool } from "./archives.ts";
import { readTool } from "./read.ts";
import { cut, no, placesIn, whole } from "./test-places.ts";

const ZIP = zipOf([
  { name: "src/a.ts", data: "let a\n" },
  { name: "../evil", data: "x" },
  { name: "b\u202e.md", data: "# b" },
]);

test("an archive is listed by size and name, with what stays in it", async (t) => {
  const { places, run } = await placesIn(t, { "a.zip": ZIP });
  assert.deepEqual(
    await run(archiveListTool(places), { path: "a.zip" }),
    whole(
      'a.zip: zip, 3 entries, 10 bytes unpacked (as it claims)\n6\tsrc/a.ts\n1\t../evil (never taken out: its name leads out of the archive)\n3\t"b\\u202e.md"',
    ),
  );
});

test("files come out into the scratch folder, and the read tool opens them there", async (t) => {
  const { places, root, run, text } = await placesIn(t, {}, { "a.zip": ZIP });
  const tool = archiveExtractTool(places);
  assert.deepEqual(
    await run(tool, { attachment: "a.zip", names: ["src/a.ts", "../evil"] }),
    whole(
      "a.zip: 1 file taken out into scratch:archive-1\n6\tscratch:archive-1/src/a.ts\nnot taken out: ../evil: its name leads out of the archive",
    ),
  );
  assert.equal(
    await text(readTool(places), { path: "scratch:archive-1/src/a.ts" }),
    "File scratch:archive-1/src/a.ts (lines 1 to 1 of 1):\n```\nlet a\n```",
  );
  assert.match(await text(tool, { attachment: "a.zip" }), /into scratch:archive-2\n/);
  assert.deepEqual(await readdir(root), []);
});

test("a bomb ends at the room that the scratch folder has, and then there is none left", async (t) => {
  const zeros = { name: "zeros", data: new Uint8Array(5e6) };
  const bombs = {
    "bomb.zip": zipOf([{ name: "a", data: "x" }, zeros]),
    "bomb.tar.gz": gzipSync(tarOf([zeros])),
  };
  const { places, scratch, run, text } = await placesIn(t, bombs, {}, 1_000_000);
  const tool = archiveExtractTool(places);
  assert.deepEqual(
    await run(tool, { path: "bomb.zip" }),
    cut(
      "bomb.zip: 1 file taken out into scratch:archive-1\n1\tscratch:archive-1/a\nnot taken out: zeros: the archive unpacks to too much\n(stopped: it unpacks to more than 1000000 bytes)",
    ),
  );
  assert.match(await text(tool, { path: "bomb.tar.gz" }), /it unpacks to more than \d+ bytes/);
  assert.ok((await scratch.room("ses_1")) > 900_000);
  await writeFile(join(scratch.folderOf("ses_1"), "full"), new Uint8Array(1_000_000));
  assert.deepEqual(
    await run(tool, { path: "bomb.zip" }),
    no("cannot unpack bomb.zip: this session's scratch folder is full"),
  );
});

test("what is no archive leaves nothing behind", async (t) => {
  const { places, scratch, run } = await placesIn(t, { a: "hello" });
  assert.deepEqual(
    await run(archiveExtractTool(places), { path: "a" }),
    no("cannot unpack a: it is not a zip, tar or gzip archive"),
  );
  assert.deepEqual(await readdir(scratch.folderOf("ses_1")), []);
});
