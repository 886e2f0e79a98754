/**
 * What lies inside the workspace, after every symbolic link is followed.
 *
 * A path that leads out is refused without a word on whether anything is there.
 */
import { realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { type Refused, reasonOf } from "./read-file.ts";

export type Inside = { readonly ok: true; readonly real: string };

export const OUTSIDE = "outside the workspace";

export async function resolveInside(root: string, path: string): Promise<Inside | Refused> {
  const named = resolve(root, path);
  try {
    const [realRoot, real] = await Promise.all([realpath(root), realpath(named)]);
    return contains(realRoot, real) ? { ok: true, real } : { ok: false, reason: OUTSIDE };
  } catch (error) {
    return { ok: false, reason: contains(root, named) ? reasonOf(error) : OUTSIDE };
  }
}

export function contains(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** As it is stored in a message: from the workspace with forward slashes when inside it. */
export async function storedPath(root: string, path: string): Promise<string> {
  const named = resolve(root, path);
  const base = [root, await realOr(root)].find((folder) => contains(folder, named));
  if (base === undefined) return named;
  return relative(base, named).split(sep).join("/") || ".";
}

async function realOr(root: string): Promise<string> {
  try {
    return await realpath(root);
  } catch (error) {
    reasonOf(error);
    return root;
  }
}
