/**
 * A file's new content, there at once or not at all: written beside it, made safe on the disk, then
 * put in its place. What the file was when it was looked at is compared once more before that.
 */
import { randomBytes } from "node:crypto";
import { type FileHandle, lstat, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Refused, reasonOf } from "../workspace/read-file.ts";
import type { WritePlace } from "./write-place.ts";

/** What tells one state of a file from another; undefined when there is none. */
export type Stamp =
  | { readonly text: string; readonly mode: number; readonly isFile: boolean }
  | undefined;

export async function stampOf({ folder, name }: WritePlace): Promise<Stamp> {
  try {
    const stats = await lstat(join(folder, name), { bigint: true });
    const { dev, ino, size, mtimeNs, ctimeNs, mode } = stats;
    const text = [dev, ino, size, mtimeNs, ctimeNs].join(" ");
    return { text, mode: Number(mode) & 0o777, isFile: stats.isFile() };
  } catch (error) {
    if (reasonOf(error) === "no such file") return undefined;
    throw error;
  }
}

export const CHANGED = "it was changed by somebody else meanwhile; nothing was written";

export async function publish(
  place: WritePlace,
  before: Stamp,
  bytes: Uint8Array,
): Promise<{ readonly ok: true } | Refused> {
  const draft = join(place.folder, `.galley-${randomBytes(8).toString("hex")}`);
  try {
    await writeDraft(await open(draft, "wx", before?.mode ?? 0o666), before, bytes);
    if ((await stampOf(place))?.text !== before?.text) {
      await rm(draft, { force: true });
      return { ok: false, reason: CHANGED };
    }
    await rename(draft, join(place.folder, place.name));
    return { ok: true };
  } catch (error) {
    await rm(draft, { force: true });
    return { ok: false, reason: reasonOf(error).replace("cannot be read", "cannot be written") };
  }
}

async function writeDraft(handle: FileHandle, before: Stamp, bytes: Uint8Array): Promise<void> {
  try {
    await handle.writeFile(bytes);
    // The mode of a new file is the system's choice; that of an old one is kept.
    if (before) await handle.chmod(before.mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
