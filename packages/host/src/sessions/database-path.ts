/** Which file the sessions of a host live in. */
import { readlink, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { HostError } from "../host-error.ts";

export const databaseIn = (home: string): string => join(home, "galley.db");

/** In memory there is nothing that another process could open. */
export const isForgotten = (path: string): boolean => path === ":memory:";

/** The same name for the same file, whichever links lead to it: locks are held by name. */
export async function databasePath(db: string | undefined, home: string): Promise<string> {
  if (db === undefined) return realFile(databaseIn(home));
  if (/^postgres(ql)?:\/\//i.test(db)) {
    throw HostError.make("not_yet", { what: "a PostgreSQL database", instead: "name a file" });
  }
  return isForgotten(db) ? db : realFile(resolve(db));
}

/** As many links in a row as systems follow. */
const MOST_LINKS = 40;

/** Where a file is, or will be made: SQLite follows a link to a file that is not there yet. */
async function realFile(path: string): Promise<string> {
  let named = path;
  for (let links = 0; links <= MOST_LINKS; links += 1) {
    const real = await realpath(named).catch(() => undefined);
    if (real !== undefined) return real;
    const folder = await realpath(dirname(named)).catch(() => dirname(named));
    const target = await readlink(named).catch(() => undefined);
    if (target === undefined) return join(folder, basename(named));
    named = resolve(folder, target);
  }
  throw HostError.make("unreadable", {
    what: "database",
    path,
    reason: "symbolic links that lead nowhere",
  });
}

/** The database and the lock, with what SQLite keeps beside each, where the host is, and the token. */
export async function ownFiles(db: string, home: string): Promise<readonly string[]> {
  const token = join(await realpath(home), "token");
  if (isForgotten(db)) return [token];
  const ofDatabase = ["", "-wal", "-shm", "-journal"].map((end) => db + end);
  const ofLock = [".host", ".host-journal", ".host.json"].map((end) => db + end);
  return [...ofDatabase, ...ofLock, token];
}
