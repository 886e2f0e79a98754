/** The real command line as a child process: what it printed, how it ended, what it left behind. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { readdir, readlink, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

export const DOOR = fileURLToPath(new URL("../../bin/galley.mjs", import.meta.url));

/** Shared by all runs: only the first has to compile. */
const CACHES = join(tmpdir(), "galley-test-caches");

export type Run = {
  readonly words: readonly string[];
  readonly cwd: string;
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  /** Another user, where this process may become one. */
  readonly uid?: number;
};

export type Ended = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
};

export function startGalley(run: Run) {
  mkdirSync(CACHES, { recursive: true });
  const { PATH = "", NODE_OPTIONS = "" } = process.env;
  // Nothing of the tester's own configuration reaches the child.
  const own = { PATH, NODE_OPTIONS, GALLEY_HOME: run.home, HOME: run.home, XDG_CACHE_HOME: CACHES };
  const env = { ...own, ...run.env };
  return spawn(process.execPath, [DOOR, ...run.words], {
    cwd: run.cwd,
    env,
    stdio: "pipe",
    ...(run.uid !== undefined && { uid: run.uid, gid: run.uid }),
  });
}

export function runGalley(run: Run): Promise<Ended> {
  const child = startGalley(run);
  const printed = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    printed.stderr += text;
  });
  // A child that refuses early does not read the rest: that is its right.
  child.stdin.on("error", () => undefined);
  child.stdin.end(run.stdin ?? "");
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal, ...printed }));
  });
}

/** Names, sizes and times of everything in a folder, in one line. */
export async function fingerprint(folder: string): Promise<string> {
  const hash = createHash("sha256");
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  for (const path of [folder, ...paths]) {
    const link = await readlink(path).catch(() => undefined);
    const { size, mtimeMs, mode } =
      link === undefined ? await stat(path) : { size: 0, mtimeMs: 0, mode: 0 };
    hash.update(JSON.stringify([path, link, size, mtimeMs, mode]));
  }
  return hash.digest("hex");
}
