import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, symlinkSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { type TestContext, test } from "node:test";
import { isGalleyError } from "@galley/parts";
import { tempFolder } from "../testing/temp-folder.ts";
import { databasePath } from "./database-path.ts";
import { findHost, takeHostLock } from "./host-lock.ts";

const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => (isGalleyError(error) ? { code: error.code, data: error.data } : error),
  );

test("a database has one host, and the second is told which", async (t) => {
  const db = join(await tempFolder(t), "galley.db");
  const lock = await takeHostLock(db);
  assert.deepEqual(await refusal(takeHostLock(db)), { code: "host.db_taken", data: { path: db } });
  await lock.announce("http://127.0.0.1:4747");
  const address = { pid: process.pid, url: "http://127.0.0.1:4747" };
  assert.deepEqual(JSON.parse(await readFile(`${db}.host.json`, "utf8")), address);
  assert.deepEqual(await refusal(takeHostLock(db)), {
    code: "host.db_taken",
    data: { path: db, ...address },
  });
  assert.deepEqual(await findHost(db), { runs: true, address });
  await lock.release();
  assert.equal(existsSync(`${db}.host.json`), false);
  await (await takeHostLock(db)).release();
});

test("releasing twice is releasing once, and takes nothing from the next host", async (t) => {
  const db = join(await tempFolder(t), "galley.db");
  const first = await takeHostLock(db);
  await first.release();
  const second = await takeHostLock(db);
  await second.announce("http://127.0.0.1:1");
  await first.release();
  assert.deepEqual(await findHost(db), {
    runs: true,
    address: { pid: process.pid, url: "http://127.0.0.1:1" },
  });
  await second.release();
});

test("looking for a host makes nothing and keeps nobody out", async (t) => {
  const db = join(await tempFolder(t), "galley.db");
  assert.deepEqual(await findHost(db), { runs: false });
  assert.equal(existsSync(`${db}.host`), false);
  await (await takeHostLock(db)).release();
  assert.deepEqual(await findHost(db), { runs: false });
});

test("a host that was killed keeps nobody out, whatever address it left", async (t) => {
  const db = join(await tempFolder(t), "galley.db");
  const child = await holder(t, db);
  const taken = await refusal(takeHostLock(db));
  const url = "http://127.0.0.1:9";
  assert.deepEqual(taken, { code: "host.db_taken", data: { path: db, pid: child.pid, url } });
  child.kill("SIGKILL");
  await once(child, "exit");
  assert.equal(existsSync(`${db}.host.json`), true);
  assert.deepEqual(await findHost(db), { runs: false });
  const lock = await takeHostLock(db);
  assert.equal(existsSync(`${db}.host.json`), false);
  await lock.release();
});

test("a lock file that is no database is told, and left as it is", async (t) => {
  const db = join(await tempFolder(t), "galley.db");
  await writeFile(
    `${db}.host`,
    "something of somebody else's, long enough to have a header".repeat(20),
  );
  const told = (await refusal(takeHostLock(db))) as { code: string };
  assert.equal(told.code, "host.no_lock");
  assert.match(await readFile(`${db}.host`, "utf8"), /^something/);
});

test("a database has one name, whichever link leads to it", async (t) => {
  const folder = await tempFolder(t, { "real/galley.db": "" });
  symlinkSync(join(folder, "real"), join(folder, "link"));
  symlinkSync(join(folder, "real", "galley.db"), join(folder, "alias.db"));
  const real = join(folder, "real", "galley.db");
  assert.equal(await databasePath(join(folder, "link", "galley.db"), folder), real);
  assert.equal(await databasePath(join(folder, "alias.db"), folder), real);
  assert.equal(
    await databasePath(join(folder, "link", "new.db"), folder),
    join(folder, "real", "new.db"),
  );
  assert.equal(await databasePath(undefined, join(folder, "link")), real);
  assert.equal(await databasePath(":memory:", folder), ":memory:");
});

test("a PostgreSQL address is refused as not built yet", async (t) => {
  const told = await refusal(databasePath("postgres://localhost/galley", await tempFolder(t)));
  assert.equal((told as { code: string }).code, "host.not_yet");
});

/** A process that holds the lock, says so, and waits to be killed. */
async function holder(t: TestContext, db: string) {
  const lock = new URL("./host-lock.ts", import.meta.url).href;
  const code = `
    const { takeHostLock } = await import(${JSON.stringify(lock)});
    const lock = await takeHostLock(${JSON.stringify(db)});
    await lock.announce("http://127.0.0.1:9");
    console.log("held");
    setInterval(() => lock, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return child;
}
