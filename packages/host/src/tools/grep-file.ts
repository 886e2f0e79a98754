/**
 * One file after the other, read for a search. Each folder is opened once, where it lies is asked of
 * the open folder, and its files are opened through it without following a link: a folder on the way
 * that becomes one leads nowhere.
 */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
} from "node:fs";
import { ownTest } from "../workspace/own-files.ts";
import { reasonOf } from "../workspace/read-file.ts";

export type ReadText =
  | { readonly kind: "text"; readonly bytes: Uint8Array }
  | { readonly kind: "binary" | "large" | "link" | "unreadable" };

export interface FileReader {
  /** The bytes are the reader's own until the next call. */
  read(path: string): ReadText;
  close(): void;
}

const BINARY_HEAD = 8192;
const FIRST_BYTES = 64 * 1024;
const FILE = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);
const HAS_PROC = process.platform === "linux";

/** `root` is free of links itself. */
export function fileReader(root: string, mostBytes: number): FileReader {
  const buffer = Buffer.allocUnsafe(FIRST_BYTES);
  const isOwn = ownTest();
  let folder: { readonly path: string; readonly file: number } | undefined;

  function leave(): void {
    if (folder) closeSync(folder.file);
    folder = undefined;
  }
  /** Throws when it is not the folder of that path. */
  function enter(path: string): string {
    if (!HAS_PROC) return path;
    if (folder?.path !== path) {
      leave();
      const file = openSync(path, FOLDER);
      folder = { path, file };
      if (readlinkSync(`/proc/self/fd/${file}`) !== path) {
        leave();
        throw Object.assign(new Error("the folder is a link by now"), { code: "ELOOP" });
      }
    }
    return `/proc/self/fd/${folder.file}`;
  }
  return {
    read(path) {
      // A path of the walk is plain already: nothing in it has to be worked out.
      const place = root === "/" ? `/${path}` : `${root}/${path}`;
      const slash = place.lastIndexOf("/");
      let file: number;
      // Before it is opened: closing it would let go of the host's locks.
      if (isOwn(place)) return { kind: "unreadable" };
      try {
        file = openSync(enter(place.slice(0, slash) || "/") + place.slice(slash), FILE);
      } catch (error) {
        return { kind: isLink(error) ? "link" : "unreadable" };
      }
      try {
        return readOpen(file, place, buffer, mostBytes);
      } catch (error) {
        reasonOf(error);
        return { kind: "unreadable" };
      } finally {
        closeSync(file);
      }
    },
    close: leave,
  };
}

function isLink(error: unknown): boolean {
  reasonOf(error);
  return (error as { code?: unknown }).code === "ELOOP";
}

function readOpen(file: number, place: string, buffer: Buffer, mostBytes: number): ReadText {
  // Without the open folder: what the path leads to now.
  if (!HAS_PROC && realpathSync(place) !== place) return { kind: "unreadable" };
  const read = fill(file, buffer, 0);
  // Asked only of what does not fit: most files are small, and there are many of them.
  const stats = read < buffer.length ? undefined : fstatSync(file);
  if (stats && !stats.isFile()) return { kind: "unreadable" };
  if ((stats?.size ?? read) > mostBytes) return { kind: "large" };
  if (buffer.subarray(0, Math.min(read, BINARY_HEAD)).includes(0)) return { kind: "binary" };
  if (stats === undefined) return { kind: "text", bytes: buffer.subarray(0, read) };
  const whole = Buffer.allocUnsafe(Math.max(stats.size, read));
  buffer.copy(whole, 0, 0, read);
  return { kind: "text", bytes: whole.subarray(0, read + fill(file, whole, read)) };
}

/** As much as there is: a file may shrink while it is read. */
function fill(file: number, bytes: Buffer, from: number): number {
  let read = 0;
  while (from + read < bytes.length) {
    const count = readSync(file, bytes, from + read, bytes.length - from - read, from + read);
    if (count === 0) break;
    read += count;
  }
  return read;
}
