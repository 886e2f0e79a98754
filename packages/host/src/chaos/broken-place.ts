/** Places that break on purpose: a disk that is small or read-only, a file that is locked or damaged. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, rmdirSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { TestContext } from "node:test";

export type SmallDisk = {
  readonly folder: string;
  remount(options: string): void;
};

/** A disk of its own, gone after the test; undefined where nobody may mount one. */
export function smallDisk(t: Pick<TestContext, "after">, size: string): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), "galley-disk-"));
  const isMounted = mounts(["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder]);
  t.after(() => {
    if (isMounted) execFileSync("umount", ["-l", folder]);
    rmdirSync(folder);
  });
  if (!isMounted) return undefined;
  return {
    folder,
    remount: (options) => execFileSync("mount", ["-o", `remount,${options}`, folder]),
  };
}

function mounts(words: readonly string[]): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  try {
    execFileSync("mount", words, { stdio: "ignore" });
    return true;
  } catch (error) {
    // In a container root may not mount; any other failure is a failure of the test.
    if ((error as { status?: number }).status === undefined) throw error;
    return false;
  }
}

/** Takes what room is left, to the last block. */
export function fillUp(folder: string): void {
  const file = openSync(join(folder, "filler"), "w");
  for (const size of [65_536, 4_096]) {
    try {
      for (;;) writeSync(file, Buffer.alloc(size));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    }
  }
  closeSync(file);
}

const HOLD = `
import { DatabaseSync } from "node:sqlite";
const db = new DatabaseSync(process.argv[1]);
db.exec("PRAGMA busy_timeout = 5000; BEGIN EXCLUSIVE");
console.log("locked");
process.stdin.resume().on("end", () => process.exit());`;

/** Another process that has the database for itself, until it is told to let go. */
export async function lockedByAnother(
  t: Pick<TestContext, "after">,
  path: string,
): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, ["--input-type=module", "-e", HOLD, path], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  t.after(() => child.kill());
  await once(child.stdout, "data");
  return async () => {
    child.stdin.end();
    await ended;
  };
}

const PAGE = 4096;

export function damageLastPage(path: string): void {
  const file = openSync(path, "r+");
  writeSync(file, Buffer.alloc(PAGE, 0xa5), 0, PAGE, statSync(path).size - PAGE);
  closeSync(file);
}
