/** A sandbox of bubblewrap: namespaces of its own for files, processes, users and network. */
import { type Bubble, bubbleArgs, INNER_HOME, INNER_SCRATCH } from "./bwrap-args.ts";
import { boundProcesses, type ProcessBound } from "./process-bound.ts";
import { runProcess } from "./run-process.ts";
import type { Sandbox } from "./sandbox.ts";
import { shellLine } from "./shell-line.ts";

export type FoundBubblewrap = Bubble & { readonly file: string; readonly version: string };

/** What bubblewrap takes of arguments, with room for ours. */
const MOST_HIDDEN = 2000;

export function bubblewrapSandbox(found: FoundBubblewrap): Sandbox {
  return {
    name: `bubblewrap ${found.version}`,
    isContained: true,
    scratchAt: () => INNER_SCRATCH,
    async run({ command, reach, env }, limits, watcher) {
      if (reach.hidden.length > MOST_HIDDEN) {
        const reason = `more than ${MOST_HIDDEN} files and folders would have to be hidden`;
        return { kind: "failed", reason };
      }
      if (reach.workspace?.root === "/") {
        return { kind: "failed", reason: "the workspace is the whole system" };
      }
      const args = bubbleArgs(found, reach);
      // Through a channel: there may be more of them than a command line holds.
      const own = ["--args", "3", "--info-fd", "4", "--", ...shellLine(command, limits, true)];
      const bound = boundProcesses(limits.processes);
      const [file = "", ...rest] = [...enter(bound), found.file, ...own];
      const end = await runProcess(
        {
          file,
          args: rest,
          extra: Buffer.from(args.map((each) => `${each}\0`).join("")),
          env: { ...env, HOME: INNER_HOME, TMPDIR: "/tmp" },
          cwd: "/",
          isNamespace: true,
        },
        limits,
        watcher,
      );
      await bound?.release();
      return end;
    },
  };
}

/** Goes into the group first, and becomes the program then. */
const enter = (bound: ProcessBound | undefined): readonly string[] =>
  bound ? ["/bin/sh", "-c", 'echo $$ > "$0" && exec "$@"', bound.door] : [];
