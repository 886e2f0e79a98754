/**
 * The one way to the database: calls one after the other, and those that wait at the same time in one
 * transaction. Each is a savepoint of it, so that one fails alone; those that must survive a power cut
 * are told when it is on the disk, and meanwhile the next ones go on.
 *
 * Another process may hold the lock; waiting for it leaves the event loop free, which SQLite's own
 * busy handler would not, so a transaction of this process that holds it can end.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { DatabaseSync } from "node:sqlite";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { StoreError } from "../store-error.ts";
import type { Disk } from "./disk.ts";
import { faultOf, isBusy } from "./fault.ts";
import { type Control, controls } from "./transaction-control.ts";

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

type Task = {
  readonly mode: Mode;
  /** Its work, inside a transaction that is open; a promise only where the work is one. */
  work(): unknown;
  done(): void;
  failed(error: unknown): void;
};

const PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 2_000;
/** How long those that come later may still join: nobody waits for a crowd. */
const JOIN_MS = 5;

export type GateOptions = {
  /** A connection for reading alone: what is read then waits for no writer. */
  readonly reader?: DatabaseSync | undefined;
  readonly path: string;
  readonly patience_ms: number;
  /** Absent: a write does not wait for the disk, or SQLite does so itself. */
  readonly disk?: Disk;
};

export function openGate(db: DatabaseSync, options: GateOptions): Gate {
  const { path, patience_ms, reader, disk } = options;
  const inside = new AsyncLocalStorage<Token>();
  const control = controls(db);
  const reading = reader ? controls(reader) : control;
  const waiting: Task[] = [];
  const unsettled = new Set<Promise<void>>();
  let running: Promise<void> | undefined;
  let closed: Promise<void> | undefined;

  function enter<T>(mode: Mode, work: () => T | Promise<T>): Promise<T> {
    if (inside.getStore()?.over === false) {
      return Promise.reject(StoreError.make("inside-transaction", {}));
    }
    if (closed) return Promise.reject(StoreError.make("closed", {}));
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    let result: T;
    const keep = (made: T) => {
      result = made;
    };
    const task: Task = {
      mode,
      work() {
        const made = work();
        return made instanceof Promise ? made.then(keep) : keep(made);
      },
      done: () => resolve(result),
      failed: reject,
    };
    if (mode === "read" && reader) {
      void readAlone(task);
      return promise;
    }
    waiting.push(task);
    running ??= drain();
    return promise;
  }

  async function drain(): Promise<void> {
    // Whoever calls in this same moment belongs to the same group.
    await undefined;
    for (let next = waiting[0]; next; next = waiting[0]) {
      if (next.mode === "read") await readAlone(waiting.shift() ?? next);
      else {
        await commitGroup();
        // What was told goes on at once and often writes again: others must be heard in between.
        if (waiting.length > 0) await setImmediate();
      }
    }
    running = undefined;
  }

  async function readAlone(task: Task): Promise<void> {
    const read = (): void => {
      try {
        reading.begin("read");
        task.work();
        reading.commit();
      } catch (error) {
        reading.rollBack();
        throw error;
      }
    };
    try {
      await patiently(path, patience_ms, read);
      task.done();
    } catch (error) {
      task.failed(error);
    }
  }

  async function commitGroup(): Promise<void> {
    try {
      await patiently(path, patience_ms, () => control.begin("write"));
    } catch (error) {
      // All of them waited: none is made to wait again for the same lock.
      for (const task of waiting.splice(0)) task.failed(error);
      return;
    }
    const members = await takeIn();
    try {
      if (db.isTransaction) await patiently(path, patience_ms, () => control.commit());
      tell(members);
    } catch (error) {
      control.rollBack();
      // What was read is right whatever became of the writes: it is read again.
      waiting.unshift(...members.filter(({ mode }) => mode === "read"));
      for (const task of members) if (task.mode !== "read") task.failed(error);
    }
  }

  function tell(members: readonly Task[]): void {
    const [waits, told] = disk ? splitWrites(members) : [[], members];
    for (const task of told) task.done();
    if (waits.length > 0 && disk) void settling(waits, disk);
  }

  /** They are in the file: they may have to wait for the disk, and are not told that they failed. */
  async function settling(writes: readonly Task[], { settle }: Disk): Promise<void> {
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    unsettled.add(over);
    for (let pause_ms = PAUSE_MS; ; pause_ms = Math.min(pause_ms * 2, LONGEST_PAUSE_MS)) {
      try {
        await settle().catch(() => control.copyLog());
        for (const task of writes) task.done();
        break;
      } catch (cause) {
        if (closed) {
          const { message: detail } = cause as Error;
          const fault = StoreError.make("io", { path, detail }, { cause });
          for (const task of writes) task.failed(fault);
          break;
        }
      }
      await sleep(pause_ms);
    }
    unsettled.delete(over);
    end();
  }

  /** Those whose work is in the open transaction; who failed has been told, and left no trace. */
  async function takeIn(): Promise<readonly Task[]> {
    const members: Task[] = [];
    const until = performance.now() + JOIN_MS;
    for (let task = waiting.shift(); task; task = waiting.shift()) {
      try {
        await within(control, task);
        members.push(task);
      } catch (error) {
        const fault = faultOf(error, path);
        task.failed(fault);
        // Some faults undo the whole transaction, with everybody who was in it.
        if (!db.isTransaction) for (const each of members.splice(0)) each.failed(fault);
        if (!db.isTransaction) break;
      }
      if (performance.now() > until) break;
    }
    return members;
  }

  function transact<T>(work: (scope: Scope) => Promise<T>): Promise<T> {
    return enter("write", async () => {
      const token: Token = { over: false };
      let undone: { readonly fault: unknown } | undefined;
      const scope: Scope = async (step) => {
        if (token.over) throw StoreError.make("transaction-over", {});
        try {
          return control.saved("step", step);
        } catch (error) {
          const fault = faultOf(error, path);
          // Some faults undo everything: whoever goes on all the same would begin another one.
          if (!db.isTransaction) {
            token.over = true;
            undone = { fault };
          }
          throw fault;
        }
      };
      try {
        const result = await inside.run(token, () => work(scope));
        if (undone) throw undone.fault;
        return result;
      } finally {
        token.over = true;
      }
    });
  }

  async function close(): Promise<void> {
    while (running || unsettled.size > 0) await Promise.all([running, ...unsettled]);
    await disk?.close();
    if (reader?.isOpen) reader.close();
    if (db.isOpen) db.close();
  }

  return {
    run: enter,
    transact,
    close() {
      closed ??= close();
      return closed;
    },
  };
}

function splitWrites(members: readonly Task[]): readonly [Task[], Task[]] {
  const isWrite = ({ mode }: Task): boolean => mode === "write";
  return [members.filter(isWrite), members.filter((task) => !isWrite(task))];
}

/** A member's own savepoint: a step that fails undoes itself, also when the others go on. */
function within(control: Control, task: Task): unknown {
  control.save("member");
  try {
    const made = task.work();
    if (!(made instanceof Promise)) return control.release("member");
    return made.then(
      () => control.release("member"),
      (error: unknown) => {
        control.undo("member");
        throw error;
      },
    );
  } catch (error) {
    control.undo("member");
    throw error;
  }
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
