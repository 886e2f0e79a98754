import assert from "node:assert/strict";
import { test } from "node:test";
import { StoreError } from "../store-error.ts";
import { fill, type MakeStore, onStore } from "./kit.ts";

const manifest = (turn: number, round: number, manifest_json = "{}") => ({
  session_id: "ses_main",
  turn,
  round,
  message_id: null,
  manifest_json,
  created_at: 5,
});
const request = {
  session_id: "ses_main",
  turn: 1,
  round: 1,
  message_id: "msg_one",
  model: "anthropic/m",
  method: "POST",
  url: "https://example.test/v1",
  headers_json: "{}",
  created_at: 5,
};
const HELLO = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

export function recordContract(makeStore: MakeStore): void {
  const on = (name: string, run: Parameters<typeof onStore>[1]) =>
    test(name, onStore(makeStore, run));

  on("the first lowering record of a part stays", async (store) => {
    await fill(store, "one");
    const row = { message_id: "msg_one", part: 0, session_id: "ses_main", created_at: 5 };
    const first = await store.lowerings.keep({ ...row, record_json: '{"text": "once"}' });
    const second = await store.lowerings.keep({ ...row, record_json: '{"text":"again"}' });
    assert.deepEqual(second, first);
    assert.equal(first.record_json, '{"text": "once"}');
    assert.deepEqual(await store.lowerings.ofMessage("msg_one"), [first]);
    await assert.rejects(
      store.lowerings.keep({ ...row, message_id: "msg_no", record_json: "{}" }),
      (error) => StoreError.is(error, "missing"),
    );
  });

  on(
    "manifests are found by turn and round, and a round sent again has its last",
    async (store) => {
      assert.equal(await store.manifests.lastTurn("ses_main"), 0);
      await store.manifests.put(manifest(2, 1));
      await store.manifests.put(manifest(1, 2));
      await store.manifests.put(manifest(1, 1, '{"v":1}'));
      await store.manifests.put(manifest(1, 1, '{"v":2}'));
      assert.deepEqual(await store.manifests.list("ses_main", 1), [
        manifest(1, 1, '{"v":2}'),
        manifest(1, 2),
      ]);
      assert.equal((await store.manifests.list("ses_main")).length, 3);
      assert.equal(await store.manifests.lastTurn("ses_main"), 2);
    },
  );

  on("a request keeps its bytes and their hash, or the hash alone", async (store) => {
    const body = new TextEncoder().encode("hello");
    const kept = await store.requests.put({ ...request, body });
    assert.deepEqual(kept, { ...request, sha256: HELLO, size: 5 });
    await store.requests.put({ ...request, round: 2, body, keep: "hash" });
    assert.deepEqual(await store.requests.list("ses_main", 1), [kept, { ...kept, round: 2 }]);
    assert.deepEqual(await store.requests.body("ses_main", 1, 1), body);
    assert.equal(await store.requests.body("ses_main", 1, 2), undefined);
  });

  on("a shared text is kept once under its hash", async (store) => {
    const text = { kind: "system" as const, body: "hello" };
    assert.equal(await store.systemPrompts.keep({ ...text, at: 5 }), HELLO);
    assert.equal(await store.systemPrompts.keep({ ...text, at: 6 }), HELLO);
    assert.deepEqual(await store.systemPrompts.get(HELLO), {
      ...text,
      digest: HELLO,
      created_at: 5,
    });
    assert.equal(await store.systemPrompts.get("00"), undefined);
  });
}
