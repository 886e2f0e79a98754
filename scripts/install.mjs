/**
 * Set-up: brings node_modules in step with the lockfile, once. A stamp inside node_modules holds
 * the fingerprint of what was installed; it is removed before npm starts and written only after
 * npm succeeded, so an interrupted install is never taken for a whole one. Runs on Node 20.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { collectChild, failed } from "./child.mjs";
import { takeTurn } from "./install-lock.mjs";
import { linkNode } from "./pinned-node.mjs";

/** The manifest fields that decide what an install makes; a new script is no reason to install. */
const INSTALLED = [
  "name",
  "version",
  "bin",
  "workspaces",
  "overrides",
  "dependencies",
  "devDependencies",
  "optionalDependencies",
  "peerDependencies",
];

/** @param {string} root */
const stampPath = (root) => join(root, "node_modules", ".galley-stamp");

/** @param {string} path @returns {Record<string, unknown>} */
const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));

/** @param {string} root */
export function fingerprint(root) {
  const hash = createHash("sha256");
  hash.update(`${process.platform}-${process.arch}\n`);
  hash.update(readFileSync(join(root, "package-lock.json")));
  const workspaces = /** @type {string[]} */ (readJson(join(root, "package.json")).workspaces);
  for (const folder of [".", ...workspaces]) {
    const manifest = readJson(join(root, folder, "package.json"));
    hash.update(JSON.stringify(INSTALLED.map((field) => manifest[field] ?? null)));
  }
  return hash.digest("hex");
}

/** @param {string} root */
export function isInstalled(root) {
  const path = stampPath(root);
  return existsSync(path) && readFileSync(path, "utf8") === fingerprint(root);
}

/** @param {string} root */
export function writeStamp(root) {
  mkdirSync(join(root, "node_modules"), { recursive: true });
  writeFileSync(stampPath(root), fingerprint(root));
}

/** npm lines that say nothing a person could act on here. */
const NOISE = /^npm warn (EBADENGINE|deprecated|Unknown (user|env|cli|builtin|project) config)\b/i;

/** @param {string} output */
export function withoutNoise(output) {
  return output
    .split("\n")
    .filter((line) => !NOISE.test(line))
    .join("\n")
    .trim();
}

/** npm as the person started it: the same npm on the same Node, never the Node being replaced.
 * @param {string} cwd @param {readonly string[]} args */
function runNpm(cwd, args) {
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  if (npm !== undefined && node !== undefined) return collectChild(node, [npm, ...args], { cwd });
  return collectChild("npm", args, { cwd, shell: process.platform === "win32" });
}

/** @param {string} root @returns {Promise<import("./child.mjs").Ending>} */
async function install(root) {
  console.error(
    existsSync(join(root, "node_modules"))
      ? "galley: installing dependencies (they changed, about a minute)…"
      : "galley: installing dependencies (first run, about a minute)…",
  );
  rmSync(stampPath(root), { force: true });
  // Named, because a production setting in the environment would leave out the pinned Node.
  const include = ["--include=dev", "--include=optional"];
  const ending = await runNpm(root, ["ci", "--no-audit", "--no-fund", ...include]);
  if (!failed(ending)) {
    linkNode(root);
    writeStamp(root);
  }
  const shown = withoutNoise(ending.output);
  if (shown !== "") console.error(shown.replace(/^/gm, "  "));
  if (failed(ending)) {
    const how = ending.signal ?? `exit code ${ending.code}`;
    console.error(`galley: the install did not finish (npm ci: ${how}). Run the command again.`);
  }
  return ending;
}

/** Installs if the stamp does not hold. Two commands started at once install once.
 * @param {string} root @returns {Promise<import("./child.mjs").Ending>} */
export async function ensureInstalled(root) {
  if (isInstalled(root)) return { code: 0, signal: null };
  const leave = await takeTurn(join(root, ".install-lock"));
  try {
    return isInstalled(root) ? { code: 0, signal: null } : await install(root);
  } finally {
    leave();
  }
}
