/** A session that is deleted: who waits for it is told, and nobody works on its rows any more. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Store } from "@galley/persist";
import { message, openStage, SESSION, shown } from "./stage.ts";
import { TurnError } from "./turn-error.ts";

const isGone = (error: unknown) => TurnError.is(error, "no-session");

test("a deletion is told once, after everything else", async (t) => {
  const stage = await openStage(t);
  await stage.submit("one");
  const act = await stage.act(0);
  const deleted = stage.sessions.delete(SESSION);
  await act.end({ type: "aborted" });
  await deleted;
  const types = stage.events.map(({ type }) => type);
  assert.deepEqual(types.filter((type) => type === "session-deleted").length, 1);
  assert.equal(types.at(-1), "session-deleted");
  assert.deepEqual(stage.reports, []);
});

test("who stands in line behind a deletion finds no session, even if a new one has its id", async (t) => {
  const stage = await openStage(t);
  const { sessions, store } = stage;
  const deleted = sessions.delete(SESSION);
  const late = ["msg_1", "msg_2"].map((id) => sessions.submit(SESSION, message(id, id)));
  const again = sessions.delete(SESSION);
  const refused = [...late, again].map((each) => assert.rejects(each, isGone));
  await deleted;
  await sessions.create({ id: SESSION });
  await Promise.all(refused);
  assert.deepEqual(await shown(store), []);
  assert.equal((await sessions.submit(SESSION, message("new", "msg_new"))).disposition, "fired");
  assert.equal((await stage.act(0)).claim.message_id, "msg_new");
  assert.equal(sessions.live(SESSION)?.message_id, "msg_new");
  assert.deepEqual(stage.reports, []);
});

test("a deletion that the store undoes leaves the session as it was", async (t) => {
  let fault: Error | undefined;
  const wrap = (store: Store): Store => ({
    ...store,
    transact: (work) =>
      store.transact(async (tx) => {
        const result = await work(tx);
        if (fault) throw fault;
        return result;
      }),
  });
  const stage = await openStage(t, { wrap });
  await stage.sessions.setStopPolicy(SESSION, "hold");
  fault = new Error("no room");
  await assert.rejects(stage.sessions.delete(SESSION), /no room/);
  fault = undefined;
  assert.equal((await stage.submit("one")).disposition, "fired");
  assert.equal(stage.events.filter(({ type }) => type === "session-deleted").length, 0);
});
