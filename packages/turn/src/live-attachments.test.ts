import assert from "node:assert/strict";
import { test } from "node:test";
import type { UserPart } from "@galley/parts";
import { openStage, SESSION, type Stage, withParts } from "./stage.ts";

const MB = 1024 * 1024;

const attachment = (bytes: number, fill: number): UserPart => ({
  type: "file-attachment",
  name: "f",
  mime: "application/octet-stream",
  data: Buffer.alloc(bytes, fill).toString("base64"),
});

async function rowOf({ store }: Stage, id: string): Promise<Record<string, unknown>> {
  const row = await store.messages.get(id);
  return JSON.parse(row?.parts[0]?.data_json ?? "{}");
}

const inlineOf = async ({ store }: Stage) =>
  JSON.parse((await store.sessions.get(SESSION))?.metadata_json ?? "{}").inline_bytes;

test("what stays in rows is counted over the messages of a session", async (t) => {
  const stage = await openStage(t);
  await stage.store.sessions.patch(SESSION, { metadata: { inline_bytes: 20 * MB - 10 }, at: 1 });
  await stage.sessions.submit(SESSION, withParts([attachment(6, 1)], "msg_a"));
  assert.equal(await inlineOf(stage), 20 * MB - 4);
  await stage.sessions.submit(SESSION, withParts([attachment(6, 2)], "msg_b"));
  assert.equal(await inlineOf(stage), 20 * MB - 4);
  assert.equal("data" in (await rowOf(stage, "msg_a")), true);
  const { data, content_id, size } = await rowOf(stage, "msg_b");
  assert.deepEqual([data, size], [undefined, 6]);
  const blob = await stage.store.blobs.get(String(content_id));
  assert.deepEqual(Buffer.from(blob ?? []), Buffer.alloc(6, 2));
  await stage.sessions.edit(SESSION, "msg_b", [attachment(3, 3)]);
  assert.equal(await inlineOf(stage), 20 * MB - 1);
  await stage.sessions.edit(SESSION, "msg_b", [{ type: "text", text: "none" }]);
  assert.equal(await inlineOf(stage), 20 * MB - 4);
  assert.equal(await stage.store.blobs.info(String(content_id)), undefined);
});

test("a retry of a message whose bytes left its row is the same message", async (t) => {
  const stage = await openStage(t);
  const submission = withParts([attachment(MB + 1, 1)], "msg_a");
  const first = await stage.sessions.submit(SESSION, submission);
  assert.deepEqual(await stage.sessions.submit(SESSION, submission), first);
  assert.equal(typeof (await rowOf(stage, "msg_a")).content_id, "string");
  assert.equal((await stage.store.messages.all(SESSION)).length, 1);
});

test("the bytes of an attachment name no session", async (t) => {
  const stage = await openStage(t);
  await stage.sessions.submit(SESSION, withParts([attachment(20, 65)]));
  assert.equal((await stage.store.sessions.get(SESSION))?.title, null);
});
