/**
 * What lies inside the workspace, after every symbolic link is followed.
 *
 * A path that leads out is refused without a word on whether anything is there.
 */
import { type FileHandle, readlink, realpath, stat } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { type Opened, openRegular, type Refused, reasonOf } from "./read-file.ts";

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

/**
 * A regular file inside the workspace, open. Where it lies is asked of the open file again: a folder
 * on the way may have become a link since the path was resolved.
 */
export async function openInside(root: string, path: string): Promise<Opened | Refused> {
  const inside = await resolveInside(root, path);
  if (!inside.ok) return inside;
  const opened = await openRegular(inside.real);
  if (!opened.ok) return opened;
  try {
    if (await liesInside(root, opened.handle, inside.real)) return opened;
  } catch (error) {
    await opened.handle.close();
    return { ok: false, reason: reasonOf(error) };
  }
  await opened.handle.close();
  return { ok: false, reason: OUTSIDE };
}

export async function liesInside(root: string, handle: FileHandle, path: string): Promise<boolean> {
  const realRoot = await realpath(root);
  const place = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined);
  if (place !== undefined) return contains(realRoot, place);
  // Without /proc: the path still leads inside, and to the file that is open.
  const [real, open] = await Promise.all([realpath(path), handle.stat()]);
  const now = await stat(real);
  return contains(realRoot, real) && now.dev === open.dev && now.ino === open.ino;
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
