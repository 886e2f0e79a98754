import assert from "node:assert/strict";
import { test } from "node:test";
import type { Store } from "../store.ts";
import { answer, type MakeStore, newPart, onStore, queued, textPart, userMessage } from "./kit.ts";

const bytes = new TextEncoder().encode("hello");
const HELLO = "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
const attachment = `{"type":"file-attachment","name":"a","mime":"text/plain","content_id":"${HELLO}"}`;

const sends = (name: string, session_id = "ses_main") =>
  userMessage(name, { session_id, parts: [newPart(attachment)] });
const holders = async (store: Store) => (await store.blobs.info(HELLO))?.holders;

export function blobContract(makeStore: MakeStore): void {
  const on = (name: string, run: Parameters<typeof onStore>[1]) =>
    test(name, onStore(makeStore, run));

  on("bytes are named by their hash and kept once", async (store) => {
    assert.equal(await store.blobs.put(bytes, 5), HELLO);
    assert.equal(await store.blobs.put(bytes, 6), HELLO);
    assert.deepEqual(await store.blobs.get(HELLO), bytes);
    assert.deepEqual(await store.blobs.info(HELLO), {
      content_id: HELLO,
      size: 5,
      holders: 0,
      created_at: 6,
    });
    assert.equal(await store.blobs.get("sha256:00"), undefined);
  });

  on("sessions share a blob, and the last one that goes takes it along", async (store) => {
    await store.sessions.create({ id: "ses_fork", agent: "a", at: 1 });
    await store.blobs.put(bytes, 5);
    await store.messages.admit(sends("a"));
    await store.messages.admit(sends("b", "ses_fork"));
    assert.equal(await holders(store), 2);
    await store.sessions.delete("ses_main");
    assert.deepEqual(await store.blobs.get(HELLO), bytes);
    await store.sessions.delete("ses_fork");
    assert.equal(await store.blobs.get(HELLO), undefined);
  });

  on("an edit lets go of what it took out, and keeps what stays", async (store) => {
    await store.blobs.put(bytes, 5);
    const part = newPart(attachment);
    await store.messages.admit(queued("a", { parts: [part] }));
    await store.queue.edit("msg_a", { parts: [newPart(attachment)], at: 20 });
    assert.equal(await holders(store), 1);
    await store.queue.edit("msg_a", { parts: [newPart(textPart("none"))], at: 21 });
    assert.equal(await store.blobs.get(HELLO), undefined);
  });

  on("a part of an answer holds what its last text names, at any depth", async (store) => {
    await store.blobs.put(bytes, 5);
    await store.messages.begin(answer("a"));
    const write = (data_json: string) =>
      store.parts.upsert([{ id: "prt_x", message_id: "msg_a", index: 0, data_json, at: 21 }]);
    await write(`{"type":"tool-x","toolCallId":"c","output":[{"file":{"content_id":"${HELLO}"}}]}`);
    await write(`{"type":"tool-x","toolCallId":"c","output":[{"content_id":"${HELLO}"}]}`);
    assert.equal(await holders(store), 1);
    await write('{"type":"tool-x","toolCallId":"c","output":[]}');
    assert.equal(await store.blobs.get(HELLO), undefined);
  });

  on("a lowering record holds what it names", async (store) => {
    await store.blobs.put(bytes, 5);
    await store.messages.admit(userMessage("a"));
    await store.lowerings.keep({
      message_id: "msg_a",
      part: 0,
      session_id: "ses_main",
      record_json: `{"content_id":"${HELLO}"}`,
      created_at: 11,
    });
    assert.deepEqual(await store.blobs.heldBy("ses_main"), [HELLO]);
    await store.sessions.delete("ses_main");
    assert.equal(await store.blobs.get(HELLO), undefined);
  });

  on("bytes put again for a message on its way outlive their last holder", async (store) => {
    await store.sessions.create({ id: "ses_next", agent: "a", at: 1 });
    await store.blobs.put(bytes, 5);
    await store.messages.admit(sends("a"));
    await store.blobs.put(bytes, 6);
    await store.sessions.delete("ses_main");
    await store.messages.admit(sends("b", "ses_next"));
    assert.deepEqual(await store.blobs.get(HELLO), bytes);
  });

  on(
    "bytes that a client put stay for others who named them, until they are old",
    async (store) => {
      await store.sessions.create({ id: "ses_next", agent: "a", at: 1 });
      await store.blobs.put(bytes, 5, "lent");
      await store.messages.admit(sends("a"));
      await store.blobs.put(bytes, 6);
      await store.sessions.delete("ses_main");
      assert.deepEqual(await store.blobs.get(HELLO), bytes);
      await store.messages.admit(sends("b", "ses_next"));
      assert.equal(await store.blobs.sweep(6), 0);
      assert.equal(await store.blobs.sweep(7), 0);
      await store.sessions.delete("ses_next");
      assert.equal(await store.blobs.get(HELLO), undefined);
    },
  );

  on(
    "bytes that a client put again after they were held are swept when they are old",
    async (store) => {
      await store.blobs.put(bytes, 5);
      await store.messages.admit(sends("a"));
      await store.blobs.put(bytes, 6, "lent");
      await store.sessions.delete("ses_main");
      assert.equal(await store.blobs.sweep(6), 0);
      assert.equal(await store.blobs.sweep(7), 1);
    },
  );

  on("a session holds what its metadata names, for as long as it names it", async (store) => {
    await store.blobs.put(bytes, 5);
    const pins = [{ id: "p", ref: { kind: "content-id", content_id: HELLO } }];
    await store.sessions.patch("ses_main", { metadata: { pins }, at: 6 });
    assert.equal(await store.blobs.sweep(50), 0);
    await store.sessions.patch("ses_main", { title: "still", at: 7 });
    assert.deepEqual(await store.blobs.heldBy("ses_main"), [HELLO]);
    await store.sessions.patch("ses_main", { metadata: { pins: [] }, at: 8 });
    assert.equal(await store.blobs.get(HELLO), undefined);
  });

  on("a sweep frees old bytes that nobody holds", async (store) => {
    const other = new Uint8Array([0, 255]);
    await store.blobs.put(bytes, 5);
    const young = await store.blobs.put(other, 50);
    await store.messages.admit(sends("a"));
    assert.equal(await store.blobs.sweep(50), 0);
    assert.equal(await store.blobs.sweep(51), 1);
    assert.equal(await store.blobs.get(young), undefined);
    assert.deepEqual(await store.blobs.get(HELLO), bytes);
  });
}
