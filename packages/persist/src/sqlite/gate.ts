/**
 * The one way to the database: calls one after the other, each in a transaction.
 *
 * Another process may hold the lock; waiting for it leaves the event loop free, which SQLite's own
 * busy handler would not, so a transaction of this process that holds it can end.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { StoreError } from "../store-error.ts";
import { faultOf, isBusy } from "./fault.ts";

/**
 * `write` is on the disk when it resolves, and survives a power cut. `stream` survives the end of the
 * process and may lose its last moments in a power cut: a growing answer commits many times a second.
 */
export type Mode = "read" | "write" | "stream";

export interface Gate {
  run<T>(mode: Mode, step: () => T): Promise<T>;
  transact<T>(work: (scope: Scope) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Runs steps inside an open transaction, for as long as it is open. */
export type Scope = <T>(step: () => T) => Promise<T>;

type Token = { over: boolean };

const PAUSE_MS = 10;

export type GateOptions = {
  readonly path: string;
  readonly patience_ms: number;
  readonly sync: "full" | "normal";
};

export function openGate(db: DatabaseSync, { path, patience_ms, sync }: GateOptions): Gate {
  const inside = new AsyncLocalStorage<Token>();
  const inTurn = serially();
  let safety = "";

  function begin(mode: Mode) {
    const wanted = mode === "stream" || sync === "normal" ? "NORMAL" : "FULL";
    if (mode !== "read" && safety !== wanted) db.exec(`PRAGMA synchronous = ${wanted}`);
    if (mode !== "read") safety = wanted;
    db.exec(mode === "read" ? "BEGIN" : "BEGIN IMMEDIATE");
  }

  /** After some failures SQLite has rolled back by itself. */
  function rollBack() {
    if (db.isTransaction) db.exec("ROLLBACK");
  }

  function whole<T>(mode: Mode, step: () => T): T {
    try {
      begin(mode);
      const result = step();
      db.exec("COMMIT");
      return result;
    } catch (error) {
      rollBack();
      throw error;
    }
  }

  /** A step that fails undoes itself, also when the transaction goes on without it. */
  function saved<T>(step: () => T): T {
    try {
      db.exec("SAVEPOINT step");
      const result = step();
      db.exec("RELEASE step");
      return result;
    } catch (error) {
      if (db.isTransaction) db.exec("ROLLBACK TO step; RELEASE step");
      throw faultOf(error, path);
    }
  }

  async function enter<T>(work: () => Promise<T>): Promise<T> {
    if (inside.getStore()?.over === false) throw StoreError.make("inside-transaction", {});
    return inTurn(async () => {
      if (!db.isOpen) throw StoreError.make("closed", {});
      return work();
    });
  }

  async function transacted<T>(work: (scope: Scope) => Promise<T>): Promise<T> {
    await patiently(path, patience_ms, () => begin("write"));
    const token: Token = { over: false };
    const scope: Scope = async (step) => {
      if (token.over) throw StoreError.make("transaction-over", {});
      return saved(step);
    };
    try {
      const result = await inside.run(token, () => work(scope));
      token.over = true;
      await patiently(path, patience_ms, () => db.exec("COMMIT"));
      return result;
    } catch (error) {
      token.over = true;
      rollBack();
      throw error;
    }
  }

  return {
    run: (mode, step) => enter(() => patiently(path, patience_ms, () => whole(mode, step))),
    transact: (work) => enter(() => transacted(work)),
    close: () => inTurn(async () => (db.isOpen ? db.close() : undefined)),
  };
}

/** Tries again while another process holds the lock, up to a limit. */
export async function patiently<T>(path: string, limit_ms: number, step: () => T): Promise<T> {
  const start = performance.now();
  for (;;) {
    try {
      return step();
    } catch (error) {
      const waited = Math.round(performance.now() - start);
      if (!isBusy(error) || waited >= limit_ms) throw faultOf(error, path, waited);
    }
    await sleep(PAUSE_MS);
  }
}

/** One task after another, so that nothing comes between a check and the write it allows. */
function serially() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(task: () => Promise<T>): Promise<T> => {
    const result = last.then(task);
    // Whoever called hears of a failure through `result`; the next task runs all the same.
    last = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  };
}
