/** The words that begin, divide and end a transaction, each prepared once. */
import type { DatabaseSync, StatementSync } from "node:sqlite";

type Savepoint = "member" | "step";

export interface Control {
  begin(kind: "read" | "write"): void;
  commit(): void;
  /** After some failures SQLite has rolled back by itself. */
  rollBack(): void;
  save(name: Savepoint): void;
  release(name: Savepoint): void;
  /** Back to the savepoint, where there is still a transaction to go back in. */
  undo(name: Savepoint): void;
  /**
   * Copies the log into the database and waits for the disk. After a failed flush the log may be
   * lost in a power cut although a second flush says otherwise; its text can still be read.
   */
  copyLog(): void;
  /** A step that fails undoes itself. */
  saved<T>(name: Savepoint, step: () => T): T;
}

export function controls(db: DatabaseSync): Control {
  const prepared = new Map<string, StatementSync>();

  function say(text: string): void {
    let statement = prepared.get(text);
    if (!statement) {
      statement = db.prepare(text);
      prepared.set(text, statement);
    }
    statement.run();
  }

  const save = (name: Savepoint) => say(`SAVEPOINT ${name}`);
  const release = (name: Savepoint) => say(`RELEASE ${name}`);
  const undo = (name: Savepoint) => {
    if (!db.isTransaction) return;
    say(`ROLLBACK TO ${name}`);
    release(name);
  };

  return {
    begin: (kind) => say(kind === "read" ? "BEGIN" : "BEGIN IMMEDIATE"),
    commit: () => say("COMMIT"),
    rollBack() {
      if (db.isTransaction) say("ROLLBACK");
    },
    save,
    release,
    undo,
    copyLog() {
      db.exec("PRAGMA synchronous = FULL");
      try {
        const row = db.prepare("PRAGMA wal_checkpoint(FULL)").get();
        if (row?.busy !== 0) throw new Error("the log is in use and cannot be copied");
      } finally {
        db.exec("PRAGMA synchronous = NORMAL");
      }
    },
    saved(name, step) {
      try {
        save(name);
        const result = step();
        release(name);
        return result;
      } catch (error) {
        undo(name);
        throw error;
      }
    },
  };
}
