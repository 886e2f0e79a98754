import assert from "node:assert/strict";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { Pipeline } from "../pipeline/pipeline.ts";
import { tempFolder } from "../testing/temp-folder.ts";
import { openWorkspaces } from "./workspaces.ts";

const pipeline = (name: string, closed: string[]): Pipeline =>
  // Only that it is closed is asked here.
  ({ name, close: async () => void closed.push(name) }) as unknown as Pipeline;

test("a session works in the host's folder or inside it, and nowhere else", async (t) => {
  const root = await tempFolder(t, { "inside/a.txt": "", "file.txt": "" });
  const elsewhere = await tempFolder(t);
  await symlink(elsewhere, join(root, "out"));
  const own = pipeline("own", []);
  const { check } = openWorkspaces({ root, reach: "workspace", own, open: () => own });
  assert.equal(await check(undefined), root);
  assert.equal(await check(null), root);
  assert.equal(await check("inside"), join(root, "inside"));
  assert.equal(await check(join(root, "inside")), join(root, "inside"));
  for (const folder of ["out", "..", elsewhere, "/", "file.txt", "none", "inside/../../x"]) {
    await assert.rejects(check(folder), { code: "host.bad_workspace" }, folder);
  }
});

test("where the host works for the person alone, any folder will do", async (t) => {
  const root = await tempFolder(t);
  const elsewhere = await tempFolder(t);
  const own = pipeline("own", []);
  const { check } = openWorkspaces({ root, reach: "anywhere", own, open: () => own });
  assert.equal(await check(elsewhere), elsewhere);
  await assert.rejects(check(join(elsewhere, "none")), { code: "host.bad_workspace" });
});

test("each folder has its pipeline, the least used is closed, and all are at the end", async (t) => {
  const names = Array.from({ length: 9 }, (_, index) => `f${index}`);
  const root = await tempFolder(t, Object.fromEntries(names.map((name) => [`${name}/a`, ""])));
  const closed: string[] = [];
  const opened: string[] = [];
  const own = pipeline("own", closed);
  const open = (folder: string) => {
    const name = folder.slice(root.length + 1);
    opened.push(name);
    return pipeline(name, closed);
  };
  const workspaces = openWorkspaces({ root, reach: "workspace", own, open });
  assert.equal(await workspaces.pipelineOf(null), own);
  for (const name of names.slice(0, 8)) await workspaces.pipelineOf(join(root, name));
  await workspaces.pipelineOf(join(root, "f0"));
  await workspaces.pipelineOf(join(root, "f8"));
  assert.deepEqual(opened, names);
  assert.deepEqual(closed, ["f1"]);
  await workspaces.close();
  assert.equal(closed.length, 10);
});
