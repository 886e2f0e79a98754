/**
 * The folder of a session for what its tools make: under the host's own folder, made when it is
 * first needed, bounded, and gone with the session.
 *
 * What is in it is named `scratch:path` in calls and results, so that a conversation does not carry
 * where the host keeps its files.
 */
import { lstat, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { SessionId } from "@galley/parts";
import { reasonOf } from "../workspace/read-file.ts";

export const SCRATCH = "scratch:";

export interface Scratch {
  /** Where it is, whether it is there or not. */
  folderOf(session: SessionId): string;
  /** Makes it. */
  open(session: SessionId): Promise<string>;
  /** Bytes that may still be written, each file counted as at least one block. */
  room(session: SessionId): Promise<number>;
  /** When a session is deleted. It is no fault when there is none; links are not followed. */
  remove(session: SessionId): Promise<void>;
}

export const SCRATCH_BYTES = 100 * 1024 * 1024;
/** What a file costs at least: a million empty ones fill a disk too. */
export const BLOCK = 4096;

export function scratchFolders(home: string, maxBytes: number = SCRATCH_BYTES): Scratch {
  const top = join(home, "scratch");
  // An id is a name that leads nowhere else, and this is where it becomes a path.
  const folderOf = (session: SessionId): string => join(top, SessionId.parse(session));
  return {
    folderOf,
    async open(session) {
      const folder = folderOf(session);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return folder;
    },
    room: async (session) => Math.max(0, maxBytes - (await usedIn(folderOf(session)))),
    remove: (session) => rm(folderOf(session), { recursive: true, force: true }),
  };
}

async function usedIn(folder: string): Promise<number> {
  let used = 0;
  const folders = [folder];
  // Grows while it is walked.
  for (const each of folders) {
    for (const entry of await entriesOf(each)) {
      const path = join(each, entry.name);
      if (entry.isDirectory()) folders.push(path);
      used += entry.isFile() ? await sizeOf(path) : BLOCK;
    }
  }
  return used;
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    // Not made yet, or removed meanwhile: there is nothing in it.
    if (reasonOf(error) === "no such file") return [];
    throw error;
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    return Math.ceil((await lstat(path)).size / BLOCK) * BLOCK + BLOCK;
  } catch (error) {
    if (reasonOf(error) === "no such file") return 0;
    throw error;
  }
}
