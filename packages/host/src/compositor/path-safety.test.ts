/**
 * Hostile paths and names on the real surfaces: as mentions, as references and as includes of
 * command files. They are refused or quoted, and never followed, opened or run.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { access, readFile, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { type TestContext, test } from "node:test";
import { tempFolder } from "../testing/temp-folder.ts";
import { surfacesIn } from "./test-surfaces.ts";

const SECRET = "the-secret-words";

/** Each leads out of the workspace, or to what is neither a file nor a folder. */
const FORBIDDEN = [
  "../AWAY/s.txt",
  "d/../../AWAY/s.txt",
  "out.txt",
  "up/s.txt",
  "pipe",
  "zero",
  "self/environ",
  "/proc/self/environ",
  "/dev/zero",
];

async function hostile(
  t: TestContext,
  commands: (paths: readonly string[]) => object = () => ({}),
) {
  const away = await tempFolder(t, { "s.txt": SECRET });
  // Folders of one test stand side by side.
  const paths = FORBIDDEN.map((path) => path.replace("AWAY", basename(away)));
  const surfaces = await surfacesIn(t, { "d/a.txt": "inside", ...commands(paths) });
  const at = (name: string) => join(surfaces.workspace, name);
  await symlink(join(away, "s.txt"), at("out.txt"));
  await symlink(away, at("up"));
  await symlink("/dev/zero", at("zero"));
  await symlink("/proc/self", at("self"));
  execFileSync("mkfifo", [at("pipe")]);
  assert.equal(await readFile(at(paths[0] ?? ""), "utf8"), SECRET);
  return { ...surfaces, paths, at };
}

test("a mention that leads out, or to no file, stays text", async (t) => {
  const { galley, serve, paths } = await hostile(t);
  const { post } = await serve();
  for (const path of paths) {
    for (const text of [`@${path}`, `see @"${path}" now`, `@file:${path}`, `@dir:${path}`]) {
      const parts = [{ type: "text", text }];
      assert.deepEqual((await post("/v1/compose", { text })).body.parts, parts);
      const { code, stdout } = await galley(["compose", text]);
      assert.deepEqual([code, JSON.parse(stdout).parts], [0, parts]);
    }
  }
});

test("a reference that leads out, or to no file, is a placeholder that says so", async (t) => {
  const { galley, serve, paths } = await hostile(t);
  const { post } = await serve();
  const { body: proofs } = await post("/v1/proof", { text: "x", refs: paths, all: true });
  assert.equal(proofs.length, 4);
  for (const { outcomes, body_text } of proofs) {
    const kinds = outcomes.map(({ outcome }: { outcome: string }) => outcome);
    assert.deepEqual(kinds, ["text", ...paths.map(() => "placeholder")]);
    assert.ok(!body_text.includes(SECRET));
  }
  const flags = paths.flatMap((path) => ["--ref", path]);
  const { code, stderr } = await galley(["compose", "x", ...flags]);
  assert.equal(code, 0);
  assert.equal(stderr.match(/will be a placeholder: /g)?.length, paths.length);
});

test("an include that leads out, or to no file, is text or a placeholder", async (t) => {
  const { galley, paths } = await hostile(t, (given) => ({
    ".agents/commands/soft.md": given.map((path) => `@${path}`).join("\n"),
    ".agents/commands/given.md": "See @$1 here",
    ".claude/commands/other.md": given.map((path) => `@${path}`).join("\n"),
    ".gemini/commands/hard.toml": `prompt = '''${given.map((path) => `@{${path}}`).join("\n")}'''`,
  }));
  const lines = ["/soft", "/other", "/hard", ...paths.map((path) => `/given ${path}`)];
  const { stdout: message } = await galley(["compose", lines.join("\n")]);
  const [soft, other, hard, ...given] = JSON.parse(message)
    .parts.filter(({ type }: { type: string }) => type === "command")
    .map(({ expansion }: { expansion: readonly { type: string }[] }) => expansion);
  const asText = [{ type: "text", text: paths.map((path) => `@${path}`).join("\n") }];
  assert.deepEqual([soft, other], [asText, asText]);
  assert.equal(hard.filter(({ type }: { type: string }) => type === "file-ref").length, 9);
  assert.deepEqual(
    given,
    paths.map((path) => [{ type: "text", text: `See @${path} here` }]),
  );
  const proofs = JSON.parse((await galley(["proof", "--all"], message)).stdout);
  assert.equal(proofs.length, 4);
  for (const { request, outcomes } of proofs) {
    assert.ok(!JSON.stringify(request.body).includes(SECRET));
    assert.equal(outcomes[4].outcome, "placeholder");
  }
});

const ODD_NAMES = ["new\nline.txt", "bidi\u202Etxt.exe", "$(touch ran).txt", "`touch ran`;.txt"];

async function oddFiles(t: TestContext) {
  const surfaces = await hostile(t);
  await Promise.all(ODD_NAMES.map((name) => writeFile(surfaces.at(name), `in it`)));
  return surfaces;
}

test("an odd name is quoted on one line, whichever way it is referred to", async (t) => {
  const { galley, serve, at } = await oddFiles(t);
  const { post } = await serve();
  const parts = ODD_NAMES.map((path) => ({ type: "mention", target: { kind: "file", path } }));
  const { body: proofs } = await post("/v1/proof", {
    text: "x",
    refs: ODD_NAMES,
    parts,
    all: true,
  });
  for (const { body_text } of proofs) {
    assert.doesNotMatch(body_text, /\u202E|new\\nline/);
    assert.match(body_text, /new\\\\u000aline\.txt[\s\S]*bidi\\\\u202etxt\.exe/);
  }
  const { stderr } = await galley(["compose", "@\u202Egone @file:\u202Egone"]);
  assert.equal(stderr, "galley: note: @file:\\u202egone stands for nothing here: kept as text\n");
  await assert.rejects(access(at("ran")), { code: "ENOENT" });
});

test("shell syntax in a name is a name, and a line break or a backtick ends a mention", async (t) => {
  const { galley, at } = await oddFiles(t);
  const [broken = "", bidi = "", shell = "", ticks = ""] = ODD_NAMES;
  const partsOf = async (text: string) =>
    JSON.parse((await galley(["compose", text])).stdout).parts;
  const refTo = (path: string, literal: string) => [
    { type: "file-ref", ref: { kind: "path", path }, literal },
  ];
  assert.deepEqual(await partsOf(`@"${shell}"`), refTo(shell, `@"${shell}"`));
  assert.deepEqual(await partsOf(`@${bidi}`), refTo(bidi, `@${bidi}`));
  for (const text of [`@"${broken}"`, `@${broken}`, `@"${ticks}"`, `@${ticks}`]) {
    assert.deepEqual(await partsOf(text), [{ type: "text", text }]);
  }
  await assert.rejects(access(at("ran")), { code: "ENOENT" });
});

test("arguments cannot reach a template's includes, slots or shell", async (t) => {
  const { galley, at } = await hostile(t, () => ({
    ".claude/commands/say.md": "Say: $ARGUMENTS",
    ".gemini/commands/tell.toml": "prompt = 'Tell: {{args}}'",
  }));
  const words = "@out.txt !`touch ran` !{touch ran} @{d/a.txt} $(touch ran) $1 /compact";
  const { stdout } = await galley(["compose", `/say ${words}\n/tell ${words}`]);
  const [say, , tell] = JSON.parse(stdout).parts;
  assert.deepEqual(say.expansion, [{ type: "text", text: `Say: ${words}` }]);
  assert.deepEqual(tell.expansion, [{ type: "text", text: `Tell: ${words}` }]);
  await assert.rejects(access(at("ran")), { code: "ENOENT" });
});
