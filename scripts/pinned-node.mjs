/**
 * Which Node runs the work: the one pinned in package.json, whatever started npm. Where npm has
 * no build of it for this platform, the Node at hand does if it is new enough. Runs on Node 20.
 */
import { spawnSync } from "node:child_process";
import { existsSync, symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import process from "node:process";

const WINDOWS = process.platform === "win32";

/** Running TypeScript without a flag: from 22.18 on the 22 line, from 23.6 on the next.
 * @param {string} version */
export function runsTypeScript(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  if (major === 22) return minor >= 18;
  return major === 23 ? minor >= 6 : major > 23;
}

/** Where npm puts the build for this platform, whether or not there is one.
 * @param {string} root */
function pinnedPath(root) {
  const name = `node-${WINDOWS ? "win" : process.platform}-${process.arch}`;
  return join(root, "node_modules", name, "bin", WINDOWS ? "node.exe" : "node");
}

/** @param {string} root @returns {string | undefined} a path to a Node that can run the work */
export function findNode(root) {
  const pinned = pinnedPath(root);
  if (existsSync(pinned) && spawnSync(pinned, ["--version"]).status === 0) return pinned;
  return runsTypeScript(process.versions.node) ? process.execPath : undefined;
}

/**
 * Makes `node` in npm scripts and npx the pinned one. The builds for all platforms claim that
 * name, and npm 10 takes the link away again with the builds that do not fit.
 * @param {string} root
 */
export function linkNode(root) {
  const link = join(root, "node_modules", ".bin", "node");
  if (WINDOWS || existsSync(link) || !existsSync(pinnedPath(root))) return;
  symlinkSync(relative(dirname(link), pinnedPath(root)), link);
}
