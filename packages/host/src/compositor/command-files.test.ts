import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { type Files, tempFolder } from "../testing/temp-folder.ts";
import type { AuthorRoot } from "./author-files.ts";
import { commandFiles, type FoundCommands } from "./command-files.ts";

const project = (folder: string): AuthorRoot => ({ scope: "project", folder });

const namesOf = ({ entries }: FoundCommands) => entries.map(({ name }) => name);
const saysOf = ({ findings }: FoundCommands) =>
  findings.map(({ file, says }) => `${file}: ${says}`);

async function loaded(t: Parameters<typeof tempFolder>[0], files: Files) {
  const root = await tempFolder(t, files);
  return { root, load: () => commandFiles([project(root)]).load() };
}

test("each tool's folder is read in its own dialect, and sub-folders become names", async (t) => {
  const { load } = await loaded(t, {
    ".agents/commands/git/tidy.md": "a",
    ".claude/commands/one.md": "b",
    ".opencode/command/two.md": "c",
    ".opencode/commands/sub/three.md": "d",
    ".gemini/commands/four.toml": 'prompt = "e"',
    ".pi/prompts/five.md": "f",
    ".pi/prompts/deeper/not.md": "g",
    ".agents/commands/readme.txt": "h",
  });
  const { entries, findings } = await load();
  assert.deepEqual(
    entries.map(({ name, source }) => [name, "dialect" in source && source.dialect]),
    [
      ["git:tidy", "galley"],
      ["one", "claude"],
      ["two", "opencode"],
      ["sub/three", "opencode"],
      ["four", "gemini"],
      ["five", "pi"],
    ],
  );
  assert.deepEqual(findings, []);
});

test("a person's own come from their home folder, and are shown from there", async (t) => {
  const home = await tempFolder(t, {
    ".claude/commands/mine.md": "a",
    ".config/opencode/command/theirs.md": "b",
    ".pi/agent/prompts/third.md": "c",
  });
  const { entries } = await commandFiles([{ scope: "user", folder: home }]).load();
  assert.deepEqual(
    entries.map(({ source }) => ("file" in source ? [source.kind, source.file] : [])),
    [
      ["user", "~/.claude/commands/mine.md"],
      ["user", "~/.config/opencode/command/theirs.md"],
      ["user", "~/.pi/agent/prompts/third.md"],
    ],
  );
});

test("no folder at all is no finding", async (t) => {
  const { load } = await loaded(t, {});
  assert.deepEqual(await load(), { entries: [], findings: [] });
});

test("a file that cannot be taken is a finding and hides no other", async (t) => {
  const { root, load } = await loaded(t, {
    ".gemini/commands/broken.toml": "prompt = ",
    ".agents/commands/good.md": "x",
    ".agents/commands/large.md": "x".repeat(256 * 1024 + 1),
    ".agents/commands/latin.md": new Uint8Array([0xff, 0xfe]),
    ".agents/commands/bidi\u202Egnp.md": "x",
    ".agents/commands/new\nline.md": "x",
  });
  execFileSync("mkfifo", [join(root, ".agents/commands/pipe.md")]);
  const found = await load();
  assert.deepEqual(namesOf(found), ["good"]);
  const at = ".agents/commands";
  const unseen = "not read: its name holds characters that cannot be seen";
  assert.deepEqual(saysOf(found).slice(0, 5), [
    `${at}/bidi\\u202egnp.md: ${unseen}`,
    `${at}/new\\u000aline.md: ${unseen}`,
    `${at}/pipe.md: not read: not a regular file`,
    `${at}/large.md: not read: it is larger than 262144 bytes`,
    `${at}/latin.md: not read: it is not UTF-8`,
  ]);
  assert.match(saysOf(found)[5] ?? "", /^\.gemini\/commands\/broken\.toml: not TOML: /);
  assert.equal(found.findings.length, 6);
});

test("a link is followed inside the root and refused where it leads out of it", async (t) => {
  const outer = await tempFolder(t, {
    "w/.agents/commands/real.md": "x",
    "w/kept/inner.md": "x",
    "secret/out.md": "x",
  });
  const at = (path: string) => join(outer, "w/.agents/commands", path);
  await symlink("../../kept/inner.md", at("linked.md"));
  await symlink("../../kept", at("folder"));
  await symlink("../../../secret/out.md", at("out.md"));
  await symlink("../../../secret", at("away"));
  await symlink("nowhere.md", at("lost.md"));
  await symlink("/dev/zero", at("zero.md"));
  await symlink("..", at("round"));
  const found = await commandFiles([project(join(outer, "w"))]).load();
  assert.deepEqual(namesOf(found), ["linked", "real", "folder:inner"]);
  const out = "not read: it leads out of the workspace";
  assert.deepEqual(saysOf(found), [
    `.agents/commands/away: ${out}`,
    ".agents/commands/lost.md: not read: no such file",
    `.agents/commands/out.md: ${out}`,
    `.agents/commands/zero.md: ${out}`,
  ]);
});

test("a whole folder that leads out, or is none, is refused", async (t) => {
  const outer = await tempFolder(t, { "w/.agents/commands": "a file", "secret/x.md": "x" });
  await mkdir(join(outer, "w/.claude"));
  await symlink(join(outer, "secret"), join(outer, "w/.claude/commands"));
  const found = await commandFiles([project(join(outer, "w"))]).load();
  assert.deepEqual(namesOf(found), []);
  assert.deepEqual(saysOf(found), [
    ".agents/commands: not read: not a folder",
    ".claude/commands: not read: it leads out of the workspace",
  ]);
});

test("a folder that is a link to another has the same commands, not more", async (t) => {
  const { root, load } = await loaded(t, { ".agents/commands/a.md": "x" });
  await mkdir(join(root, ".claude"));
  await symlink("../.agents/commands", join(root, ".claude/commands"));
  assert.deepEqual(namesOf(await load()), ["a"]);
});

test("a folder without end is cut, and it is said", async (t) => {
  const { root, load } = await loaded(t, {});
  const folder = join(root, ".agents/commands");
  await mkdir(folder, { recursive: true });
  const names = Array.from({ length: 2001 }, (_, index) => join(folder, `${index}.md`));
  await Promise.all(names.map((name) => writeFile(name, "x")));
  const found = await load();
  assert.equal(found.entries.length, 2000);
  assert.deepEqual(saysOf(found), [
    ".agents/commands: not read: more than 2000 entries, and the rest is not looked at",
  ]);
});

test("a command is there as it is now: written, changed, removed", async (t) => {
  const root = await tempFolder(t);
  const files = commandFiles([project(root)]);
  const described = async () => (await files.load()).entries.map(({ description }) => description);
  assert.deepEqual(await described(), []);
  await mkdir(join(root, ".agents/commands"), { recursive: true });
  await writeFile(join(root, ".agents/commands/a.md"), "first");
  assert.deepEqual(await described(), ["first"]);
  await writeFile(join(root, ".agents/commands/a.md"), "second one");
  assert.deepEqual(await described(), ["second one"]);
  await rm(join(root, ".agents/commands/a.md"));
  assert.deepEqual(await described(), []);
});
