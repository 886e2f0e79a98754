import assert from "node:assert/strict";
import { test } from "node:test";
import { openSqliteStore } from "@galley/persist";
import { tempFolder } from "../testing/temp-folder.ts";
import { createHost } from "./create-host.ts";
import { blobSweeper } from "./sweep-blobs.ts";

const HOUR = 60 * 60 * 1000;
const NOW = 1_700_000_000_000;

test("bytes that nobody holds are freed after an hour, at the start and once a day", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const store = await openSqliteStore({ path: ":memory:" });
  t.after(() => store.close());
  const put = (text: string, at: number) => store.blobs.put(Buffer.from(text), at, "lent");
  const [old, young] = [await put("old", NOW - HOUR - 1), await put("young", NOW - HOUR)];
  let now = NOW;
  const sweeper = blobSweeper({ store, now: () => now, report: assert.fail });
  await sweeper.start();
  assert.equal(await store.blobs.info(old), undefined);
  assert.equal((await store.blobs.info(young))?.size, 5);
  now += 24 * HOUR;
  t.mock.timers.tick(24 * HOUR);
  assert.equal(await store.blobs.info(young), undefined);
  sweeper.stop();
  const late = await put("late", 1);
  t.mock.timers.tick(24 * HOUR);
  assert.equal((await store.blobs.info(late))?.size, 4);
});

test("a sweep that fails is told and stops nothing", async () => {
  const told: unknown[] = [];
  const fault = new Error("the disk is full");
  const blobs = { sweep: () => Promise.reject(fault) } as never;
  const sweeper = blobSweeper({ store: { blobs }, now: () => NOW, report: (e) => told.push(e) });
  await sweeper.start();
  sweeper.stop();
  assert.deepEqual(told, [fault]);
});

test("a host that starts frees what was forgotten", async (t) => {
  const host = await createHost({
    workspace: await tempFolder(t),
    home: await tempFolder(t),
    db: ":memory:",
    now: () => NOW,
  });
  t.after(() => host.close(0));
  const old = await host.store.blobs.put(Buffer.from("old"), NOW - 2 * HOUR);
  await host.start();
  assert.equal(await host.store.blobs.info(old), undefined);
});
