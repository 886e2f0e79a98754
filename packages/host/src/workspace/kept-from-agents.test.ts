import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { tempFolder } from "../testing/temp-folder.ts";
import { fileLoader } from "./loader.ts";

test("what .agentsignore lists is not read, in any folder; what git ignores is, when it is named", async (t) => {
  const root = await tempFolder(t);
  await mkdir(join(root, "src/private"), { recursive: true });
  await writeFile(join(root, ".agentsignore"), "secret.env\nprivate/\n!open.env\n");
  await writeFile(join(root, "src/.agentsignore"), "*.key\n");
  await writeFile(join(root, ".gitignore"), "build.log\n");
  const names = ["secret.env", "open.env", "build.log", "src/a.ts", "src/a.key", "src/private/x"];
  for (const name of names) await writeFile(join(root, name), name);
  const loader = fileLoader(root);
  const read = async (path: string) => {
    const loaded = await loader.read({ kind: "path", path }, 100);
    return loaded.kind === "unavailable" ? loaded.reason : loaded.kind;
  };
  const KEPT = "kept from agents by .agentsignore";
  assert.deepEqual(await Promise.all(names.map(read)), [
    KEPT,
    "whole",
    "whole",
    "whole",
    KEPT,
    KEPT,
  ]);
  const range = { start: 1, end: 1 };
  const ranged = await loader.readRange({ kind: "path", path: "secret.env" }, range, 100);
  assert.deepEqual(ranged, { kind: "unavailable", reason: KEPT });
});
