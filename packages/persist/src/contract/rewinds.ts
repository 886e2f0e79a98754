import assert from "node:assert/strict";
import { test } from "node:test";
import type { Store } from "../store.ts";
import { StoreError } from "../store-error.ts";
import { fill, idsOf, type MakeStore, onStore, queueUp, visible, waiting } from "./kit.ts";

const back = (store: Store, id: string, to: string, inclusive = false) =>
  store.messages.rewind({
    id,
    session_id: "ses_main",
    to_message_id: `msg_${to}`,
    inclusive,
    at: 50,
  });

const undo = (store: Store, rewind_id: string, swap_id: string) =>
  store.messages.unrewind({ session_id: "ses_main", rewind_id, swap_id, at: 60 });

export function rewindContract(makeStore: MakeStore): void {
  const on = (name: string, run: Parameters<typeof onStore>[1]) =>
    test(name, onStore(makeStore, run));

  on("a rewind hides what came after, and with an edit the message too", async (store) => {
    await fill(store, "1", "2", "3");
    assert.deepEqual(await back(store, "r1", "2"), ["msg_3"]);
    assert.deepEqual(await back(store, "r2", "2", true), ["msg_2"]);
    assert.deepEqual(await visible(store), ["msg_1"]);
    const all = await store.messages.history("ses_main", { include_hidden: true });
    assert.deepEqual(
      all.map(({ message }) => [message.id, message.hidden_at, message.hidden_by]),
      [
        ["msg_1", null, null],
        ["msg_2", 50, "r2"],
        ["msg_3", 50, "r1"],
      ],
    );
    assert.equal(all[1]?.message.metadata_json, '{"schema_version":1,"hidden_at":50}');
  });

  on("undoing a rewind swaps the branches and never mixes them", async (store) => {
    await fill(store, "1", "2", "3");
    await back(store, "r1", "1");
    await fill(store, "new");
    assert.deepEqual(await undo(store, "r1", "r2"), ["msg_2", "msg_3"]);
    assert.deepEqual(await visible(store), ["msg_1", "msg_2", "msg_3"]);
    assert.equal(
      (await store.messages.get("msg_2"))?.message.metadata_json,
      '{"schema_version":1}',
    );
    assert.deepEqual(await undo(store, "r2", "r3"), ["msg_new"]);
    assert.deepEqual(await visible(store), ["msg_1", "msg_new"]);
  });

  on("a rewind is undone only while its base is visible", async (store) => {
    await fill(store, "1", "2", "3");
    await back(store, "r1", "2");
    await fill(store, "4");
    await back(store, "r2", "1");
    await assert.rejects(undo(store, "r1", "s1"), (error) =>
      StoreError.is(error, "not-restorable"),
    );
    assert.deepEqual(await visible(store), ["msg_1"]);
    await undo(store, "r2", "s1");
    assert.deepEqual(await visible(store), ["msg_1", "msg_2", "msg_4"]);
    await undo(store, "r1", "s2");
    assert.deepEqual(await visible(store), ["msg_1", "msg_2", "msg_3"]);
  });

  on("a rewind to the very start is undone too", async (store) => {
    await fill(store, "1", "2");
    await back(store, "r1", "1", true);
    assert.deepEqual(await visible(store), []);
    await undo(store, "r1", "s1");
    assert.deepEqual(await visible(store), ["msg_1", "msg_2"]);
  });

  on(
    "a rewind leaves waiting messages alone, and an order number is not given twice",
    async (store) => {
      await fill(store, "1", "2");
      await queueUp(store, "later");
      await back(store, "r1", "1", true);
      assert.deepEqual(await waiting(store), ["msg_later"]);
      assert.equal((await store.queue.fire("msg_later", 55))?.seq, 3);
    },
  );

  on("a rewind to what is not visible, and an unknown one, are refused", async (store) => {
    await fill(store, "1", "2");
    await back(store, "r1", "1");
    await assert.rejects(back(store, "r2", "2"), (error) => StoreError.is(error, "invalid"));
    await assert.rejects(back(store, "r2", "never"), (error) => StoreError.is(error, "missing"));
    await assert.rejects(undo(store, "never", "s"), (error) => StoreError.is(error, "missing"));
    await fill(store, "3");
    await assert.rejects(back(store, "r1", "1"), (error) => StoreError.is(error, "conflict"));
    await assert.rejects(undo(store, "r1", "r1"), (error) => StoreError.is(error, "conflict"));
    assert.deepEqual(idsOf(await store.messages.history("ses_main")), ["msg_1", "msg_3"]);
  });
}
