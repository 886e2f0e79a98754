/**
 * A shell without a sandbox, for systems that have none: watched, bounded in time and output, and
 * held to nothing else. Only what a person has agreed to may come here.
 *
 * It is ended by its group, and what left the group by a mark in its environment, where the system
 * shows that. A process that does away with both outlives it.
 */
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { runProcess } from "./run-process.ts";
import type { Sandbox } from "./sandbox.ts";
import { shellLine } from "./shell-line.ts";

const MARK = "GALLEY_COMMAND";

export const plainShell: Sandbox = {
  name: "no sandbox",
  isContained: false,
  scratchAt: (folder) => folder,
  async run({ command, reach, env }, limits, watcher) {
    const [file = "/bin/sh", ...args] = shellLine(command, limits, false);
    const cwd = reach.workspace?.root ?? reach.scratch;
    const mark = randomUUID();
    const marked = { ...env, [MARK]: mark };
    const sweep = (): void => endMarked(`${MARK}=${mark}`);
    return runProcess({ file, args, env: marked, cwd, isNamespace: false, sweep }, limits, watcher);
  },
};

function endMarked(mark: string): void {
  if (process.platform !== "linux") return;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const variables = readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
      if (variables.includes(mark)) process.kill(Number(pid), "SIGKILL");
    } catch (error) {
      // Gone meanwhile, or somebody else's: neither is ours to end.
      if (!(error instanceof Error && "code" in error)) throw error;
    }
  }
}
