/**
 * The host's own files: its database with everything that SQLite keeps beside it, its lock and its
 * token. Nobody who was only given a name opens one, and it is told from others before it is opened:
 * SQLite's locks are the process's, and closing any descriptor of such a file lets go of them.
 *
 * So there is one list a process, not one a host. A file is known by what it is, under any name; one
 * that is not there yet, by where it will be.
 */
import { type Stats, statSync } from "node:fs";

export const OWN = "one of the host's own files";

const kept = new Map<symbol, readonly string[]>();

/** Paths after links. Gives what takes them off the list again. */
export function keepOwn(paths: readonly string[]): () => void {
  const name = Symbol("own files");
  kept.set(name, paths);
  return () => void kept.delete(name);
}

export const ownPaths = (): readonly string[] => [...new Set([...kept.values()].flat())];

type Identity = Pick<Stats, "dev" | "ino">;

/** Whether this is one of them, by what they are at this moment. */
export function isOwnFile(file: Identity): boolean {
  for (const path of ownPaths()) {
    const own = statOf(path);
    if (own && own.dev === file.dev && own.ino === file.ino) return true;
  }
  return false;
}

/** Whether a path, after links, is or would be one of them. */
export function isOwnPath(real: string): boolean {
  if (ownPaths().includes(real)) return true;
  const file = statOf(real);
  return file !== undefined && isOwnFile(file);
}

/** For many files in a row: the list is looked up once, and a file costs one question. */
export function ownTest(): (path: string) => boolean {
  const paths = new Set(ownPaths());
  if (paths.size === 0) return () => false;
  const known = new Set<string>();
  for (const path of paths) {
    const own = statOf(path);
    if (own) known.add(nameOf(own));
  }
  return (path) => {
    if (paths.has(path)) return true;
    const file = statOf(path);
    return file !== undefined && known.has(nameOf(file));
  };
}

const nameOf = ({ dev, ino }: Identity): string => `${dev}:${ino}`;

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // What cannot be looked at cannot be opened either, and whoever tries is told why.
    if (typeof (error as { code?: unknown }).code === "string") return undefined;
    throw error;
  }
}
