/**
 * Brings a database to the newest version, one numbered step after the other.
 *
 * All steps and the version are one transaction behind the write lock, so that of two processes that
 * start at once one waits and then finds nothing to do, and a failing step leaves the old version.
 */
import type { DatabaseSync } from "node:sqlite";
import { StoreError } from "../store-error.ts";

export type Migration = {
  readonly version: number;
  readonly up: (db: DatabaseSync) => void;
};

/** "Gall" in ASCII: marks the file as ours, for us and for `file`. */
export const APPLICATION_ID = 0x47616c6c;

export function migrate(db: DatabaseSync, path: string, steps: readonly Migration[]): void {
  const known = steps.at(-1)?.version ?? 0;
  // Nothing to do needs no lock: whoever holds it keeps nobody from opening the file.
  if (versionOf(db, path, known) === known) return;
  db.exec("BEGIN IMMEDIATE");
  try {
    const found = versionOf(db, path, known);
    for (const step of steps) if (step.version > found) step.up(db);
    if (found < known) {
      db.exec(`PRAGMA user_version = ${known}; PRAGMA application_id = ${APPLICATION_ID}`);
    }
    db.exec("COMMIT");
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

/** The version of a database that this program may open; reads, and writes nothing. */
export function versionOf(db: DatabaseSync, path: string, known: number): number {
  const found = pragma(db, "user_version");
  const tables = db.prepare("SELECT count(*) AS count FROM sqlite_schema").get()?.count;
  if (pragma(db, "application_id") !== APPLICATION_ID && (found !== 0 || tables !== 0)) {
    throw StoreError.make("foreign", { path });
  }
  if (found > known) throw StoreError.make("newer", { path, found, known });
  return found;
}

function pragma(db: DatabaseSync, name: string): number {
  return Number(db.prepare(`PRAGMA ${name}`).get()?.[name]);
}
