/**
 * Which sandbox this system has: bubblewrap, when it is installed and the kernel lets it work. It is
 * tried, not believed: many containers have the program and forbid what it does.
 */
import { execFile } from "node:child_process";
import { existsSync, lstatSync, readlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { wordsOf } from "../attachments/tried.ts";
import { bubblewrapSandbox, type FoundBubblewrap } from "./bubblewrap.ts";
import { bubbleArgs, type SystemFolder } from "./bwrap-args.ts";
import type { Sandbox } from "./sandbox.ts";

export type SandboxSearch =
  | { readonly ok: true; readonly sandbox: Sandbox }
  | { readonly ok: false; readonly reason: string; readonly mend: string };

/** Never by the search path: a project may have put a folder of its own on it. */
const PLACES = [
  "/usr/bin/bwrap",
  "/usr/local/bin/bwrap",
  "/bin/bwrap",
  "/run/current-system/sw/bin/bwrap",
];
const SYSTEM = [
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
  "/opt",
  "/nix/store",
];
const INSTALL = "install bubblewrap (Debian: apt install bubblewrap)";

let found: Promise<SandboxSearch> | undefined;

/** Looked for once in a process: what is installed does not change under it. */
export function findSandbox(): Promise<SandboxSearch> {
  found ??= search(process.platform, PLACES);
  return found;
}

/** Exported for tests: the same, of another system. */
export async function search(platform: string, places: readonly string[]): Promise<SandboxSearch> {
  if (platform !== "linux") {
    const reason = `there is none for ${platform} yet`;
    return { ok: false, reason, mend: "run the host on Linux, or answer for each command" };
  }
  const file = places.find((path) => existsSync(path));
  if (file === undefined)
    return { ok: false, reason: "bubblewrap is not installed", mend: INSTALL };
  const version = await ask(file, ["--version"]);
  if (!version.ok) return { ok: false, reason: `${file} ${version.reason}`, mend: INSTALL };
  const bubble = bubbleOf(file, version.text);
  const tried = await ask(file, [...bubbleArgs(bubble, NOTHING), "--", "/bin/sh", "-c", "exit 0"]);
  if (tried.ok) return { ok: true, sandbox: bubblewrapSandbox(bubble) };
  const reason = `bubblewrap ${bubble.version} does not work here: ${tried.reason}`;
  return { ok: false, reason, mend: "allow unprivileged user namespaces, also in a container" };
}

/** Enough to see whether every kind of mount is allowed. */
const NOTHING = {
  readable: [],
  workspace: undefined,
  scratch: tmpdir(),
  hidden: [],
  frozen: [],
  own: [],
  home: "/nonexistent",
  network: false,
};

function bubbleOf(file: string, said: string): FoundBubblewrap {
  const version = /\d+\.\d+(\.\d+)?/.exec(said)?.[0] ?? "0.0";
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return { file, version, isRecent: major > 0 || minor >= 8, system: systemFolders() };
}

const systemFolders = (): readonly SystemFolder[] =>
  SYSTEM.filter((path) => existsSync(path)).map((path) =>
    lstatSync(path).isSymbolicLink() ? { path, link: readlinkSync(path) } : { path },
  );

type Asked =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string };

const PATIENCE_MS = 5_000;

function ask(file: string, args: readonly string[]): Promise<Asked> {
  return new Promise((resolve) => {
    execFile(file, args, { env: {}, timeout: PATIENCE_MS }, (error, text, complaint) => {
      const [first = ""] = complaint.trim().split("\n");
      resolve(error ? { ok: false, reason: first || wordsOf(error) } : { ok: true, text });
    });
  });
}
