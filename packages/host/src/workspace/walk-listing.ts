/**
 * One directory as it is on disk: its entries in byte order, with names as text where they are
 * text, and what a symbolic link in it stands for.
 */
import { isUtf8 } from "node:buffer";
import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { reasonOf } from "./read-file.ts";
import { contains } from "./roots.ts";

export type Listed = {
  /** One character a byte, as rules are compared. */
  readonly bytes: string;
  /** Undefined when the bytes are not UTF-8: then no text can name it. */
  readonly name: string | undefined;
  readonly kind: "file" | "directory" | "link" | "special";
};

export type Listing =
  | { readonly ok: true; readonly entries: readonly Listed[] }
  | { readonly ok: false; readonly reason: string };

/** A directory of a hundred thousand entries must not hold up everybody else. */
export const BEFORE_A_PAUSE = 2048;

export async function listDirectory(path: string): Promise<Listing> {
  try {
    const found = await readdir(path, { withFileTypes: true, encoding: "buffer" });
    const entries: Listed[] = [];
    for (const entry of found) {
      entries.push(listedOf(entry));
      if (entries.length % BEFORE_A_PAUSE === 0) await setImmediate();
    }
    return { ok: true, entries: inByteOrder(entries) };
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  }
}

type Found = {
  readonly name: Buffer;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
};

function listedOf(entry: Found): Listed {
  const bytes = entry.name.toString("latin1");
  return {
    bytes,
    name: isUtf8(entry.name) ? entry.name.toString() : undefined,
    kind: kindOf(entry),
  };
}

function kindOf(entry: Found): Listed["kind"] {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  return entry.isSymbolicLink() ? "link" : "special";
}

/** Mostly they come so; a long list is not sorted for nothing. */
function inByteOrder(entries: readonly Listed[]): readonly Listed[] {
  const isSorted = entries.every(
    (entry, nth) => nth === 0 || (entries[nth - 1]?.bytes ?? "") < entry.bytes,
  );
  return isSorted ? entries : entries.toSorted((one, other) => (one.bytes < other.bytes ? -1 : 1));
}

export type Target =
  | { readonly kind: "file" | "directory" | "special" | "outside" }
  | { readonly kind: "dangling"; readonly reason: string };

/** `root` is free of links itself. */
export async function targetOf(root: string, path: string): Promise<Target> {
  try {
    const real = await realpath(join(root, path));
    if (!contains(root, real)) return { kind: "outside" };
    const target = await stat(real);
    return { kind: target.isFile() ? "file" : target.isDirectory() ? "directory" : "special" };
  } catch (error) {
    return { kind: "dangling", reason: reasonOf(error) };
  }
}
