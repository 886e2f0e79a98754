/** A host and its database: nobody else opens its files, and only the host that took it last fires. */
import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { isGalleyError } from "@galley/parts";
import { openSqliteStore } from "@galley/persist";
import { startRehearsal } from "@galley/rehearsal";
import { tempFolder } from "../testing/temp-folder.ts";
import { ownPaths } from "../workspace/own-files.ts";
import { createHost } from "./create-host.ts";
import { findHost } from "./host-lock.ts";

async function hostOn(t: TestContext, db: string, workspace: string) {
  const rehearsal = await startRehearsal({ script: () => ({ say: "done" }) });
  t.after(() => rehearsal.close());
  const host = await createHost({
    workspace,
    home: await tempFolder(t),
    db,
    env: { GALLEY_MODEL: "rehearsal/default" },
    offline: { url: async () => rehearsal.url, close: async () => {} },
  });
  t.after(() => host.close(0));
  return { host, rehearsal };
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "done",
    (error: unknown) => (isGalleyError(error) ? error.code : error),
  );

test("what a host keeps on the disk cannot be attached, and its lock outlives the attempt", async (t) => {
  const workspace = await tempFolder(t);
  const db = join(workspace, "chat.db");
  const { host } = await hostOn(t, db, workspace);
  await host.serve({ host: "127.0.0.1", port: 0, token: "0123456789abcdef" });
  const { id } = await host.sessions.create({});
  for (const end of ["", "-wal", "-shm", ".host", ".host.json"]) {
    const sent = host.submit(id, {
      input: { text: "look", attach: [`chat.db${end}`] },
      payload: {},
    });
    assert.equal(await codeOf(sent), "host.unreadable", end);
  }
  assert.equal((await findHost(db)).runs, true);
  await host.close(0);
  assert.deepEqual(
    ownPaths().filter((path) => path.startsWith(workspace)),
    [],
  );
});

test("a link to a database that is yet to be made leads to the lock of what it names", async (t) => {
  const workspace = await tempFolder(t);
  const [alias, real] = [join(workspace, "alias.db"), join(workspace, "real.db")];
  symlinkSync("link.db", alias);
  symlinkSync(real, join(workspace, "link.db"));
  await hostOn(t, alias, workspace);
  assert.equal(await codeOf(hostOn(t, real, workspace)), "host.db_taken");
});

test("a host whose database another one took begins nothing any more", async (t) => {
  const workspace = await tempFolder(t);
  const db = join(workspace, "chat.db");
  const { host, rehearsal } = await hostOn(t, db, workspace);
  const { id } = await host.sessions.create({});
  const other = await openSqliteStore({ path: db });
  t.after(() => other.close());
  await other.queue.take("another", 1);
  const sent = host.submit(id, { input: { text: "hello" }, payload: {} });
  assert.equal(await codeOf(sent), "host.superseded");
  assert.deepEqual(await host.store.messages.all(id), []);
  assert.equal(rehearsal.received.length, 0);
});
