import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { StoreError } from "../store-error.ts";
import type { Migration } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/all.ts";
import { openDatabase, openSqliteStore } from "./open.ts";
import { program, scratch } from "./scratch.ts";

const one: Migration = { version: 1, up: (db) => db.exec("CREATE TABLE a (x TEXT) STRICT") };
const two: Migration = {
  version: 2,
  up: (db) => db.exec("ALTER TABLE a ADD COLUMN y TEXT; UPDATE a SET y = x || '!'"),
};

const columns = (db: DatabaseSync) => db.prepare("SELECT name FROM pragma_table_info('a')").all();

test("steps have the numbers 1, 2, 3 …, and no step is left out", () => {
  assert.deepEqual(
    MIGRATIONS.map(({ version }) => version),
    MIGRATIONS.map((_, index) => index + 1),
  );
});

test("the tables that others read are there under their names", async (context) => {
  const path = join(scratch(context), "a.db");
  await (await openSqliteStore({ path })).close();
  const db = new DatabaseSync(path, { readOnly: true });
  context.after(() => db.close());
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name");
  assert.deepEqual(
    tables.all().map(({ name }) => name),
    [
      ["blob_refs", "blobs", "chat_messages", "chat_parts", "chat_sessions", "host"],
      [
        "lowerings",
        "manifests",
        "memories",
        "requests",
        "skill_artifacts",
        "skill_invocations",
        "skills",
      ],
      ["system_prompts"],
    ].flat(),
  );
  assert.equal(db.prepare("PRAGMA journal_mode").get()?.journal_mode, "wal");
});

test("an old database is lifted step by step, with its rows", async (context) => {
  const path = join(scratch(context), "a.db");
  const old = await openDatabase(path, 100, [one]);
  old.exec("INSERT INTO a VALUES ('kept')");
  old.close();
  const lifted = await openDatabase(path, 100, [one, two]);
  context.after(() => lifted.close());
  assert.deepEqual({ ...lifted.prepare("SELECT x, y FROM a").get() }, { x: "kept", y: "kept!" });
});

test("a step that fails leaves the version before the first of them", async (context) => {
  const path = join(scratch(context), "a.db");
  const failing: Migration = {
    version: 3,
    up: (db) => db.exec("CREATE TABLE b (x TEXT) STRICT; SELECT nonsense"),
  };
  (await openDatabase(path, 100, [one])).close();
  await assert.rejects(openDatabase(path, 100, [one, two, failing]), /nonsense/);
  const db = await openDatabase(path, 100, [one]);
  context.after(() => db.close());
  assert.equal(columns(db).length, 1);
});

test("a database of a newer version is refused, and not a byte of it changes", async (context) => {
  const path = join(scratch(context), "a.db");
  (await openDatabase(path, 100, [one, two])).close();
  const before = readFileSync(path);
  await assert.rejects(openDatabase(path, 100, [one]), {
    code: "store.newer",
    message: `${path} has version 2, and this program knows versions up to 1; nothing was written. Update the program, or name another file`,
  });
  assert.deepEqual(readFileSync(path), before);
  assert.equal(existsSync(`${path}-journal`), false);
});

test("a database of another program is refused, and not a byte of it changes", async (context) => {
  const path = join(scratch(context), "a.db");
  const db = new DatabaseSync(path);
  db.exec("CREATE TABLE theirs (x)");
  db.close();
  const before = readFileSync(path);
  await assert.rejects(openSqliteStore({ path }), (error) => StoreError.is(error, "foreign"));
  assert.deepEqual(readFileSync(path), before);
});

test("processes that start at once on a new file all open it", async (context) => {
  const path = join(scratch(context), "a.db");
  const starts = Array.from({ length: 4 }, () => program("programs/open.ts", [path]));
  const said = await Promise.all(starts.map(async ({ lines }) => (await lines.next()).value));
  await Promise.all(starts.map(({ ended }) => ended));
  assert.deepEqual(said, ["opened", "opened", "opened", "opened"]);
  const store = await openSqliteStore({ path });
  context.after(() => store.close());
  assert.equal((await store.sessions.list({})).sessions.length, 4);
  assert.deepEqual(await store.check(), []);
});
