import assert from "node:assert/strict";
import { test } from "node:test";
import { StoreError } from "../store-error.ts";
import { type MakeStore, onStore } from "./kit.ts";

export function sessionContract(makeStore: MakeStore): void {
  const on = (name: string, run: Parameters<typeof onStore>[1]) =>
    test(name, onStore(makeStore, run));

  on("a new session has its defaults, and reads back as it was made", async (store) => {
    const made = await store.sessions.create({ id: "ses_new", agent: "code", at: 7 });
    assert.deepEqual(made, {
      id: "ses_new",
      agent: "code",
      title: null,
      workspace_root: null,
      model_json: null,
      parent_id: null,
      parent_message_id: null,
      permissions_json: "[]",
      metadata_json: "{}",
      prompt_tokens: 0,
      completion_tokens: 0,
      reasoning_tokens: 0,
      cache_read: 0,
      cache_write: 0,
      total_tokens: 0,
      cost_usd: 0,
      created_at: 7,
      updated_at: 7,
      archived_at: null,
    });
    assert.deepEqual(await store.sessions.get("ses_new"), made);
    assert.equal(await store.sessions.get("ses_never"), undefined);
  });

  on("an id of a session is used once", async (store) => {
    await assert.rejects(
      store.sessions.create({ id: "ses_main", agent: "other", at: 2 }),
      (error) => StoreError.is(error, "conflict"),
    );
    assert.equal((await store.sessions.get("ses_main"))?.agent, "default");
  });

  on(
    "a patch changes what it names, and leaves every other byte of the metadata",
    async (store) => {
      const metadata_json = '{"big":12345678901234567890,"a":{"z":1,"b":1.50},"gone":1}';
      await store.sessions.create({ id: "ses_p", agent: "a", title: "old", metadata_json, at: 2 });
      const metadata = { gone: undefined, pause: { reason: "error" } };
      const patched = await store.sessions.patch("ses_p", { title: null, metadata, at: 9 });
      assert.equal(
        patched.metadata_json,
        '{"big":12345678901234567890,"a":{"z":1,"b":1.50},"pause":{"reason":"error"}}',
      );
      assert.deepEqual([patched.title, patched.updated_at, patched.created_at], [null, 9, 2]);
      assert.deepEqual(await store.sessions.get("ses_p"), patched);
    },
  );

  on(
    "a session is found by a key of its metadata, and by no word inside a value",
    async (store) => {
      const make = (id: string, metadata_json: string) =>
        store.sessions.create({ id, agent: "a", metadata_json, at: 2 });
      await make("ses_b", '{"run":{"turn_id":"turn_1"}}');
      await make("ses_a", '{"other":1,"run":null}');
      await make("ses_value", '{"note":"run","deep":{"run":1},"runs":1}');
      assert.deepEqual(await store.sessions.marked("run"), ["ses_a", "ses_b"]);
      await store.sessions.patch("ses_b", { metadata: { run: undefined }, at: 3 });
      assert.deepEqual(await store.sessions.marked("run"), ["ses_a"]);
    },
  );

  on("a patch of a session that is not there is refused", async (store) => {
    await assert.rejects(store.sessions.patch("ses_no", { at: 2 }), (error) =>
      StoreError.is(error, "missing"),
    );
  });

  on("text that could not be read back as it came is refused", async (store) => {
    const broken = { id: "ses_b", agent: "a", at: 2 };
    for (const session of [
      { ...broken, metadata_json: "[]" },
      { ...broken, metadata_json: "{" },
      { ...broken, title: "half \ud83d" },
    ]) {
      await assert.rejects(store.sessions.create(session), (error) =>
        StoreError.is(error, "invalid"),
      );
    }
    assert.equal(await store.sessions.get("ses_b"), undefined);
  });

  on("a list shows the latest first, without archived sessions and sidecars", async (store) => {
    await store.sessions.create({ id: "ses_old", agent: "a", at: 2 });
    await store.sessions.create({
      id: "ses_side",
      agent: "a",
      parent_id: "ses_main",
      metadata_json: '{"ephemeral":true}',
      at: 3,
    });
    await store.sessions.create({ id: "ses_put", agent: "a", at: 4 });
    await store.sessions.archive("ses_put", 5);
    const ids = async (query: object) =>
      (await store.sessions.list(query)).sessions.map(({ id }) => id);
    assert.deepEqual(await ids({}), ["ses_old", "ses_main"]);
    assert.deepEqual(await ids({ include_archived: true }), ["ses_put", "ses_old", "ses_main"]);
    assert.deepEqual(await ids({ include_ephemeral: true }), ["ses_side", "ses_old", "ses_main"]);
    assert.deepEqual(await ids({ parent_id: "ses_main" }), ["ses_side"]);
    await store.sessions.archive("ses_put", null);
    assert.deepEqual(await ids({}), ["ses_put", "ses_old", "ses_main"]);
  });

  on("a promoted sidecar is listed like any session", async (store) => {
    const metadata_json = '{"ephemeral":true}';
    await store.sessions.create({ id: "ses_side", agent: "a", metadata_json, at: 3 });
    await store.sessions.patch("ses_side", { metadata: { ephemeral: undefined }, at: 4 });
    const { sessions } = await store.sessions.list({});
    assert.deepEqual(
      sessions.map(({ id }) => id),
      ["ses_side", "ses_main"],
    );
  });

  on("pages follow each other without a gap, also among equal times", async (store) => {
    for (const name of ["a", "b", "c", "d"]) {
      await store.sessions.create({ id: `ses_${name}`, agent: "a", at: 5 });
    }
    const pages: string[][] = [];
    let cursor: string | undefined;
    do {
      const page = await store.sessions.list({ limit: 2, ...(cursor && { cursor }) });
      pages.push(page.sessions.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor);
    assert.deepEqual(pages, [["ses_d", "ses_c"], ["ses_b", "ses_a"], ["ses_main"]]);
  });

  on("a cursor that no list gave is refused", async (store) => {
    await assert.rejects(store.sessions.list({ cursor: "x" }), (error) =>
      StoreError.is(error, "invalid"),
    );
  });

  on(
    "a deleted session is gone, and its child keeps its own rows and its lineage",
    async (store) => {
      await store.sessions.create({ id: "ses_fork", agent: "a", parent_id: "ses_main", at: 3 });
      assert.equal(await store.sessions.delete("ses_main"), true);
      assert.equal(await store.sessions.delete("ses_main"), false);
      assert.equal(await store.sessions.get("ses_main"), undefined);
      assert.equal((await store.sessions.get("ses_fork"))?.parent_id, "ses_main");
    },
  );
}
