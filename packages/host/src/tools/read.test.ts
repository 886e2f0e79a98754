import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, open, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { readTool } from "./read.ts";
import { cut, no, placesIn, sessionIn, whole } from "./test-places.ts";

const TEN = Array.from({ length: 10 }, (_, nth) => `line ${nth + 1}\n`).join("");

test("a text is read whole, in a fence, with the lines that it has", async (t) => {
  const { places, run } = await placesIn(t, { "src/a.ts": "let a;\nlet b;\n" });
  assert.deepEqual(
    await run(readTool(places), { path: "src/a.ts" }),
    whole("File src/a.ts (lines 1 to 2 of 2):\n```\nlet a;\nlet b;\n```"),
  );
});

test("the fence grows past the longest run of ticks inside", async (t) => {
  const { places, text } = await placesIn(t, { "a.md": "````\nx\n````\n" });
  assert.match(await text(readTool(places), { path: "a.md" }), /^`{5}\n````\nx\n````\n`{5}$/m);
});

test("a range of lines gives exactly these, and one past the end is clamped or refused", async (t) => {
  const { places, text, run } = await placesIn(t, { a: TEN });
  const tool = readTool(places);
  assert.equal(
    await text(tool, { path: "a", start_line: 3, end_line: 4 }),
    "File a (lines 3 to 4 of 10):\n```\nline 3\nline 4\n```",
  );
  assert.equal(
    await text(tool, { path: "a", start_line: 10, end_line: 99 }),
    "File a (lines 10 to 10 of 10):\n```\nline 10\n```",
  );
  assert.equal((await run(tool, { path: "a", start_line: 11 })).type, "error");
});

test("a range of bytes gives whole characters only", async (t) => {
  const { places, text } = await placesIn(t, { a: "aäöb" });
  assert.equal(
    await text(readTool(places), { path: "a", start_byte: 2, end_byte: 4 }),
    "File a (bytes 2 to 4 of 6, end not included):\n```\n```",
  );
  assert.equal(
    await text(readTool(places), { path: "a", start_byte: 2, end_byte: 6 }),
    "File a (bytes 2 to 6 of 6, end not included):\n```\nöb\n```",
  );
  assert.equal(
    await text(readTool(places), { path: "a", start_byte: 1, end_byte: 5 }),
    "File a (bytes 1 to 5 of 6, end not included):\n```\näö\n```",
  );
});

test("what is over the cap is cut between lines, and the range that goes on is named", async (t) => {
  const { places, run, text } = await placesIn(t, { a: TEN });
  const tool = readTool(places, 16);
  assert.deepEqual(
    await run(tool, { path: "a" }),
    cut("File a (lines 1 to 2 of 10; cut: start_line 3 goes on):\n```\nline 1\nline 2\n```"),
  );
  assert.match(await text(tool, { path: "a", start_line: 3 }), /line 3\nline 4\n/);
});

test("a line that is over the cap is gone through by bytes", async (t) => {
  const { places, run } = await placesIn(t, { a: `${"x".repeat(20)}\nend` });
  const tool = readTool(places, 16);
  assert.deepEqual(
    await run(tool, { path: "a" }),
    cut(
      `File a (lines 1 to 1 of 2; cut inside line 1: start_byte 16 goes on):\n\`\`\`\n${"x".repeat(16)}\n\`\`\``,
    ),
  );
  assert.deepEqual(
    await run(tool, { path: "a", start_byte: 16 }),
    whole("File a (bytes 16 to 24 of 24, end not included):\n```\nxxxx\nend\n```"),
  );
});

test("line ends that nobody sees are told", async (t) => {
  const { places, text } = await placesIn(t, { crlf: "a\r\nb\r\n", none: "a\nb", empty: "" });
  const tool = readTool(places);
  assert.match(await text(tool, { path: "crlf" }), /^File crlf \(lines .*; lines end with CRLF\):/);
  assert.match(await text(tool, { path: "none" }), /; no line break at the end\):/);
  assert.equal(await text(tool, { path: "empty" }), "File empty is empty.");
});

test("what is no text is refused, with what it is and the tool that opens it", async (t) => {
  const png = Buffer.from("\x89PNG\r\n\x1a\n....", "latin1");
  const late = Buffer.concat([Buffer.alloc(9000, "a"), Buffer.from([0, 1, 2, 0xff])]);
  const zero = `${"a".repeat(9000)}\0`;
  const { places, run } = await placesIn(t, {
    "a.png": png,
    "b.txt": late,
    "c.pdf": "%PDF-1.7",
    zero,
  });
  const tool = readTool(places);
  assert.deepEqual(
    await run(tool, { path: "a.png" }),
    no(
      "[file: a.png, image/png, 12 bytes; content not shown: not text; the view_image tool shows it]",
    ),
  );
  assert.deepEqual(
    await run(tool, { path: "b.txt" }),
    no(
      "[file: b.txt, application/octet-stream, 9004 bytes; content not shown: it starts as text and goes on as something else; the bash tool can look into it]",
    ),
  );
  assert.match(JSON.stringify(await run(tool, { path: "zero" })), /goes on as something else/);
  assert.match(
    JSON.stringify(await run(tool, { path: "c.pdf" })),
    /the pdf_text tool reads its text/,
  );
});

test("a directory, a missing file and a folder on the way say what to do instead", async (t) => {
  const { places, text } = await placesIn(t, { "d/a": "x" });
  const tool = readTool(places);
  assert.equal(
    await text(tool, { path: "d" }),
    "cannot read d: is a directory; the glob tool lists what is in it",
  );
  assert.equal(
    await text(tool, { path: "d/b" }),
    "cannot read d/b: no such file; the glob tool finds files by name",
  );
});

test("nothing outside the roots is read, whatever the path looks like", async (t) => {
  const { places, root, home, text } = await placesIn(t, { "in/a": "x" });
  const secret = join(home, "secret");
  await writeFile(secret, "s");
  await symlink(secret, join(root, "link"));
  await symlink(home, join(root, "folder"));
  const ways = ["../x", secret, "/etc/passwd", "/proc/self/environ", "link", "folder/secret"];
  for (const path of [...ways, "in/../../x", `${root}/../x`]) {
    assert.equal(
      await text(readTool(places), { path }),
      `cannot read ${path}: outside the workspace; only files of the workspace can be read`,
    );
  }
});

test("what the kernel answers is not read, even where the workspace is the root", async (t) => {
  const { places, run } = await placesIn(t);
  const session = sessionIn("/");
  for (const path of ["proc/self/environ", "/proc/self/status", "/sys/kernel/uevent_seqnum"]) {
    assert.equal((await run(readTool(places), { path }, { session })).type, "error", path);
  }
});

test("devices, pipes and huge holes are refused without waiting on them", async (t) => {
  const { places, root, run } = await placesIn(t, {});
  execFileSync("mkfifo", [join(root, "pipe")]);
  await symlink("/dev/zero", join(root, "zero"));
  const handle = await open(join(root, "hole"), "w");
  await handle.close();
  await truncate(join(root, "hole"), 100 * 1024 ** 3);
  const tool = readTool(places);
  assert.deepEqual(await run(tool, { path: "pipe" }), no("cannot read pipe: not a regular file"));
  assert.match(JSON.stringify(await run(tool, { path: "zero" })), /outside the workspace/);
  assert.match(
    JSON.stringify(await run(tool, { path: "hole" })),
    /107374182400 bytes; content not shown/,
  );
});

test("what .agentsignore keeps is refused, also through a link", async (t) => {
  const { places, root, text } = await placesIn(t, {
    ".agentsignore": "secret/\n",
    "secret/a": "s",
    ".gitignore": "build/\n",
    "build/b": "b\n",
  });
  await symlink("secret/a", join(root, "alias"));
  const tool = readTool(places);
  for (const path of ["secret/a", "alias"]) {
    assert.match(await text(tool, { path }), /kept from agents by \.agentsignore/);
  }
  assert.match(await text(tool, { path: "build/b" }), /^File build\/b/);
});

test("a file of the scratch folder is named by its prefix or its place, and nothing leads out", async (t) => {
  const { places, scratch, home, text } = await placesIn(t);
  const folder = await scratch.open("ses_1");
  await mkdir(join(folder, "d"));
  await writeFile(join(folder, "d/a"), "x\n");
  await writeFile(join(home, "secret"), "s");
  const tool = readTool(places);
  for (const path of ["scratch:d/a", "scratch:/d/a", join(folder, "d/a")]) {
    assert.match(await text(tool, { path }), /lines 1 to 1 of 1/);
  }
  for (const path of ["scratch:../../secret", "scratch:../ses_2/a"]) {
    assert.equal(
      await text(tool, { path }),
      `cannot read ${path}: outside the scratch folder; only files of the workspace can be read`,
    );
  }
});

test("an attachment is read by its name, and one that is not there is refused", async (t) => {
  const { places, text } = await placesIn(t, {}, { "notes.txt": "hello\n" });
  const tool = readTool(places);
  assert.match(
    await text(tool, { attachment: "notes.txt" }),
    /^File notes\.txt \(lines 1 to 1 of 1/,
  );
  assert.equal(await text(tool, { attachment: "b" }), "cannot read b: no such attachment");
});

test("a bad input is an error in the result", async (t) => {
  const { places, text } = await placesIn(t, { a: "x" });
  const tool = readTool(places);
  assert.equal(await text(tool, {}), "give either `path` or `attachment`");
  assert.equal(
    await text(tool, { path: "a", attachment: "a" }),
    "give either `path` or `attachment`",
  );
  assert.equal(
    await text(tool, { path: "a", start_line: 1, end_byte: 1 }),
    "give a range of lines or of bytes, not both",
  );
  assert.equal(
    await text(tool, { path: "a", start_line: 2, end_line: 1 }),
    "end_line is before start_line",
  );
  assert.match(await text(tool, { path: 3 }), /^the input is not right: path: /);
  assert.match(await text(tool, { path: "a", lines: 3 }), /^the input is not right: .*lines/);
  assert.equal(
    await text(tool, { path: "a\0b" }),
    "cannot read a\\u0000b: a name with a character that no path may hold",
  );
});

test("a session without a workspace reads attachments only", async (t) => {
  const { places, run } = await placesIn(t, {}, { a: "x" });
  const session = sessionIn(null);
  assert.deepEqual(
    await run(readTool(places), { path: "a" }, { session }),
    no("this session has no workspace: only attachments can be read"),
  );
  assert.equal((await run(readTool(places), { attachment: "a" }, { session })).type, "output");
});

test("a call that was stopped does nothing, and one that is stopped ends", async (t) => {
  const { places, root, run } = await placesIn(t);
  await writeFile(join(root, "big"), Buffer.alloc(80 * 1024 * 1024, "x\n"));
  const tool = readTool(places);
  const stopped = no("stopped before it was done");
  assert.deepEqual(await run(tool, { path: "big" }, { signal: AbortSignal.abort() }), stopped);
  const control = new AbortController();
  const running = run(tool, { path: "big", start_line: 41_000_000 }, { signal: control.signal });
  control.abort();
  assert.deepEqual(await running, stopped);
});
