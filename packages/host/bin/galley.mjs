#!/usr/bin/env node
/**
 * The door of the command line: plain JavaScript, so that any Node can read it. It finds a Node
 * that runs TypeScript (this one, or the one pinned beside the checkout) and hands over to
 * src/cli/main.ts. It knows no command.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(import.meta.url);

/** Running TypeScript without a flag: from 22.18 on the 22 line, from 23.6 on the next. */
function runsTypeScript() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major === 22) return minor >= 18;
  return major === 23 ? minor >= 6 : major > 23;
}

/** Looks in every node_modules from here up for a Node that was installed as a package.
 * @returns {string | undefined} */
function findPinnedNode() {
  const windows = process.platform === "win32";
  const name = `node-${windows ? "win" : process.platform}-${process.arch}`;
  for (let folder = dirname(here); ; folder = dirname(folder)) {
    const modules = join(folder, "node_modules");
    const build = join(modules, name, "bin", windows ? "node.exe" : "node");
    const found = [build, join(modules, ".bin", "node")].find((path) => existsSync(path));
    if (found !== undefined) return found;
    if (dirname(folder) === folder) return undefined;
  }
}

/** Runs this file again on another Node and ends as that run ends. @param {string} node */
function runAgainOn(node) {
  // Marked, so that a pinned Node which is itself too old ends in one line and not in a loop.
  const env = { ...process.env, GALLEY_REEXEC: "1" };
  const child = spawn(node, [here, ...process.argv.slice(2)], { stdio: "inherit", env });
  /** @type {readonly NodeJS.Signals[]} */
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  /** @param {NodeJS.Signals} signal */
  const relay = (signal) => {
    // A terminal sends Ctrl-C to the whole group: there the child has it already.
    if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
  };
  for (const signal of signals) process.on(signal, relay);
  child.once("error", (error) => refuse(`${node} does not start: ${error.message}`));
  child.once("close", (code, signal) => {
    for (const each of signals) process.off(each, relay);
    process.exitCode = code ?? 1;
    if (signal !== null) process.kill(process.pid, signal);
  });
}

/** @param {string} why */
function refuse(why) {
  console.error(`galley: ${why}`);
  process.exitCode = 1;
}

if (runsTypeScript()) {
  delete process.env.GALLEY_REEXEC;
  const { main } = await import("../src/cli/main.ts");
  const code = await main(process.argv.slice(2));
  if (typeof code === "number") process.exitCode = code;
} else {
  const pinned = process.env.GALLEY_REEXEC ? undefined : findPinnedNode();
  if (pinned === undefined) {
    refuse(
      `Node ${process.version} is too old, 22.18 or newer is needed (or run npm install here)`,
    );
  } else {
    runAgainOn(pinned);
  }
}
