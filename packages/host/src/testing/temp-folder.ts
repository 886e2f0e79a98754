/** A folder for one test, filled as told and gone afterwards. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";

export type Files = Readonly<Record<string, string | Uint8Array>>;

export async function tempFolder(
  t: Pick<TestContext, "after">,
  files: Files = {},
): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "galley-host-")));
  // A host that was just closed may still put its last file down.
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}
