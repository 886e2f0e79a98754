/** Folders and programs for the tests of the store: made for one test, and gone after it. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";

export function scratch(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "galley-persist-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export type Program = {
  readonly child: ChildProcess;
  readonly lines: AsyncIterator<string>;
  /** The signal or the exit code. */
  readonly ended: Promise<string | number | null>;
};

/** Runs a file of this folder with the same Node, and reads its lines. */
export function program(file: string, args: readonly string[], uid?: number): Program {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    ...(uid !== undefined && { uid, gid: uid }),
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = new Promise<string | number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(signal ?? code));
  });
  return { child, lines, ended };
}
