/**
 * The embedded store: one SQLite file, or `:memory:` for one that is forgotten.
 *
 * One store a file and process; other processes may have the same file open.
 */
import { accessSync, constants, existsSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Store, Tables } from "../store.ts";
import { StoreError } from "../store-error.ts";
import { blobGroup } from "./blob-group.ts";
import { logOf } from "./disk.ts";
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
  // What is in memory belongs to one connection.
  const reader = options.path === ":memory:" ? undefined : openToRead(options.path);
  const readSql = reader ? statements(reader) : sql;
  const writing = groupsOf(sql);
  const waits = sync === "full" && options.path !== ":memory:" && hasLog(db);
  const gate = openGate(db, {
    path: options.path,
    patience_ms: patience,
    reader,
    ...(waits && { disk: logOf(realpathSync(options.path)) }),
  });
  return {
    ...tables(writing, groupsOf(readSql), gate.run),
    transact: (work) =>
      gate.transact((scope) => work(tables(writing, writing, (_mode, step) => scope(step)))),
    check: () => gate.run("read", () => damages(readSql)),
    close: gate.close,
  };
}

/** Made once for each connection: a transaction only puts other promises around them. */
const groupsOf = (sql: Sql) => ({
  sessions: sessionGroup(sql),
  messages: messageGroup(sql),
  parts: partGroup(sql),
  queue: queueGroup(sql),
  blobs: blobGroup(sql),
  lowerings: loweringGroup(sql),
  manifests: manifestGroup(sql),
  requests: requestGroup(sql),
  systemPrompts: systemPromptGroup(sql),
});

type Groups = ReturnType<typeof groupsOf>;

/** Methods that read take their step from the connection that only reads. */
function tables(writes: Groups, reads: Groups, run: Runner): Tables {
  return {
    sessions: promised(writes.sessions, reads.sessions, run),
    messages: promised(writes.messages, reads.messages, run),
    parts: promised(writes.parts, reads.parts, run),
    queue: promised(writes.queue, reads.queue, run),
    blobs: promised(writes.blobs, reads.blobs, run),
    lowerings: promised(writes.lowerings, reads.lowerings, run),
    manifests: promised(writes.manifests, reads.manifests, run),
    requests: promised(writes.requests, reads.requests, run),
    systemPrompts: promised(writes.systemPrompts, reads.systemPrompts, run),
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
      db.exec("PRAGMA fullfsync = ON; PRAGMA synchronous = FULL; PRAGMA journal_mode = WAL");
      db.exec(`PRAGMA journal_size_limit = ${WAL_KEPT_BYTES}`);
      migrate(db, path, steps);
      // With a log, the flush of each commit is `disk.ts`'s; where there is none, SQLite's own.
      if (sync === "normal" || hasLog(db)) db.exec("PRAGMA synchronous = NORMAL");
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

/** Some file systems cannot have one. */
const hasLog = (db: DatabaseSync): boolean =>
  db.prepare("PRAGMA journal_mode").get()?.journal_mode === "wal";

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
