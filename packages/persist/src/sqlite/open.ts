/**
 * The embedded store: one SQLite file, or `:memory:` for one that is forgotten.
 *
 * One store a file and process; other processes may have the same file open.
 */
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Store, Tables } from "../store.ts";
import { StoreError } from "../store-error.ts";
import { blobGroup } from "./blob-group.ts";
import { faultOf } from "./fault.ts";
import { openGate, patiently } from "./gate.ts";
import { promised, type Runner } from "./group.ts";
import { messageGroup } from "./message-group.ts";
import { type Migration, migrate, versionOf } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/all.ts";
import { partGroup } from "./part-group.ts";
import { queueGroup } from "./queue-group.ts";
import { loweringGroup, manifestGroup, requestGroup, systemPromptGroup } from "./record-groups.ts";
import { sessionGroup } from "./session-group.ts";
import { type Sql, statements } from "./sql.ts";

export type SqliteOptions = {
  /** A file, made when it is not there, or `:memory:`. */
  readonly path: string;
  /** How long to wait for another process; 5000 unless told. */
  readonly patience_ms?: number;
  /**
   * `normal` trades the last moments before a power cut for speed, for every write; `full`, unless
   * told, only for the growing text of an answer.
   */
  readonly sync?: "full" | "normal";
  /** The file grows no further than this; then a write fails with `store.full`. */
  readonly max_bytes?: number;
};

const PATIENCE_MS = 5000;
const WAL_KEPT_BYTES = 64 * 1024 * 1024;

export async function openSqliteStore(options: SqliteOptions): Promise<Store> {
  const patience = options.patience_ms ?? PATIENCE_MS;
  const sync = options.sync ?? "full";
  const db = await openDatabase(options.path, patience, MIGRATIONS, sync);
  if (options.max_bytes !== undefined) capSize(db, options.max_bytes);
  const sql = statements(db);
  const gate = openGate(db, {
    path: options.path,
    patience_ms: patience,
    sync,
  });
  return {
    ...tables(sql, gate.run),
    transact: (work) => gate.transact((scope) => work(tables(sql, (_mode, step) => scope(step)))),
    check: () => gate.run("read", () => damages(sql)),
    close: gate.close,
  };
}

function tables(sql: Sql, run: Runner): Tables {
  return {
    sessions: promised(sessionGroup(sql), run),
    messages: promised(messageGroup(sql), run),
    parts: promised(partGroup(sql), run),
    queue: promised(queueGroup(sql), run),
    blobs: promised(blobGroup(sql), run),
    lowerings: promised(loweringGroup(sql), run),
    manifests: promised(manifestGroup(sql), run),
    requests: promised(requestGroup(sql), run),
    systemPrompts: promised(systemPromptGroup(sql), run),
  };
}

/** Exported for the tests of migration, which bring their own steps. */
export async function openDatabase(
  path: string,
  patience_ms: number,
  steps: readonly Migration[],
  sync: "full" | "normal" = "full",
): Promise<DatabaseSync> {
  const known = steps.at(-1)?.version ?? 0;
  if (path !== ":memory:") {
    mayWrite(path);
    await patiently(path, patience_ms, () => mayOpen(path, known));
  }
  return patiently(path, patience_ms, () => {
    const db = new DatabaseSync(path, { enableForeignKeyConstraints: true });
    try {
      db.exec(`PRAGMA fullfsync = ON; PRAGMA synchronous = ${sync}; PRAGMA journal_mode = WAL`);
      db.exec(`PRAGMA journal_size_limit = ${WAL_KEPT_BYTES}`);
      migrate(db, path, steps);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

/** SQLite would open a file that it cannot write, and fail at the first message. */
function mayWrite(path: string): void {
  try {
    const folder = dirname(path);
    accessSync(folder, constants.F_OK);
    accessSync(folder, constants.W_OK);
    if (!existsSync(path)) return;
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (cause) {
    const { code = "", message } = cause as NodeJS.ErrnoException;
    const denied = ["EACCES", "EPERM", "EROFS"].includes(code);
    const kind = denied ? "read-only" : "cannot-open";
    throw StoreError.make(kind, { path, detail: message }, { cause });
  }
  if (statSync(path).isDirectory()) {
    throw StoreError.make("cannot-open", { path, detail: "it is a folder" });
  }
}

const READONLY_ROLLBACK = 776;

/** Looks at the version through a connection that cannot write. */
function mayOpen(path: string, known: number): void {
  if (!existsSync(path) || statSync(path).size === 0) return;
  const db = openToRead(path);
  try {
    versionOf(db, path, known);
  } catch (error) {
    // A process died while it made the file; only a connection that writes can clear that up.
    if ((error as { errcode?: number }).errcode !== READONLY_ROLLBACK) throw error;
  } finally {
    db.close();
  }
}

function openToRead(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path, { readOnly: true });
  } catch (error) {
    throw faultOf(error, path);
  }
}

function capSize(db: DatabaseSync, bytes: number): void {
  const page = Number(db.prepare("PRAGMA page_size").get()?.page_size);
  db.exec(`PRAGMA max_page_count = ${Math.floor(bytes / page)}`);
}

function damages(sql: Sql): string[] {
  const found = sql
    .all<{ integrity_check: string }>("PRAGMA integrity_check")
    .map((row) => row.integrity_check)
    .filter((line) => line !== "ok");
  const orphans = sql
    .all<{ table: string; rowid: number; parent: string }>("PRAGMA foreign_key_check")
    .map((row) => `${row.table} row ${row.rowid} names a row that ${row.parent} does not have`);
  return [...found, ...orphans];
}
