import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_LOAD_POLICY } from "@galley/assemble";
import { type Stage as Kit, message, openStage, SESSION, shown, withParts } from "./stage.ts";
import { TurnError } from "./turn-error.ts";

const isTurn = (code: Parameters<typeof TurnError.is>[1]) => (error: unknown) =>
  TurnError.is(error, code);

async function answer(kit: Kit, act: number, text: string): Promise<void> {
  const played = await kit.act(act);
  played.say(text);
  await played.end({ type: "finished" });
}

/** Messages with their answers; gives the ids of all of them, in order. */
async function talk(kit: Kit, ...texts: string[]): Promise<string[]> {
  for (const text of texts) {
    const from = kit.acts.length;
    await kit.submit(text);
    await answer(kit, from, `${text}!`);
  }
  return (await kit.store.messages.history(SESSION)).map(({ message }) => message.id);
}

const metadataOf = (row: { readonly metadata_json: string }) => JSON.parse(row.metadata_json);

test("a fork sees its parent up to the fork point, under ids of its own", async (t) => {
  const kit = await openStage(t);
  const ids = await talk(kit, "one", "two", "three");
  const fork = await kit.sessions.fork(SESSION, { from_message_id: ids[3] ?? "" });
  assert.deepEqual(await shown(kit.store, fork.id), ["one", "one!", "two", "two!"]);
  assert.deepEqual([fork.parent_id, fork.parent_message_id], [SESSION, ids[3]]);
  assert.equal(fork.title, "one (copy)");
  assert.equal(metadataOf(fork).relation, "fork");
  const rows = await kit.store.messages.history(fork.id);
  assert.deepEqual(
    rows.map(({ message }) => message.seq),
    [1, 2, 3, 4],
  );
  const copies = rows.flatMap(({ message, parts }) => [message.id, ...parts.map(({ id }) => id)]);
  assert.equal(new Set([...copies, ...ids]).size, copies.length + ids.length);
  assert.deepEqual(await kit.store.check(), []);
});

test("an answer in the copy replies to the copy of its message", async (t) => {
  const kit = await openStage(t);
  await talk(kit, "one");
  const { id } = await kit.sessions.fork(SESSION, {});
  const [asked, said] = await kit.store.messages.history(id);
  assert.equal(said && metadataOf(said.message).in_reply_to, asked?.message.id);
});

test("the two go on apart", async (t) => {
  const kit = await openStage(t);
  await talk(kit, "one");
  const { id } = await kit.sessions.fork(SESSION, {});
  await kit.sessions.submit(id, message("here"));
  await answer(kit, 1, "here!");
  await talk(kit, "there");
  assert.deepEqual(await shown(kit.store, id), ["one", "one!", "here", "here!"]);
  assert.deepEqual(await shown(kit.store), ["one", "one!", "there", "there!"]);
});

test("what a rewind hid is not copied, and the counts are those of the copies", async (t) => {
  const kit = await openStage(t);
  const ids = await talk(kit, "one", "two");
  const usage = { input: 5, output: 7, reasoning: 0, cache_read: 1, cache_write: 0 };
  await kit.store.messages.stamp(ids[1] ?? "", { usage, cost_usd: 0.5 }, 9);
  await kit.store.messages.stamp(ids[3] ?? "", { usage, cost_usd: 0.5 }, 9);
  await kit.sessions.rewind(SESSION, ids[2] ?? "", "edit");
  const fork = await kit.sessions.fork(SESSION, {});
  assert.deepEqual(await shown(kit.store, fork.id), ["one", "one!"]);
  assert.deepEqual(
    [fork.prompt_tokens, fork.completion_tokens, fork.total_tokens, fork.cost_usd],
    [5, 7, 13, 0.5],
  );
  const hidden = { from_message_id: ids[2] ?? "" };
  await assert.rejects(kit.sessions.fork(SESSION, hidden), isTurn("no-message"));
  await assert.rejects(kit.sessions.unrewind(fork.id), isTurn("no-rewind"));
});

test("permissions, the queue, and the marks of a run stay with the parent; settings come along", async (t) => {
  const kit = await openStage(t);
  await kit.sessions.create({ id: "ses_set", title: "T", metadata: { theme: "dark", n: 1 } });
  await kit.store.sessions.patch("ses_set", {
    permissions_json: '[{"permission":"write","pattern":"*","action":"allow"}]',
    metadata: { system_prompt: "digest", pins: { p: { ref: {} } }, ephemeral: true },
    model_json: '{"provider_id":"test","model_id":"large"}',
    at: 5,
  });
  await kit.sessions.setStopPolicy("ses_set", "hold");
  const fork = await kit.sessions.fork("ses_set", { metadata: { n: 2 } });
  assert.equal(fork.permissions_json, "[]");
  assert.equal(fork.model_json, '{"provider_id":"test","model_id":"large"}');
  assert.deepEqual(metadataOf(fork), {
    theme: "dark",
    n: 2,
    system_prompt: "digest",
    pins: { p: { ref: {} } },
    stop_policy: "hold",
    relation: "fork",
  });
  assert.deepEqual((await kit.sessions.queue(fork.id)).entries, []);
  const mine = kit.sessions.fork("ses_set", { metadata: { relation: "subagent" } });
  await assert.rejects(mine, isTurn("reserved-metadata"));
});

test("a session without a title leaves its copy without one", async (t) => {
  const kit = await openStage(t);
  assert.equal((await kit.sessions.fork(SESSION, {})).title, null);
  assert.equal((await kit.sessions.fork(SESSION, { title: "mine" })).title, "mine");
});

test("a blob is held by both, and goes when the last of them goes", async (t) => {
  const kit = await openStage(t);
  const data = "AAAA".repeat(400_000);
  const attachment = { type: "file-attachment" as const, name: "b", mime: "x/y", data };
  await kit.sessions.submit(SESSION, withParts([attachment]));
  await answer(kit, 0, "ok");
  const held = await kit.store.blobs.heldBy(SESSION);
  assert.equal(held.length, 1);
  const fork = await kit.sessions.fork(SESSION, {});
  assert.deepEqual(await kit.store.blobs.heldBy(fork.id), held);
  await kit.sessions.delete(SESSION);
  assert.equal((await kit.store.blobs.get(held[0] ?? ""))?.length, 1_200_000);
  await kit.sessions.delete(fork.id);
  assert.equal(await kit.store.blobs.get(held[0] ?? ""), undefined);
});

test("what a file said when its message fired is what it says in the copy", async (t) => {
  let read = 0;
  const kit = await openStage(t, {
    deps: {
      surroundings: {
        layers: async () => [],
        loader: () => ({
          read: async () => {
            read += 1;
            const bytes = new TextEncoder().encode(`read ${read}`);
            return { kind: "whole", bytes, sha256: "0".repeat(64) };
          },
          readRange: async () => ({ kind: "unavailable", reason: "no" }),
          directoryProblem: async () => "no",
        }),
        loadPolicy: async () => DEFAULT_LOAD_POLICY,
        defaultModel: () => ({ provider_id: "test", model_id: "small" }),
      },
    },
  });
  const ref = { type: "file-ref" as const, ref: { kind: "path" as const, path: "a.txt" } };
  await kit.sessions.submit(SESSION, withParts([ref]));
  const first = await kit.act(0);
  await first.parts.transcript.upTo(first.claim.message_id);
  await answer(kit, 0, "ok");
  const { id } = await kit.sessions.fork(SESSION, {});
  const { message_id } = await kit.sessions.submit(id, message("and?"));
  const history = await (await kit.act(1)).parts.transcript.upTo(message_id);
  const [user] = history;
  assert.match(JSON.stringify(user?.role === "user" && user.materials), /read 1/);
  assert.equal(read, 1);
});

test("a fork waits for a free slot; a failed session may be forked", async (t) => {
  const kit = await openStage(t);
  const [one = ""] = await talk(kit, "one");
  await kit.submit("two");
  const order = { from_message_id: one };
  await assert.rejects(kit.sessions.fork(SESSION, order), isTurn("busy"));
  await (await kit.act(1)).end({ type: "failed", message: "gone" });
  const fork = await kit.sessions.fork(SESSION, order);
  assert.deepEqual(await shown(kit.store, fork.id), ["one"]);
  assert.equal((await kit.sessions.status(SESSION)).state, "error");
  assert.deepEqual(await kit.sessions.status(fork.id), { state: "idle" });
});

test("a sidecar is opened while the parent runs, from its last settled message, and answers at once", async (t) => {
  const kit = await openStage(t);
  const ids = await talk(kit, "one");
  const running = await kit.submit("two");
  (await kit.act(1)).say("half of");
  await kit.submit("three");
  const metadata = { ephemeral: true };
  const sidecar = await kit.sessions.fork(SESSION, { metadata });
  assert.deepEqual(await shown(kit.store, sidecar.id), ["one", "one!"]);
  assert.equal(sidecar.parent_message_id, ids[1]);
  const unsettled = { metadata, from_message_id: running.message_id };
  await assert.rejects(kit.sessions.fork(SESSION, unsettled), isTurn("busy"));
  const aside = await kit.sessions.submit(sidecar.id, message("by the way"));
  assert.equal(aside.disposition, "fired");
  await answer(kit, 2, "aside");
  await answer(kit, 1, " it");
  assert.deepEqual(await shown(kit.store), ["one", "one!", "two", "half of it", "three"]);
});

test("a sidecar is hidden from the list, found by its parent, and promoted to be listed", async (t) => {
  const kit = await openStage(t);
  await talk(kit, "one");
  const sidecar = await kit.sessions.fork(SESSION, { metadata: { ephemeral: true } });
  const listed = async (query: object) =>
    (await kit.store.sessions.list(query)).sessions.map(({ id }) => id).sort();
  assert.deepEqual(await listed({}), [SESSION]);
  assert.deepEqual(await listed({ parent_id: SESSION }), [sidecar.id]);
  const promoted = await kit.sessions.promote(sidecar.id);
  assert.deepEqual(metadataOf(promoted), { relation: "fork" });
  assert.deepEqual(await listed({}), [SESSION, sidecar.id].sort());
  await assert.rejects(kit.sessions.promote(sidecar.id), isTurn("not-ephemeral"));
});
