/**
 * One install at a time in one checkout. The lock is a file with the holder's process id; a lock
 * whose holder is gone is taken over, so a killed install blocks nobody. Runs on Node 20.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";

/** @param {unknown} error @returns {string | undefined} */
const codeOf = (error) => /** @type {NodeJS.ErrnoException} */ (error).code;

/** @param {string} path @returns {boolean} whether the lock is now ours */
function tryLock(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** @param {string} path @returns {number | undefined} the live holder, if there is one */
function holder(path) {
  try {
    const pid = Number(readFileSync(path, "utf8"));
    // An empty file is a holder between creating and writing it: 0 asks about our own group.
    process.kill(pid, 0);
    return pid;
  } catch (error) {
    if (codeOf(error) === "EPERM") return -1;
    return undefined;
  }
}

/**
 * Waits for the lock; returns the function that gives it back.
 * @param {string} path
 * @param {(line: string) => void} [say]
 * @returns {Promise<() => void>}
 */
export async function takeTurn(path, say = console.error) {
  let told = false;
  while (!tryLock(path)) {
    if (holder(path) === undefined) {
      rmSync(path, { force: true });
      continue;
    }
    if (!told) say("galley: waiting for another install in this folder to end…");
    told = true;
    await sleep(300);
  }
  return () => rmSync(path, { force: true });
}
