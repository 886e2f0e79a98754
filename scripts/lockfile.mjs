/**
 * The gate for what gets installed: `node scripts/lockfile.mjs` prints every fault of the
 * manifests and the lockfile and exits 1 if there is one. A registry may lack a platform's build
 * of a version, npm then leaves it out without a word, and only that platform finds out.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { root } from "./repo-files.mjs";

/** @typedef {{ version?: string, resolved?: string, link?: boolean }} Locked */
/** @typedef {{ packages: Record<string, Locked> }} Lock */
/** @typedef {Record<string, unknown>} Manifest */

/** @param {Lock} lock @returns {string[]} */
export function lockFaults(lock) {
  const faults = [];
  for (const [path, entry] of Object.entries(lock.packages)) {
    // A workspace link is "resolved" to its folder; anything else there is a download address.
    const isLink = entry.link === true && lock.packages[entry.resolved ?? ""] !== undefined;
    if (entry.resolved !== undefined && !isLink) {
      faults.push(`${path} records a download address (resolved)`);
    }
    if (!path.includes("linux-x64")) continue;
    const sibling = path.replace("linux-x64", "linux-arm64");
    const version = lock.packages[sibling]?.version;
    if (version !== entry.version) {
      faults.push(`${path} is ${entry.version}, ${sibling} is ${version ?? "missing"}`);
    }
  }
  return faults;
}

const FIELDS = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];

/** @param {string} path @param {Manifest} manifest @returns {string[]} */
export function manifestFaults(path, manifest) {
  return FIELDS.flatMap((field) =>
    Object.entries(/** @type {Record<string, string>} */ (manifest[field] ?? {}))
      .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
      .map(([name, version]) => `${path}: ${name} is ${version}, not one exact version`),
  );
}

/** @param {string} path */
const readJson = (path) => JSON.parse(readFileSync(join(root, path), "utf8"));

function main() {
  const manifests = ["package.json", ...readJson("package.json").workspaces].map((path) =>
    path.endsWith(".json") ? path : `${path}/package.json`,
  );
  const faults = [
    ...lockFaults(readJson("package-lock.json")),
    ...manifests.flatMap((path) => manifestFaults(path, readJson(path))),
  ];
  for (const fault of faults) console.error(`lockfile: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
  else console.error(`lockfile: ${manifests.length} manifests and the lockfile are in order`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) main();
