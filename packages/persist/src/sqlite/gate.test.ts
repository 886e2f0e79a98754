import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { StoreError } from "../store-error.ts";
import { type Disk, sharedFlushes } from "./disk.ts";
import { openGate } from "./gate.ts";

/** A disk that is flushed when the test says so. */
function slowDisk() {
  const flushes: (() => void)[] = [];
  const settle = sharedFlushes(() => new Promise<void>((resolve) => flushes.push(resolve)));
  return { flushes, disk: { settle, close: async () => {} } };
}

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  await setImmediate();
  return await Promise.race([promise.then(() => true), Promise.resolve(false)]);
}

test("what is accepted waits for the disk, and the growing text of an answer does not", async (context) => {
  const { flushes, disk } = slowDisk();
  const { gate } = countedGate(context, disk);
  const write = gate.run("write", () => "kept");
  await gate.run("stream", () => "soon");
  assert.equal(await isSettled(write), false);
  flushes.shift()?.();
  assert.equal(await write, "kept");
});

test("while one flush runs the next are committed, and share the one after it", async (context) => {
  const { flushes, disk } = slowDisk();
  const { gate, put, rows } = countedGate(context, disk);
  const first = put(1);
  await setImmediate();
  const later = [put(2), gate.transact(async () => "both")];
  assert.equal(await isSettled(Promise.all(later)), false);
  assert.deepEqual(await rows(), [1, 2]);
  assert.equal(flushes.length, 1, "one flush at a time");
  flushes.shift()?.();
  await first;
  assert.equal(await isSettled(Promise.all(later)), false);
  flushes.shift()?.();
  await Promise.all(later);
  assert.equal(flushes.length, 0);
});

test("a flush that fails is made good by copying the log, and nobody is told that it failed", async (context) => {
  const settle = async () => {
    throw new Error("the cable");
  };
  const { db, put, rows } = countedGate(context, { settle, close: async () => {} });
  await put(1);
  assert.deepEqual(await rows(), [1]);
  assert.equal(db.prepare("PRAGMA synchronous").get()?.synchronous, 1);
});

test("where the log cannot be copied either, a write waits, and a close ends the wait", async (context) => {
  const settle = async () => {
    throw new Error("the cable");
  };
  const { db, gate, put } = countedGate(context, { settle, close: async () => {} });
  const prepare = db.prepare.bind(db);
  db.prepare = (text: string) => {
    if (text.includes("wal_checkpoint")) throw new Error("the disk");
    return prepare(text);
  };
  const write = put(1);
  const told = assert.rejects(write, (error) => StoreError.is(error, "io"));
  assert.equal(await isSettled(write.catch(() => undefined)), false);
  await gate.close();
  await told;
  await assert.rejects(put(2), (error) => StoreError.is(error, "closed"));
});

/** The real database, with its commits counted. */
function countedGate(context: TestContext, disk?: Disk) {
  const db = new DatabaseSync(":memory:");
  context.after(() => db.isOpen && db.close());
  db.exec("CREATE TABLE t (a)");
  let commits = 0;
  const counted = new Proxy(db, {
    get(target, key) {
      if (key === "prepare") {
        return (text: string) => {
          const statement = target.prepare(text);
          if (text !== "COMMIT") return statement;
          return {
            run() {
              commits += 1;
              return statement.run();
            },
          };
        };
      }
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const gate = openGate(counted, { path: ":memory:", patience_ms: 0, ...(disk && { disk }) });
  const put = (a: number) => gate.run("write", () => db.prepare("INSERT INTO t VALUES (?)").run(a));
  const rows = () =>
    gate.run("read", () =>
      db
        .prepare("SELECT a FROM t")
        .all()
        .map(({ a }) => a),
    );
  return { db, gate, put, rows, commits: () => commits };
}

test("writes that wait together are one commit, and a read among them sees those before it", async (context) => {
  const { gate, put, rows, commits } = countedGate(context);
  const both = gate.transact(async (scope) => {
    await scope(() => undefined);
    await Promise.resolve();
  });
  const [, seen] = await Promise.all([put(1), rows(), put(2), both]);
  assert.deepEqual(seen, [1]);
  assert.equal(commits(), 1);
  assert.deepEqual(await rows(), [1, 2]);
});

test("one that fails in a group fails alone", async (context) => {
  const { gate, put, rows } = countedGate(context);
  const broken = gate.transact(async (scope) => {
    await scope(() => undefined);
    throw new Error("no");
  });
  const results = await Promise.allSettled([
    put(1),
    broken,
    gate.run("write", () => {
      throw new Error("nor this");
    }),
    put(2),
  ]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ["fulfilled", "rejected", "rejected", "fulfilled"],
  );
  assert.deepEqual(await rows(), [1, 2]);
});

test("a fault that undoes the whole transaction is told to everybody in it, and the next is taken", async (context) => {
  const { db, gate, put, rows } = countedGate(context);
  const fatal = () =>
    gate.run("write", () => {
      db.exec("ROLLBACK");
      throw new Error("the disk");
    });
  const results = await Promise.allSettled([put(1), fatal(), put(2)]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ["rejected", "rejected", "fulfilled"],
  );
  assert.deepEqual(await rows(), [2]);
});

test("work that goes on after a fault that undid everything keeps nothing of it", async (context) => {
  const { db, gate, rows } = countedGate(context);
  const insert = (a: number) => db.prepare("INSERT INTO t VALUES (?)").run(a);
  const half = gate.transact(async (scope) => {
    await scope(() => insert(1));
    await assert.rejects(
      scope(() => {
        db.exec("ROLLBACK");
        throw new Error("full");
      }),
    );
    await assert.rejects(
      scope(() => insert(2)),
      (error) => StoreError.is(error, "transaction-over"),
    );
  });
  await assert.rejects(half, { message: "full" });
  assert.deepEqual(await rows(), []);
});

test("a close waits for what was asked before it, and what comes after is refused", async (context) => {
  const { gate, put } = countedGate(context);
  const before = put(1);
  const closed = gate.close();
  const after = gate.transact(async () => "late");
  await assert.rejects(after, (error) => StoreError.is(error, "closed"));
  await Promise.all([before, closed]);
});
