import assert from "node:assert/strict";
import { test } from "node:test";
import { StoreError } from "../store-error.ts";
import {
  fill,
  type MakeStore,
  newPart,
  onStore,
  queued,
  textPart,
  userMessage,
  visible,
} from "./kit.ts";

export function admissionContract(makeStore: MakeStore): void {
  const on = (name: string, run: Parameters<typeof onStore>[1]) =>
    test(name, onStore(makeStore, run));

  on("parts come back to the byte, whatever their spelling", async (store) => {
    const spellings = [
      '{ "type" : "text",\t"text":"caf\\u00e9 \\ud83d 😀 \\u0000" }',
      '{"type":"x-new","n":12345678901234567890,"f":1.0,"n":1e2}',
      '{"type":"text","text":"","__proto__":{"a":1},"2":0,"1":0}',
    ];
    await store.messages.admit(userMessage("a", { parts: spellings.map(newPart) }));
    const stored = await store.messages.get("msg_a");
    assert.deepEqual(
      stored?.parts.map((part) => [part.index, part.type, part.data_json]),
      [
        [0, "text", spellings[0]],
        [1, "x-new", spellings[1]],
        [2, "text", spellings[2]],
      ],
    );
    assert.equal(stored?.message.metadata_json, '{"schema_version":1}');
  });

  on("messages are in the order in which they fired", async (store) => {
    await fill(store, "one", "two");
    const history = await store.messages.history("ses_main");
    assert.deepEqual(
      history.map(({ message }) => [message.id, message.seq]),
      [
        ["msg_one", 1],
        ["msg_two", 2],
      ],
    );
  });

  on("an exact retry is answered as the first time, and writes nothing", async (store) => {
    const first = await store.messages.admit(userMessage("a", { at: 10 }));
    const again = await store.messages.admit(
      userMessage("a", {
        parts: [newPart('{"text":"a", "type":"text"}')],
        disposition: "queued",
        at: 99,
      }),
    );
    assert.deepEqual([first.known, first.disposition], [false, "fired"]);
    assert.deepEqual(
      [again.known, again.disposition, again.state, again.message.created_at],
      [true, "fired", "fired", 10],
    );
    assert.deepEqual(await visible(store), ["msg_a"]);
    assert.equal((await store.messages.get("msg_a"))?.parts.length, 1);
  });

  on("the same message submitted twice at once is stored once", async (store) => {
    const both = await Promise.all([
      store.messages.admit(userMessage("a")),
      store.messages.admit(userMessage("a")),
    ]);
    assert.deepEqual(both.map(({ known }) => known).sort(), [false, true]);
    assert.deepEqual(await visible(store), ["msg_a"]);
  });

  on("an id never gets a second payload, another model or another session", async (store) => {
    await store.sessions.create({ id: "ses_other", agent: "a", at: 1 });
    await store.messages.admit(userMessage("a"));
    const model = '{"schema_version":1,"model":{"provider_id":"p","model_id":"m"}}';
    for (const over of [
      { parts: [newPart(textPart("b"))] },
      { parts: [newPart(textPart("a")), newPart(textPart("a"))] },
      { metadata_json: model },
      { session_id: "ses_other" },
    ]) {
      await assert.rejects(store.messages.admit(userMessage("a", over)), (error) =>
        StoreError.is(error, "conflict"),
      );
    }
    assert.equal((await store.messages.get("msg_a"))?.parts[0]?.data_json, textPart("a"));
    assert.deepEqual(await store.messages.history("ses_other"), []);
  });

  on("a retry is compared with what the client sent, not with what became of it", async (store) => {
    const payload = { parts: [{ type: "command", id: "/fix" }] };
    const settled = (text: string) => ({ payload, parts: [newPart(textPart(text))] });
    await store.messages.admit(userMessage("a", settled("expanded once")));
    const again = await store.messages.admit(userMessage("a", settled("expanded otherwise")));
    assert.equal(again.known, true);
    assert.equal(
      (await store.messages.get("msg_a"))?.parts[0]?.data_json,
      textPart("expanded once"),
    );
  });

  on("a queued message waits with its marks, and a retry tells where", async (store) => {
    await store.messages.admit(queued("a", { at: 10 }));
    const second = await store.messages.admit(queued("b", { at: 11 }));
    assert.deepEqual([second.state, second.position, second.message.seq], ["queued", 1, null]);
    assert.equal(
      second.message.metadata_json,
      '{"schema_version":1,"queued_at":11,"queue_enqueued_at":11}',
    );
    await store.queue.fire("msg_a", 12);
    const retry = await store.messages.admit(queued("b", { at: 99 }));
    assert.deepEqual([retry.known, retry.state, retry.position], [true, "queued", 0]);
  });

  on("a cancelled id stays cancelled", async (store) => {
    await store.messages.admit(queued("a"));
    await store.queue.cancel("msg_a", 11);
    const again = await store.messages.admit(queued("a", { at: 12 }));
    assert.deepEqual([again.known, again.state], [true, "canceled"]);
    assert.deepEqual(await store.queue.list("ses_main"), []);
    assert.equal(await store.queue.fire("msg_a", 13), undefined);
  });

  on("a settled message has its place in the transcript", async (store) => {
    const { state } = await store.messages.admit(userMessage("a", { disposition: "settled" }));
    assert.equal(state, "settled");
    assert.deepEqual(await visible(store), ["msg_a"]);
  });

  on("a message with one broken part leaves nothing behind", async (store) => {
    for (const broken of ["{", "[]", '{"text":"no type"}', '{"type":"text","text":"\ud83d"}']) {
      const parts = [newPart(textPart("whole")), newPart(broken)];
      await assert.rejects(store.messages.admit(userMessage("a", { parts })), (error) =>
        StoreError.is(error, "invalid"),
      );
    }
    assert.equal(await store.messages.get("msg_a"), undefined);
    assert.deepEqual(await store.messages.all("ses_main"), []);
  });

  on("a message whose second part cannot be written leaves nothing behind", async (store) => {
    const part = newPart(textPart("twice"));
    await assert.rejects(store.messages.admit(userMessage("a", { parts: [part, part] })), (error) =>
      StoreError.is(error, "conflict"),
    );
    assert.deepEqual(await store.messages.all("ses_main"), []);
  });

  on("a message to a session that is not there is refused", async (store) => {
    await assert.rejects(
      store.messages.admit(userMessage("a", { session_id: "ses_no" })),
      (error) => StoreError.is(error, "missing"),
    );
  });

  on("a session that is used moves to the top of the list", async (store) => {
    await store.sessions.create({ id: "ses_later", agent: "a", at: 5 });
    await store.messages.admit(userMessage("a", { at: 10 }));
    const { sessions } = await store.sessions.list({});
    assert.deepEqual(
      sessions.map(({ id }) => id),
      ["ses_main", "ses_later"],
    );
  });
}
