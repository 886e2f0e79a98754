import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { tempFolder } from "../testing/temp-folder.ts";
import { composeHost, kindInside } from "./compose-host.ts";
import { samplesOf } from "./context-samples.ts";

const samples = samplesOf([], () => 0);

test("only regular files and directories inside the workspace are something", async (t) => {
  const outer = await tempFolder(t, { "w/a.ts": "a", "w/d/b.ts": "b", "out.ts": "o" });
  const root = join(outer, "w");
  execFileSync("mkfifo", [join(root, "pipe")]);
  await symlink("../out.ts", join(root, "out"));
  await symlink("..", join(root, "up"));
  await symlink("d/b.ts", join(root, "link"));
  await symlink("/dev/zero", join(root, "zero"));
  await symlink("/proc/self", join(root, "self"));
  await symlink("loop", join(root, "loop"));
  const table: readonly (readonly [string, string | undefined])[] = [
    ["a.ts", "file"],
    ["d", "directory"],
    ["d/", "directory"],
    [".", "directory"],
    ["d/../a.ts", "file"],
    ["link", "file"],
    ["a.ts/", undefined],
    ["", undefined],
    ["gone", undefined],
    ["..", undefined],
    ["../out.ts", undefined],
    ["../w/a.ts", "file"],
    ["out", undefined],
    ["up/out.ts", undefined],
    ["pipe", undefined],
    ["zero", undefined],
    ["self/environ", undefined],
    ["loop", undefined],
    ["a\0.ts", undefined],
    ["x".repeat(5000), undefined],
    [join(root, "a.ts"), undefined],
    ["/etc/passwd", undefined],
    ["/proc/self/environ", undefined],
  ];
  for (const [path, kind] of table) assert.equal(await kindInside(root, path), kind, path);
});

test("nothing of the kernel's is a file, also where the workspace is the root", async () => {
  for (const path of ["proc/self/environ", "dev/null", "sys"]) {
    assert.equal(await kindInside("/", path), undefined, path);
  }
  assert.equal(await kindInside("/", "tmp"), "directory");
});

test("a skill is mentioned by its exact name, other kinds are the embedder's", async () => {
  const skills = [{ name: "svg-kit", scope: "project", file: "x" }] as const;
  const registry = {
    find: async (kind: string, value: string) =>
      kind === "node" && value === "42" ? { kind, id: value } : undefined,
  };
  const host = composeHost({ workspace: "/nonexistent", skills, samples, registry });
  assert.deepEqual(await host.mention?.("skill", "svg-kit"), { kind: "skill", name: "svg-kit" });
  assert.equal(await host.mention?.("skill", "svg"), undefined);
  assert.deepEqual(await host.mention?.("node", "42"), { kind: "node", id: "42" });
  assert.equal(await host.mention?.("symbol", "42"), undefined);
});

test("it looks and does nothing", () => {
  const host = composeHost({ workspace: "/nonexistent", skills: [], samples });
  assert.deepEqual([host.act, host.shell, host.mcpPrompt], [undefined, undefined, undefined]);
});
