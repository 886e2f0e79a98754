/**
 * Finds a Chrome or Chromium for the browser tests, installs Debian's where that is possible, and
 * otherwise fails with what to do: a browser test is never left out in silence. Runs on Node 20.
 */
import { existsSync } from "node:fs";
import { posix, win32 } from "node:path";
import process from "node:process";
import { collectChild, failed } from "./child.mjs";
import { Refusal } from "./refusal.mjs";

const LINUX = ["google-chrome-stable", "google-chrome", "chromium", "chromium-browser", "chrome"];
const MAC = ["Google Chrome", "Chromium", "Google Chrome for Testing"];

/** @typedef {Readonly<Record<string, string | undefined>>} Env */

/**
 * Where a browser may be, best first.
 * @param {string} platform
 * @param {Env} env
 * @returns {string[]}
 */
export function browserPlaces(platform, env) {
  if (platform === "win32") {
    const roots = [env.PROGRAMFILES, env["PROGRAMFILES(X86)"], env.LOCALAPPDATA];
    return roots.flatMap((root) =>
      root === undefined
        ? []
        : [
            win32.join(root, "Google", "Chrome", "Application", "chrome.exe"),
            win32.join(root, "Chromium", "Application", "chrome.exe"),
          ],
    );
  }
  if (platform === "darwin") {
    const roots = ["/Applications", ...(env.HOME ? [posix.join(env.HOME, "Applications")] : [])];
    return MAC.flatMap((name) =>
      roots.map((root) => posix.join(root, `${name}.app`, "Contents", "MacOS", name)),
    );
  }
  const folders = [...(env.PATH ?? "").split(":"), "/usr/bin", "/usr/local/bin", "/snap/bin"];
  return LINUX.flatMap((name) =>
    folders.filter((folder) => folder !== "").map((folder) => posix.join(folder, name)),
  );
}

/**
 * The browser that is there, or undefined. A `CHROME_PATH` that leads nowhere is an error: to
 * test another browser than the one asked for would be a lie.
 * @param {string} platform
 * @param {Env} env
 * @param {(path: string) => boolean} exists
 */
export function findBrowser(platform, env, exists = existsSync) {
  if (env.CHROME_PATH) {
    if (exists(env.CHROME_PATH)) return env.CHROME_PATH;
    throw new Refusal(`CHROME_PATH is ${env.CHROME_PATH}, and there is nothing there`);
  }
  return browserPlaces(platform, env).find((path) => exists(path));
}

/** Runs a command and shows its output only if it fails.
 * @param {string} command @param {readonly string[]} args */
async function quietly(command, args) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const ending = await collectChild(command, args, { env });
  if (!failed(ending)) return;
  console.error(ending.output.trim());
  throw new Refusal(`${command} ${args.join(" ")} failed; its words are above`);
}

/** @returns {Promise<string>} the path of a browser */
export async function ensureBrowser() {
  const found = findBrowser(process.platform, process.env);
  if (found !== undefined) return found;
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) {
    throw new Refusal(
      "the browser tests need Chrome or Chromium: install one, or set CHROME_PATH to it",
    );
  }
  console.error("galley: installing Debian's chromium for the browser tests (about a minute)…");
  await quietly("apt-get", ["update"]);
  await quietly("apt-get", ["install", "-y", "--no-install-recommends", "chromium"]);
  const installed = findBrowser(process.platform, process.env);
  if (installed === undefined) throw new Refusal("chromium was installed but is not found");
  return installed;
}
