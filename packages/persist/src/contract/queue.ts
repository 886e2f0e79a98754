import assert from "node:assert/strict";
import { test } from "node:test";
import {
  fill,
  type MakeStore,
  newPart,
  onStore,
  queued,
  queueUp,
  textPart,
  visible,
  waiting,
} from "./kit.ts";

export function queueContract(makeStore: MakeStore): void {
  const on = (name: string, run: Parameters<typeof onStore>[1]) =>
    test(name, onStore(makeStore, run));

  on("a message gets its order number when it fires, after what fired before it", async (store) => {
    await queueUp(store, "early", "late");
    await fill(store, "direct");
    const fired = await store.queue.fire("msg_early", 30);
    assert.deepEqual([fired?.seq, fired?.queue_order], [2, null]);
    assert.equal(fired?.metadata_json, '{"schema_version":1,"queue_enqueued_at":10}');
    assert.deepEqual(await visible(store), ["msg_direct", "msg_early"]);
    assert.deepEqual(await waiting(store), ["msg_late"]);
  });

  on("of two hosts that took the queue the last one holds it", async (store) => {
    assert.equal(await store.queue.holder(), undefined);
    await store.queue.take("one", 5);
    await store.queue.take("two", 6);
    assert.equal(await store.queue.holder(), "two");
    await store.transact(async (tx) => {
      await tx.queue.take("three", 7);
      assert.equal(await tx.queue.holder(), "three");
    });
  });

  on("a message fires once", async (store) => {
    await queueUp(store, "a");
    const both = await Promise.all([store.queue.fire("msg_a", 30), store.queue.fire("msg_a", 30)]);
    assert.deepEqual(both.map((row) => row?.seq ?? "lost").sort(), [1, "lost"]);
  });

  on("of a cancel and a fire that race one wins, and the other is told", async (store) => {
    await queueUp(store, "a");
    const [canceled, fired] = await Promise.all([
      store.queue.cancel("msg_a", 30),
      store.queue.fire("msg_a", 30),
    ]);
    assert.deepEqual([canceled?.canceled_at, fired], [30, undefined]);
    assert.deepEqual(await visible(store), []);
  });

  on("a cancelled message is a hidden row that no list shows", async (store) => {
    await queueUp(store, "a", "b");
    const canceled = await store.queue.cancel("msg_a", 30);
    assert.equal(
      canceled?.metadata_json,
      '{"schema_version":1,"queue_enqueued_at":10,"queue_canceled_at":30,"hidden_at":30}',
    );
    assert.deepEqual([canceled?.hidden_at, canceled?.hidden_by], [30, null]);
    assert.deepEqual([await visible(store), await waiting(store)], [[], ["msg_b"]]);
    assert.deepEqual(await store.messages.history("ses_main", { include_hidden: true }), []);
    assert.equal((await store.messages.get("msg_a"))?.parts.length, 1);
    assert.equal(await store.queue.cancel("msg_a", 31), undefined);
  });

  on("an edit gives a waiting message other parts in the same place", async (store) => {
    await queueUp(store, "a", "b");
    const parts = [newPart(textPart("new")), newPart(textPart("more"))];
    const edited = await store.queue.edit("msg_a", { parts, metadata: { mode: "plan" }, at: 30 });
    assert.deepEqual(
      edited?.parts.map((part) => [part.index, part.data_json]),
      [
        [0, textPart("new")],
        [1, textPart("more")],
      ],
    );
    assert.equal(
      edited?.message.metadata_json,
      '{"schema_version":1,"queued_at":10,"queue_enqueued_at":10,"mode":"plan"}',
    );
    assert.deepEqual(await waiting(store), ["msg_a", "msg_b"]);
    assert.equal((await store.messages.admit(queued("a"))).known, true);
  });

  on("a message that fired is not edited, moved or cancelled", async (store) => {
    await queueUp(store, "a", "b");
    await store.queue.fire("msg_a", 30);
    const parts = [newPart(textPart("too late"))];
    assert.equal(await store.queue.edit("msg_a", { parts, at: 31 }), undefined);
    assert.equal(await store.queue.move("msg_a", { after: "msg_b", at: 31 }), undefined);
    assert.equal(await store.queue.move("msg_b", { before: "msg_a", at: 31 }), undefined);
    assert.equal(await store.queue.cancel("msg_a", 31), undefined);
    assert.equal((await store.messages.get("msg_a"))?.parts[0]?.data_json, textPart("a"));
  });

  on("a waiting message moves before or after another", async (store) => {
    await queueUp(store, "a", "b", "c");
    const toFront = await store.queue.move("msg_c", { before: "msg_a", at: 30 });
    assert.deepEqual(toFront, ["msg_c", "msg_a", "msg_b"]);
    const toBack = await store.queue.move("msg_c", { after: "msg_b", at: 31 });
    assert.deepEqual(toBack, ["msg_a", "msg_b", "msg_c"]);
    assert.equal(await store.queue.move("msg_c", { after: "msg_c", at: 32 }), undefined);
    await store.messages.admit(queued("d"));
    assert.deepEqual(await waiting(store), ["msg_a", "msg_b", "msg_c", "msg_d"]);
  });

  on("a message does not move among those of another session", async (store) => {
    await store.sessions.create({ id: "ses_other", agent: "a", at: 1 });
    await queueUp(store, "a");
    await store.messages.admit(queued("x", { session_id: "ses_other" }));
    assert.equal(await store.queue.move("msg_a", { after: "msg_x", at: 30 }), undefined);
  });

  on("a host finds the sessions in which something waits", async (store) => {
    await store.sessions.create({ id: "ses_other", agent: "a", at: 1 });
    await queueUp(store, "a");
    await store.messages.admit(queued("x", { session_id: "ses_other" }));
    assert.deepEqual(await store.queue.sessions(), ["ses_main", "ses_other"]);
    await store.queue.fire("msg_x", 30);
    assert.deepEqual(await store.queue.sessions(), ["ses_main"]);
  });
}
