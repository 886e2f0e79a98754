import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Tables } from "../store.ts";
import { StoreError } from "../store-error.ts";
import { fill, type MakeStore, newPart, onStore, queueUp, userMessage, visible } from "./kit.ts";

export function transactionContract(makeStore: MakeStore): void {
  const on = (name: string, run: Parameters<typeof onStore>[1]) =>
    test(name, onStore(makeStore, run));

  on("a transaction gives what its work gives, and all of it is stored", async (store) => {
    const seq = await store.transact(async (tables) => {
      await tables.messages.admit(userMessage("a"));
      const { message } = await tables.messages.admit(userMessage("b"));
      return message.seq;
    });
    assert.equal(seq, 2);
    assert.deepEqual(await visible(store), ["msg_a", "msg_b"]);
  });

  on("a transaction that fails leaves nothing", async (store) => {
    await queueUp(store, "a");
    const failing = store.transact(async (tables) => {
      await tables.queue.fire("msg_a", 20);
      await tables.messages.admit(userMessage("b"));
      throw new Error("no");
    });
    await assert.rejects(failing, /^Error: no$/);
    assert.deepEqual(await visible(store), []);
    assert.equal((await store.queue.list("ses_main")).length, 1);
  });

  on("a step that fails inside leaves nothing, and the rest may go on", async (store) => {
    await store.transact(async (tables) => {
      await tables.messages.admit(userMessage("a"));
      // The second part fails when the message and the first are already written.
      const part = newPart('{"type":"text"}');
      await assert.rejects(
        tables.messages.admit(userMessage("b", { parts: [part, part] })),
        (error) => StoreError.is(error, "conflict"),
      );
    });
    assert.deepEqual(await visible(store), ["msg_a"]);
    assert.equal(await store.messages.get("msg_b"), undefined);
  });

  on("nobody sees or comes between the steps of a transaction", async (store) => {
    const slow = store.transact(async (tables) => {
      await tables.messages.admit(userMessage("a"));
      await sleep(20);
      await tables.messages.admit(userMessage("b"));
    });
    // A reader may wait or see what was there before; half of it is never seen.
    const early = visible(store);
    const between = sleep(10).then(() => visible(store));
    const other = fill(store, "c");
    await Promise.all([slow, other]);
    for (const seen of [await early, await between]) {
      assert.ok(
        ["", "msg_a,msg_b", "msg_a,msg_b,msg_c"].includes(seen.join()),
        `a reader saw ${seen}`,
      );
    }
    assert.deepEqual(await visible(store), ["msg_a", "msg_b", "msg_c"]);
  });

  on("the store itself is refused inside its own transaction", async (store) => {
    await store.transact(async () => {
      await assert.rejects(visible(store), (error) => StoreError.is(error, "inside-transaction"));
    });
    assert.deepEqual(await visible(store), []);
  });

  on("work that a transaction started may use the store once it is over", async (store) => {
    const later = await store.transact(async () => ({ done: sleep(5).then(() => visible(store)) }));
    assert.deepEqual(await later.done, []);
  });

  on("the tables of a transaction are refused once it is over", async (store) => {
    const kept = await store.transact(async (tables): Promise<{ tables: Tables }> => ({ tables }));
    await assert.rejects(kept.tables.messages.admit(userMessage("late")), (error) =>
      StoreError.is(error, "transaction-over"),
    );
    assert.deepEqual(await visible(store), []);
  });

  on("a sound store finds no damage, and a closed one says so", async (store) => {
    await fill(store, "a");
    assert.deepEqual(await store.check(), []);
    await store.close();
    await assert.rejects(visible(store), (error) => StoreError.is(error, "closed"));
  });
}
