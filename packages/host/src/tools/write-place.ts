/**
 * The folder that a file is written into, open, and the file's name in it.
 *
 * Everything is done through the open folder, where the system lets us: a folder on the way that
 * becomes a link between the check and the write leads nowhere, because nobody walks the way again.
 */
import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { isKeptFromAgents, KEPT } from "../workspace/kept-from-agents.ts";
import { isOwnPath, OWN } from "../workspace/own-files.ts";
import { type Refused, reasonOf } from "../workspace/read-file.ts";
import { contains, liesInside, OUTSIDE, resolveInside } from "../workspace/roots.ts";
import type { Place } from "./target.ts";

export type WritePlace = {
  readonly ok: true;
  readonly handle: FileHandle;
  /** The folder, as a path that leads to what is open. */
  readonly folder: string;
  readonly name: string;
  /** The file after links: what two calls about one file have in common. */
  readonly real: string;
};

export const GITS_OWN = "git's own files are written by git alone";
const NEVER = ["/proc", "/sys", "/dev"];
const FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** Makes the folders that are missing. Whoever gets it closes the handle. */
export async function openPlace(place: Place): Promise<WritePlace | Refused> {
  const found = await findPlace(place);
  if (!found.ok) return found;
  const { real, missing, root } = found;
  const reason = await problemOf(place, root, real);
  if (reason !== undefined) return { ok: false, reason };
  const folder = missing.reduce((inner) => dirname(inner), dirname(real));
  try {
    const handle = await openFolders(root, folder, missing);
    if (handle === undefined) return { ok: false, reason: OUTSIDE };
    return { ok: true, handle, folder: pathOf(handle, dirname(real)), name: basename(real), real };
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  }
}

type Found = {
  readonly ok: true;
  readonly root: string;
  readonly real: string;
  /** Folders between one that is there and the file. */
  readonly missing: readonly string[];
};

async function findPlace({ root, path }: Place): Promise<Found | Refused> {
  const top = await resolveInside(root, ".");
  if (!top.ok) return top;
  const there = await resolveInside(root, path);
  if (there.ok) return { ok: true, root: top.real, real: there.real, missing: [] };
  if (there.reason !== "no such file") return there;
  const named = resolve(root, path);
  // The name of a link that leads nowhere is taken all the same.
  if (await isThere(named)) return { ok: false, reason: "symbolic links that lead nowhere" };
  const missing: string[] = [];
  for (let folder = dirname(named); ; folder = dirname(folder)) {
    const inside = await resolveInside(root, folder);
    if (inside.ok) {
      return {
        ok: true,
        root: top.real,
        real: join(inside.real, ...missing, basename(named)),
        missing,
      };
    }
    if (inside.reason !== "no such file") return inside;
    if (await isThere(folder)) return { ok: false, reason: "a folder on the way is none" };
    missing.unshift(basename(folder));
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    return reasonOf(error) !== "no such file";
  }
}

async function problemOf(place: Place, root: string, real: string): Promise<string | undefined> {
  if (real === root) return "is a directory";
  if (NEVER.some((folder) => contains(folder, real))) return OUTSIDE;
  if (isOwnPath(real)) return OWN;
  if (place.isScratch) return undefined;
  if (relative(root, real).split(sep).includes(".git")) return GITS_OWN;
  return (await isKeptFromAgents(root, real)) ? KEPT : undefined;
}

/** One after the other, each through the one before; undefined when the first lies elsewhere by now. */
async function openFolders(
  root: string,
  first: string,
  missing: readonly string[],
): Promise<FileHandle | undefined> {
  let handle = await open(first, FOLDER);
  let named = first;
  try {
    if (!(await liesInside(root, handle, first))) {
      await handle.close();
      return undefined;
    }
    for (const name of missing) {
      const next = join(pathOf(handle, named), name);
      await mkdir(next, { recursive: true });
      const inner = await open(next, FOLDER);
      await handle.close();
      handle = inner;
      named = join(named, name);
    }
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

const pathOf = (handle: FileHandle, named: string): string =>
  process.platform === "linux" ? `/proc/self/fd/${handle.fd}` : named;
