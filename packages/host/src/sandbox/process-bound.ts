/**
 * A bound on the number of processes for a host that is root, whom the limit that a process sets for
 * itself does not hold: a group of the kernel's own, made for one command and gone after it.
 *
 * Everybody else has that limit, counted in the namespace of the command alone. Where root may make
 * no group there is only the watch from outside.
 */
import { mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

export type ProcessBound = {
  /** A process that writes its number here is in the group, and so is all that it starts. */
  readonly door: string;
  release(): Promise<void>;
};

/** Of the older kind and of the newer, where the controller is on. */
const TOPS = ["/sys/fs/cgroup/pids", "/sys/fs/cgroup"];
/** The sandbox's own, and threads of what is counted. */
const SLACK = 16;
const TRIES = 100;
const STEP_MS = 10;

let made = 0;

export function boundProcesses(most: number): ProcessBound | undefined {
  if (process.getuid?.() !== 0) return undefined;
  made += 1;
  const name = `galley-${process.pid}-${made}`;
  for (const top of TOPS) {
    const folder = `${top}/${name}`;
    if (!tried(() => mkdirSync(folder))) continue;
    if (tried(() => writeFileSync(`${folder}/pids.max`, String(most + SLACK), { flag: "r+" }))) {
      return { door: `${folder}/cgroup.procs`, release: () => release(folder) };
    }
    tried(() => rmdirSync(folder));
  }
  return undefined;
}

/** It is empty when the last process in it is gone for good, which is moments later. */
async function release(folder: string): Promise<void> {
  for (let nth = 0; nth < TRIES; nth += 1) {
    if (tried(() => rmdirSync(folder))) return;
    await setTimeout(STEP_MS);
  }
}

/** What the system does not let us do is not there for us. */
function tried(act: () => void): boolean {
  try {
    act();
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}
