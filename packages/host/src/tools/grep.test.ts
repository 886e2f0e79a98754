import assert from "node:assert/strict";
import { symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { GREP_LIMITS, grepTool } from "./grep.ts";
import { cut, no, placesIn, whole } from "./test-places.ts";

test("lines are found with their numbers, file by file, without what is ignored", async (t) => {
  const { places, run } = await placesIn(t, {
    ".gitignore": "build/\n",
    "a.ts": "one\r\ntwo foo\r\n\r\nfoo three",
    "build/b.ts": "foo",
    "src/c.md": "\tfoo\n",
  });
  const tool = grepTool(places);
  assert.deepEqual(
    await run(tool, { pattern: "\\bfoo\\b" }),
    whole("a.ts\n2: two foo\n4: foo three\n\nsrc/c.md\n1:   foo"),
  );
  assert.deepEqual(
    await run(tool, { pattern: "FOO$", ignore_case: true, glob: "*.ts" }),
    whole("a.ts\n2: two foo"),
  );
  assert.deepEqual(await run(tool, { pattern: "foo", path: "src" }), whole("src/c.md\n1:   foo"));
  assert.deepEqual(await run(tool, { pattern: "none" }), whole("No line matches."));
});

test("a file that is named is searched even where git ignores it, and not where agents must not", async (t) => {
  const { places, run } = await placesIn(t, {
    ".gitignore": "b\n",
    ".agentsignore": "c\n",
    b: "foo\n",
    c: "foo\n",
  });
  const tool = grepTool(places);
  assert.deepEqual(await run(tool, { pattern: "foo", path: "b" }), whole("b\n1: foo"));
  assert.match(JSON.stringify(await run(tool, { pattern: "foo", path: "c" })), /kept from agents/);
});

test("a pattern that would take forever is ended, and what was found before it is kept", async (t) => {
  const { places, run } = await placesIn(t, {
    "a.txt": "aaab\n",
    "b.txt": `${"a".repeat(50)}!\n`,
  });
  const tool = grepTool(places, { ...GREP_LIMITS, timeMs: 1500 });
  const hostile = "^(a+)+b?$|aaab";
  assert.deepEqual(
    await run(tool, { pattern: hostile }),
    cut(
      "a.txt\n1: aaab\n\n(stopped after 1.5 seconds; a simpler pattern or a smaller folder takes less)",
    ),
  );
  assert.deepEqual(
    await run(tool, { pattern: hostile, path: "b.txt" }),
    no(
      "nothing found: stopped after 1.5 seconds; a simpler pattern or a smaller folder takes less",
    ),
  );
});

test("a search that is stopped ends at once, also inside a hostile pattern", async (t) => {
  const { places, run } = await placesIn(t, { "b.txt": `${"a".repeat(50)}!\n` });
  const control = new AbortController();
  const running = run(grepTool(places), { pattern: "^(a+)+$" }, { signal: control.signal });
  setTimeout(() => control.abort(), 300);
  assert.deepEqual(await running, no("stopped before it was done"));
});

test("the cap on lines ends the search and is said", async (t) => {
  const { places, run } = await placesIn(t, { a: "x\nx\nx\n", b: "x\n" });
  assert.deepEqual(
    await run(grepTool(places, { ...GREP_LIMITS, lines: 2 }), { pattern: "x" }),
    cut("a\n1: x\n2: x\n\n(the first 2 lines: a narrower search shows the others)"),
  );
});

test("a long line is shown around its match", async (t) => {
  const { places, text } = await placesIn(t, { a: `${"-".repeat(5000)}foo${"-".repeat(5000)}` });
  const found = await text(grepTool(places), { pattern: "foo" });
  assert.equal(found, `a\n1: …${"-".repeat(80)}foo${"-".repeat(217)}…`);
});

test("binary and huge files and links are not searched, and it is said of the first two", async (t) => {
  const { places, root, home, run } = await placesIn(t, { a: "foo", "b.bin": "foo\0", big: "foo" });
  await truncate(join(root, "big"), 100 * 1024 ** 3);
  await writeFile(join(home, "secret"), "foo");
  await symlink("a", join(root, "alias"));
  await symlink(join(home, "secret"), join(root, "out"));
  assert.deepEqual(
    await run(grepTool(places), { pattern: "foo" }),
    whole(
      "a\n1: foo\n\n(not searched: 1 files over 33554432 bytes (big))\n(not searched: 1 binary files)",
    ),
  );
});

test("both dialects of patterns are read, and what is none is refused", async (t) => {
  const { places, run, text } = await placesIn(t, { a: 'é "x-y"\n' });
  const tool = grepTool(places);
  assert.deepEqual(await run(tool, { pattern: "^\\p{L} " }), whole('a\n1: é "x-y"'));
  assert.deepEqual(await run(tool, { pattern: '\\"x\\-y\\"' }), whole('a\n1: é "x-y"'));
  assert.match(
    await text(tool, { pattern: "(" }),
    /^the pattern cannot be used: .*Unterminated group/,
  );
  assert.match(await text(tool, { pattern: "x", glob: "[" }), /^the glob cannot be used: /);
});

test("bytes that are no UTF-8 do not end a search", async (t) => {
  const { places, run } = await placesIn(t, {
    a: Buffer.from([0xff, 0xfe, 0x0a, 0x66, 0x6f, 0x6f]),
  });
  assert.deepEqual(await run(grepTool(places), { pattern: "foo" }), whole("a\n2: foo"));
});
