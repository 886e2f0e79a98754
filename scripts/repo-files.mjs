/**
 * The files of this repository as the checks see them: sorted, with forward slashes, without
 * what is installed, built or recorded. Runs on Node 20.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../", import.meta.url));

export const CODE_FOLDERS = ["packages", "scripts", "conformance", "examples", "bench", "apps"];

const NOT_OURS = new Set([".git", "node_modules", "dist"]);

/** Text that is compared or replayed, never read as code. */
export const DATA = /(^|\/)(goldens|fixtures|recordings|generated)\/|^conformance\/cases\//;

/**
 * @param {string} base
 * @param {string} folder relative to base
 * @returns {string[]} paths relative to base
 */
export function filesUnder(base, folder) {
  if (!existsSync(join(base, folder))) return [];
  return readdirSync(join(base, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = folder === "." ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return NOT_OURS.has(entry.name) ? [] : filesUnder(base, path);
      return [path];
    })
    .sort();
}

/**
 * Code files whose path ends in `suffix`; with words, only those whose path contains one of them.
 * @param {string} suffix
 * @param {readonly string[]} [words]
 * @param {string} [base]
 */
export function codeFiles(suffix, words = [], base = root) {
  const wanted = words.map((word) => word.replaceAll("\\", "/").replace(/^\.\//, ""));
  return CODE_FOLDERS.flatMap((folder) => filesUnder(base, folder))
    .filter((path) => path.endsWith(suffix) && !DATA.test(path))
    .filter((path) => wanted.length === 0 || wanted.some((word) => path.includes(word)))
    .sort();
}
