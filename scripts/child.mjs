/**
 * One child process in the foreground: it has our streams, the signals sent to us reach it, and
 * its end becomes ours. Runs on Node 20, because the set-up does.
 */
import { spawn } from "node:child_process";
import process from "node:process";

/** @typedef {{ code: number, signal: NodeJS.Signals | null }} Ending */

/** @type {readonly NodeJS.Signals[]} */
const RELAYED = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Started by hand in the background, we may outlive our parent; started by npm, we may not. */
const underNpm = () => process.env.npm_lifecycle_event !== undefined;

/** @param {() => void} act @returns {() => void} stops watching */
function onParentGone(act) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    act();
  }, 200);
  return () => clearInterval(watch);
}

/**
 * Hands signals on to a child until the returned function is called. A terminal sends Ctrl-C to
 * the whole foreground group, so there the child already has its SIGINT, and a second one would
 * read as "I mean it". npm signals the shell between it and us, and some shells die of that
 * without a word to us: a new parent is the only trace, and means the same as SIGTERM.
 * @param {import("node:child_process").ChildProcess} child
 * @returns {() => void}
 */
export function relaySignals(child) {
  /** @param {NodeJS.Signals} signal */
  const relay = (signal) => {
    if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
  };
  for (const signal of RELAYED) process.on(signal, relay);
  const unwatch = underNpm() ? onParentGone(() => child.kill("SIGTERM")) : () => {};
  return () => {
    unwatch();
    for (const signal of RELAYED) process.off(signal, relay);
  };
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @returns {Promise<Ending>}
 */
export function endOf(child) {
  const unrelay = relaySignals(child);
  return new Promise((resolve, reject) => {
    child.once("error", (error) => {
      unrelay();
      reject(error);
    });
    child.once("close", (code, signal) => {
      unrelay();
      resolve({ code: code ?? 1, signal });
    });
  });
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<Ending>}
 */
export function runChild(command, args, env = process.env) {
  return endOf(spawn(command, args, { stdio: "inherit", env }));
}

/**
 * Runs a child whose output is for us: both streams as one text, in the order they came.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, shell?: boolean }} [options]
 * @returns {Promise<Ending & { output: string }>}
 */
export async function collectChild(command, args, options = {}) {
  const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  }
  return { ...(await endOf(child)), output };
}

/** @param {Ending} ending */
export function failed(ending) {
  return ending.signal !== null || ending.code !== 0;
}

/** Ends this process the way the child ended: by the same signal, or with the same code.
 * @param {Ending} ending */
export function endLike(ending) {
  process.exitCode = ending.code;
  if (ending.signal !== null) process.kill(process.pid, ending.signal);
}
