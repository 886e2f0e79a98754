import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { newPart, userMessage } from "../contract/kit.ts";
import type { Store } from "../store.ts";
import { StoreError } from "../store-error.ts";
import { openSqliteStore, type SqliteOptions } from "./open.ts";
import { program, scratch } from "./scratch.ts";

const isRoot = process.getuid?.() === 0;
const NOBODY = 65534;
const PAGE = 4096;
const big = (kb: number) => `{"type":"text","text":"${"x".repeat(kb * 1024)}"}`;

async function opened(context: TestContext, options: SqliteOptions): Promise<Store> {
  const store = await openSqliteStore(options);
  context.after(() => store.close());
  return store;
}

async function withSession(context: TestContext, options: SqliteOptions): Promise<Store> {
  const store = await opened(context, options);
  await store.sessions.create({ id: "ses_main", agent: "a", at: 1 });
  return store;
}

/** Admits until the store refuses; then every message is whole, and nothing of the last is there. */
async function fillUp(store: Store): Promise<void> {
  let count = 0;
  const next = () =>
    userMessage(`n${count}`, { parts: [newPart(big(1)), newPart(big(100))], at: count });
  const admitAll = async () => {
    for (; count < 200; count++) await store.messages.admit(next());
  };
  await assert.rejects(admitAll(), (error) => StoreError.is(error, "full"));
  const rows = await store.messages.all("ses_main");
  assert.ok(count > 0);
  assert.equal(rows.length, count);
  assert.ok(rows.every(({ parts }) => parts.length === 2));
  assert.deepEqual(await store.check(), []);
}

test("a file at its limit refuses the message whole, and takes smaller ones", async (context) => {
  const path = join(scratch(context), "a.db");
  const store = await withSession(context, { path, max_bytes: 2_000_000 });
  await fillUp(store);
  await store.messages.admit(userMessage("small"));
  assert.equal((await store.messages.get("msg_small"))?.parts.length, 1);
});

test("a transaction that fills the file leaves nothing", async (context) => {
  const path = join(scratch(context), "a.db");
  const store = await withSession(context, { path, max_bytes: 2_000_000 });
  const work = store.transact(async (tables) => {
    await tables.messages.admit(userMessage("first"));
    await tables.messages.admit(userMessage("second", { parts: [newPart(big(4000))] }));
  });
  await assert.rejects(work, {
    code: "store.full",
    message: `there is no room left for ${path} (database or disk is full); nothing was written. Free some space and try again`,
  });
  assert.deepEqual(await store.messages.all("ses_main"), []);
});

test("a full disk refuses the message whole, and the store goes on when there is room", async (context) => {
  const folder = join(scratch(context), "disk");
  mkdirSync(folder);
  if (!mounted(folder)) return context.skip("mounting a small disk needs root on Linux");
  try {
    const store = await withSession(context, { path: join(folder, "a.db") });
    await fillUp(store);
    execFileSync("mount", ["-o", "remount,size=16m", folder]);
    await store.messages.admit(userMessage("later", { parts: [newPart(big(100))] }));
    assert.equal((await store.messages.get("msg_later"))?.parts.length, 1);
    await store.close();
  } finally {
    execFileSync("umount", ["-l", folder]);
  }
});

function mounted(folder: string): boolean {
  if (!isRoot || process.platform !== "linux") return false;
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", folder], { stdio: "ignore" });
    return true;
  } catch (error) {
    // In a container root may not mount; any other failure is a failure of the test.
    if ((error as { status?: number }).status === undefined) throw error;
    return false;
  }
}

test("a lock of another process is waited for", async (context) => {
  const path = join(scratch(context), "a.db");
  const store = await withSession(context, { path });
  const other = program("programs/hold-lock.ts", [path, "300"]);
  assert.equal((await other.lines.next()).value, "locked");
  await store.messages.admit(userMessage("a"));
  assert.equal((await store.messages.history("ses_main")).length, 1);
  assert.equal(await other.ended, 0);
});

test("a lock that stays ends the waiting with busy; reading goes on, and nothing was written", async (context) => {
  const path = join(scratch(context), "a.db");
  const store = await withSession(context, { path, patience_ms: 100 });
  const other = program("programs/hold-lock.ts", [path, "60000"]);
  context.after(() => other.child.kill());
  assert.equal((await other.lines.next()).value, "locked");
  await assert.rejects(store.messages.admit(userMessage("a")), (error) =>
    StoreError.is(error, "busy"),
  );
  await assert.rejects(
    store.transact(async (tables) => tables.messages.admit(userMessage("a"))),
    (error) => StoreError.is(error, "busy") && error.data.waited_ms >= 100,
  );
  assert.deepEqual(await store.messages.all("ses_main"), []);
  other.child.kill();
  await other.ended;
  assert.equal((await store.messages.admit(userMessage("a"))).known, false);
});

test("two stores on one file in one process do not wait for ever", async (context) => {
  const path = join(scratch(context), "a.db");
  const one = await withSession(context, { path });
  const two = await opened(context, { path });
  await Promise.all([
    one.transact(async (tables) => {
      await tables.messages.admit(userMessage("a"));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }),
    two.messages.admit(userMessage("b")),
  ]);
  assert.equal((await one.messages.history("ses_main")).length, 2);
});

async function damaged(context: TestContext, damage: (path: string) => void): Promise<string> {
  const path = join(scratch(context), "a.db");
  const store = await withSession(context, { path });
  for (let count = 0; count < 50; count++) {
    await store.messages.admit(userMessage(`n${count}`, { parts: [newPart(big(8))] }));
  }
  await store.close();
  damage(path);
  return path;
}

const isCorrupt = (error: unknown) => StoreError.is(error, "corrupt");

test("a file that was cut short is reported as damaged", async (context) => {
  const path = await damaged(context, (file) => truncateSync(file, statSync(file).size / 2));
  await assert.rejects(async () => {
    const store = await opened(context, { path });
    await store.messages.history("ses_main");
  }, isCorrupt);
});

/** Pages count from 1, as in SQLite's own tables. */
function overwrite(file: string, page: number): void {
  const descriptor = openSync(file, "r+");
  writeSync(descriptor, Buffer.alloc(PAGE, 0xa5), 0, PAGE, (page - 1) * PAGE);
  closeSync(descriptor);
}

function rootPage(file: string, table: string): number {
  const db = new DatabaseSync(file, { readOnly: true });
  const row = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").get(table);
  db.close();
  return Number(row?.rootpage);
}

test("a broken last page is found by a check", async (context) => {
  const path = await damaged(context, (file) => overwrite(file, statSync(file).size / PAGE));
  const store = await opened(context, { path });
  assert.match((await store.check()).join("\n"), /invalid page number/);
});

test("rows on a broken page are reported as damaged, not as missing", async (context) => {
  const path = await damaged(context, (file) => overwrite(file, rootPage(file, "chat_messages")));
  const store = await opened(context, { path });
  await assert.rejects(store.messages.history("ses_main"), isCorrupt);
  await assert.rejects(store.messages.admit(userMessage("new")), isCorrupt);
});

test("a file that is no database is refused and left as it is", async (context) => {
  const path = join(scratch(context), "a.db");
  writeFileSync(path, "not a database, and longer than the header of one: ".repeat(20));
  const before = readFileSync(path);
  await assert.rejects(openSqliteStore({ path }), isCorrupt);
  assert.deepEqual(readFileSync(path), before);
});

test("a folder that is not there, and a folder in place of a file, are refused", async (context) => {
  const folder = scratch(context);
  for (const path of [join(folder, "no", "a.db"), folder]) {
    await assert.rejects(openSqliteStore({ path }), (error) => StoreError.is(error, "cannot-open"));
  }
});

for (const what of ["file", "folder"] as const) {
  test(`a ${what} that may not be written is refused at the start`, async (context) => {
    const folder = scratch(context);
    const path = join(folder, "a.db");
    await (await withSession(context, { path })).close();
    const before = readFileSync(path);
    chmodSync(folder, what === "folder" ? 0o555 : 0o777);
    chmodSync(path, what === "file" ? 0o444 : 0o666);
    // Root may write everything: the test needs somebody else.
    const other = program("programs/open.ts", [path], isRoot ? NOBODY : undefined);
    assert.equal((await other.lines.next()).value, "store.read-only");
    await other.ended;
    assert.deepEqual(readFileSync(path), before);
    chmodSync(folder, 0o755);
    rmSync(path);
  });
}

test("a database behind a link keeps what it is given, and its log is the one that is flushed", async (context) => {
  const folder = scratch(context);
  mkdirSync(join(folder, "real"));
  symlinkSync(join(folder, "real", "kept.db"), join(folder, "link.db"));
  const store = await withSession(context, { path: join(folder, "link.db") });
  const size = () => statSync(join(folder, "real", "kept.db")).size;
  const before = size();
  await store.messages.admit(userMessage("a", { parts: [newPart(big(200))] }));
  assert.equal(size(), before, "nothing had to be copied for want of a flush");
  const other = await opened(context, { path: join(folder, "real", "kept.db") });
  assert.equal((await other.messages.all("ses_main")).length, 1);
});
