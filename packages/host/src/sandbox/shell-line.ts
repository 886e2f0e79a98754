/**
 * The shell that a command line is given to, with the limits that a process can only set for itself.
 * Its errors go where its output goes, so that both keep their order.
 */
import { existsSync } from "node:fs";
import type { RunLimits } from "./sandbox.ts";

const SHELLS = ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash", "/bin/sh"];
const FILE_KB = 1024 * 1024;

/** Program and arguments. A limit that a shell does not know is left to the watch from outside. */
export function shellLine(
  command: string,
  { memoryMb, processes }: Pick<RunLimits, "memoryMb" | "processes">,
  isAlone: boolean,
): readonly string[] {
  const shell = SHELLS.find((path) => existsSync(path)) ?? "/bin/sh";
  const limits = [
    "ulimit -c 0",
    `ulimit -f ${FILE_KB}`,
    `ulimit -d ${memoryMb * 1024}`,
    // Outside a namespace of its own, all that the person runs would be counted.
    ...(isAlone ? [`ulimit -u ${processes}`] : []),
  ];
  const set = limits.map((each) => `${each} 2>/dev/null`).join("; ");
  return [shell, "-c", `${set}; exec 2>&1; exec "$0" -c "$1"`, shell, command];
}
