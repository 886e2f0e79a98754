import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Store, StoreError } from "@galley/persist";
import { message, openStage, SESSION, shown } from "./stage.ts";
import { TurnError } from "./turn-error.ts";

const FULL = () => StoreError.make("full", { path: "galley.db", detail: "disk full" });

/** A store whose transactions fail while `broken` says so; whatever they wrote is undone. */
function faulty(store: Store, broken: () => Error | undefined): Store {
  return {
    ...store,
    transact: (work) =>
      store.transact(async (tx) => {
        const result = await work(tx);
        const fault = broken();
        if (fault) throw fault;
        return result;
      }),
  };
}

test("a message that cannot be stored is refused whole, and can be sent again", async (t) => {
  let full = false;
  const wrap = (store: Store) => faulty(store, () => (full ? FULL() : undefined));
  const stage = await openStage(t, { wrap });
  await stage.submit("one");
  full = true;
  const two = message("two", "msg_two");
  await assert.rejects(stage.sessions.submit(SESSION, two), (error) =>
    StoreError.is(error, "full"),
  );
  assert.deepEqual((await stage.sessions.queue(SESSION)).entries, []);
  full = false;
  assert.equal((await stage.sessions.submit(SESSION, two)).disposition, "queued");
});

test("a turn whose end cannot be stored is told when the store comes back", async (t) => {
  let full = false;
  const wrap = (store: Store) => faulty(store, () => (full ? FULL() : undefined));
  const stage = await openStage(t, { wrap });
  await stage.submit("one");
  await stage.sessions.submit(SESSION, message("two", "msg_two"));
  const act = await stage.act(0);
  act.say("all of it");
  full = true;
  await act.end({ type: "finished" });
  const status = await stage.sessions.status(SESSION);
  assert.equal(status.state, "error");
  assert.match(status.message ?? "", /no room left/);
  assert.equal(act.parts.live.ended, true);
  assert.equal(stage.acts.length, 1);
  assert.equal(stage.reports.length, 1);
  full = false;
  const next = await stage.act(1);
  assert.equal(next.claim.message_id, "msg_two");
  assert.deepEqual(await shown(stage.store), ["one", "all of it", "two"]);
  assert.equal((await stage.sessions.status(SESSION)).state, "busy");
  const states = stage.events.flatMap((event) =>
    event.type === "status-changed" ? [event.status.state] : [],
  );
  assert.deepEqual(states, ["busy", "error", "busy"]);
});

test("an answer that cannot be stored for a while is told of to those who listen, and when it is over", async (t) => {
  let full = false;
  const wrap = (store: Store): Store => {
    const upsert: Store["parts"]["upsert"] = async (writes) => {
      if (full) throw FULL();
      await store.parts.upsert(writes);
    };
    return { ...store, parts: { ...store.parts, upsert } };
  };
  const stage = await openStage(t, { wrap });
  const states = (): string[] =>
    stage.events.flatMap((event) => (event.type === "status-changed" ? [event.status.state] : []));
  await stage.submit("one");
  const act = await stage.act(0);
  full = true;
  act.say("all of it");
  while (states().at(-1) !== "error") await nextTurn();
  assert.match((await stage.sessions.status(SESSION)).message ?? "", /no room left/);
  full = false;
  await act.end({ type: "finished" });
  while (states().at(-1) !== "idle") await nextTurn();
  assert.deepEqual(states(), ["busy", "error", "busy", "idle"]);
  assert.deepEqual(await shown(stage.store), ["one", "all of it"]);
});

test("a host closes although its store takes nothing", async (t) => {
  let full = false;
  const wrap = (store: Store) => faulty(store, () => (full ? FULL() : undefined));
  const stage = await openStage(t, { wrap });
  await stage.submit("one");
  full = true;
  await (await stage.act(0)).end({ type: "finished" });
  await stage.sessions.close(0);
  assert.equal(stage.acts.length, 1);
});

test("a turn that throws fails with a sentence, and the session goes on", async (t) => {
  const stage = await openStage(t);
  await stage.submit("one");
  const act = await stage.act(0);
  await act.end({ type: "blocked", open: [] });
  const status = await stage.sessions.status(SESSION);
  assert.equal(status.state, "error");
  assert.match(status.message ?? "", /names each open call once/);
  assert.equal(stage.reports.length, 1);
  await stage.sessions.retry(SESSION);
  assert.equal((await stage.act(1)).claim.message_id, act.claim.message_id);
});

test("a session that cannot be read keeps no other one from starting", async (t) => {
  const bad = StoreError.make("corrupt", { path: "galley.db", detail: "page 7" });
  const wrap = (store: Store): Store => ({
    ...store,
    transact: (work) =>
      store.transact((tx) => {
        const get = async (id: string) => {
          if (id === "ses_bad") throw bad;
          return tx.sessions.get(id);
        };
        return work({ ...tx, sessions: { ...tx.sessions, get } });
      }),
  });
  const stage = await openStage(t, { wrap });
  await stage.sessions.create({ id: "ses_bad" });
  for (const id of ["ses_bad", SESSION]) {
    const row = { id: id.replace("ses", "msg"), session_id: id, metadata_json: "{}", at: 1 };
    await stage.store.messages.admit({ ...row, parts: [], disposition: "queued" });
  }
  await stage.sessions.start();
  assert.equal((await stage.act(0)).claim.message_id, "msg_main");
  assert.deepEqual(stage.reports, [bad]);
});

test("a session that a full store keeps from waking says why, and is woken when there is room", async (t) => {
  let full = true;
  const wrap = (store: Store) => faulty(store, () => (full ? FULL() : undefined));
  const stage = await openStage(t, { wrap });
  const row = { id: "msg_one", session_id: SESSION, metadata_json: "{}", at: 1 };
  await stage.store.messages.admit({ ...row, parts: [], disposition: "queued" });
  await stage.sessions.start();
  const status = await stage.sessions.status(SESSION);
  assert.equal(status.state, "error");
  assert.match(status.message ?? "", /no room left/);
  assert.equal(stage.reports.length, 1);
  full = false;
  assert.equal((await stage.act(0)).claim.message_id, "msg_one");
  assert.equal((await stage.sessions.status(SESSION)).state, "busy");
  assert.equal(stage.reports.length, 1);
});

test("a turn that another writer claims keeps a second one from starting", async (t) => {
  const stage = await openStage(t);
  await stage.sessions.archive(SESSION, false);
  const run = { turn_id: "turn_x", message_id: "msg_x", answer_id: "msg_y", segment: 0 };
  const mark = { ...run, started_at: 1, running: true, open: [], answered: [] };
  await stage.store.sessions.patch(SESSION, { metadata: { run: mark }, at: 1 });
  await assert.rejects(stage.submit("one"), (error) => TurnError.is(error, "row-changed"));
  assert.deepEqual(await shown(stage.store), []);
});

test("what another writer took away undoes the step and is told", async (t) => {
  const stage = await openStage(t);
  await stage.submit("one");
  await stage.sessions.submit(SESSION, message("two", "msg_two"));
  await stage.store.queue.cancel("msg_two", 1);
  await (await stage.act(0)).end({ type: "finished" });
  const [error] = stage.reports;
  assert.ok(TurnError.is(error, "row-changed"), String(error));
  assert.equal((await stage.sessions.status(SESSION)).state, "error");
});

test("two turns never have one number, though the first has no record yet", async (t) => {
  const stage = await openStage(t);
  await stage.submit("one");
  const one = await stage.act(0);
  await one.end({ type: "aborted" });
  await stage.submit("two");
  const two = await stage.act(1);
  two.take({ type: "tool-input-available", toolCallId: "c", toolName: "question", input: {} });
  await two.end({ type: "blocked", open: [{ tool_call_id: "c", kind: "question" }] });
  await stage.sessions.answer(SESSION, { tool_call_id: "c", answers: [] });
  const later = await stage.act(2);
  assert.deepEqual(
    [one, two, later].map(({ claim }) => [claim.turn, claim.segment]),
    [
      [1, 0],
      [2, 0],
      [2, 1],
    ],
  );
});
