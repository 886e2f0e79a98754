/**
 * One host a database. The lock is SQLite's own on a file beside it, held for the life of the
 * process: the kernel frees it however the process ends, so a host that was killed keeps nobody out.
 *
 * A second file says where the host is. It may be stale; the lock never is.
 */

import { existsSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { HostError } from "../host-error.ts";

const Address = z.looseObject({ pid: z.int(), url: z.url() });
/** Where the host of a database is. */
export type HostAddress = { readonly pid: number; readonly url: string };

export interface HostLock {
  /** Tells others where this host listens. */
  announce(url: string): Promise<void>;
  release(): Promise<void>;
}

const lockFile = (db: string): string => `${db}.host`;
const addressFile = (db: string): string => `${db}.host.json`;

/** Somebody who only looks holds the file for a moment: it is asked for more than once. */
const TRIES = 8;
const PAUSE_MS = 40;

export async function takeHostLock(db: string): Promise<HostLock> {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const held = tryLock(db);
    if (held) {
      // Whoever wrote it is gone.
      await forgetAddress(db);
      return lockOf(db, held);
    }
    await sleep(PAUSE_MS);
  }
  throw HostError.make("db_taken", { path: db, ...(await readAddress(db)) });
}

function lockOf(db: string, held: DatabaseSync): HostLock {
  const file = addressFile(db);
  return {
    async announce(url) {
      const draft = `${file}.${process.pid}`;
      await writeFile(draft, `${JSON.stringify({ pid: process.pid, url })}\n`, { mode: 0o600 });
      await rename(draft, file);
    },
    async release() {
      if (!held.isOpen) return;
      await forgetAddress(db);
      held.close();
    },
  };
}

/** Where it cannot be removed the database cannot be written either, and that says so better. */
const forgetAddress = (db: string): Promise<void> =>
  rm(addressFile(db), { force: true }).catch(() => undefined);

function tryLock(db: string): DatabaseSync | undefined {
  const path = lockFile(db);
  let held: DatabaseSync | undefined;
  try {
    held = new DatabaseSync(path);
    held.exec("PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE");
    return held;
  } catch (error) {
    held?.close();
    if (isBusy(error)) return undefined;
    const reason = error instanceof Error ? error.message : String(error);
    throw HostError.make("no_lock", { path, reason }, { cause: error });
  }
}

const SQLITE_BUSY = 5;

/** The low byte is the kind; the rest says more about it. */
const isBusy = (error: unknown): boolean =>
  (((error as { errcode?: number }).errcode ?? 0) & 0xff) === SQLITE_BUSY;

export type HostState =
  | { readonly runs: false }
  /** Without an address while it does not listen. */
  | { readonly runs: true; readonly address?: HostAddress };

/** Whether a host has this database, and where; it takes nothing and makes nothing. */
export async function findHost(db: string): Promise<HostState> {
  if (!existsSync(lockFile(db)) || !isLocked(lockFile(db))) return { runs: false };
  const address = await readAddress(db);
  return { runs: true, ...(address && { address }) };
}

function isLocked(path: string): boolean {
  const looking = new DatabaseSync(path, { readOnly: true });
  try {
    looking.exec("PRAGMA busy_timeout = 0; SELECT count(*) FROM sqlite_master");
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw error;
  } finally {
    looking.close();
  }
}

async function readAddress(db: string): Promise<HostAddress | undefined> {
  try {
    const read = Address.safeParse(JSON.parse(await readFile(addressFile(db), "utf8")));
    return read.success ? { pid: read.data.pid, url: read.data.url } : undefined;
  } catch {
    // Not there, or half of it: the host does not listen yet, and has no address to give.
    return undefined;
  }
}
