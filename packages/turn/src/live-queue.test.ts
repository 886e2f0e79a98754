import assert from "node:assert/strict";
import { test } from "node:test";
import type { MessageId } from "@galley/parts";
import { message, openStage, SESSION, type Stage, shown, withParts } from "./stage.ts";
import { TurnError } from "./turn-error.ts";

const isTurn = (code: Parameters<typeof TurnError.is>[1]) => (error: unknown) =>
  TurnError.is(error, code);

const waiting = async ({ sessions }: Stage): Promise<MessageId[]> =>
  (await sessions.queue(SESSION)).entries.map((entry) => entry.message.id);

/** One runs, the others wait. */
async function queueUp(stage: Stage, ...ids: MessageId[]): Promise<void> {
  for (const id of ids) await stage.sessions.submit(SESSION, message(id, id));
}

test("two hundred racing messages fire each once, in the order in which they were taken", async (t) => {
  const stage = await openStage(t);
  const texts = Array.from({ length: 200 }, (_, index) => `m${index}`);
  const submitted = await Promise.all(texts.map((text) => stage.submit(text)));
  assert.equal(submitted.filter(({ disposition }) => disposition === "fired").length, 1);
  for (const index of texts.keys()) await (await stage.act(index)).end({ type: "finished" });
  assert.deepEqual(await shown(stage.store), texts);
  assert.equal(stage.acts.length, 200);
  assert.deepEqual(await stage.sessions.status(SESSION), { state: "idle" });
});

test("of a cancel and a fire that race, one wins", async (t) => {
  const stage = await openStage(t);
  await queueUp(stage, "msg_0");
  let cancelled = 0;
  let next = 1;
  for (let index = 1; index <= 60; index += 1) {
    const id = `msg_${index}`;
    await queueUp(stage, id);
    const act = await stage.act(next - 1);
    const end = act.end({ type: "finished" });
    // Some steps later each time, so that the two meet at every point of the way.
    for (let step = 0; step < index; step += 1) await Promise.resolve();
    const cancel = stage.sessions.cancel(SESSION, id).then(
      () => true,
      (error: unknown) => {
        assert.ok(TurnError.is(error, "already-fired"), String(error));
        return false;
      },
    );
    await end;
    const won = await cancel;
    const row = await stage.store.messages.get(id);
    assert.equal(row?.message.canceled_at !== null, won);
    assert.equal(row?.message.seq === null, won);
    cancelled += won ? 1 : 0;
    if (won) await queueUp(stage, `msg_again_${index}`);
    next += 1;
    await stage.act(next - 1);
  }
  assert.equal(stage.acts.length, 61);
  assert.ok(cancelled > 0 && cancelled < 60, `both win at times: ${cancelled}`);
});

test("a queued message is edited in its place", async (t) => {
  const stage = await openStage(t);
  await queueUp(stage, "msg_a", "msg_b", "msg_c");
  await stage.sessions.edit(SESSION, "msg_b", [{ type: "text", text: "better" }]);
  assert.deepEqual(await waiting(stage), ["msg_b", "msg_c"]);
  await (await stage.act(0)).end({ type: "finished" });
  await stage.act(1);
  assert.deepEqual(await shown(stage.store), ["msg_a", "better"]);
  const parts = [{ type: "text" as const, text: "too late" }];
  await assert.rejects(stage.sessions.edit(SESSION, "msg_b", parts), isTurn("already-fired"));
  await assert.rejects(stage.sessions.edit(SESSION, "msg_no", parts), isTurn("no-message"));
  assert.deepEqual(await shown(stage.store), ["msg_a", "better"]);
});

test("a moved message fires in its new place", async (t) => {
  const stage = await openStage(t);
  await queueUp(stage, "msg_a", "msg_b", "msg_c", "msg_d");
  await stage.sessions.move(SESSION, "msg_d", { before: "msg_b" });
  assert.deepEqual(await waiting(stage), ["msg_d", "msg_b", "msg_c"]);
  await stage.sessions.move(SESSION, "msg_b", { after: "msg_c" });
  await stage.sessions.move(SESSION, "msg_b", { after: "msg_b" });
  assert.deepEqual(await waiting(stage), ["msg_d", "msg_c", "msg_b"]);
  await assert.rejects(
    stage.sessions.move(SESSION, "msg_b", { after: "msg_a" }),
    isTurn("already-fired"),
  );
  for (const index of [0, 1, 2, 3]) await (await stage.act(index)).end({ type: "finished" });
  assert.deepEqual(await shown(stage.store), ["msg_a", "msg_d", "msg_c", "msg_b"]);
});

test("a stop keeps what was said and fires the next", async (t) => {
  const stage = await openStage(t);
  await queueUp(stage, "msg_a", "msg_b");
  const act = await stage.act(0);
  act.say("half an ans");
  await stage.sessions.abort(SESSION);
  assert.equal(act.parts.signal.aborted, true);
  await act.end({ type: "aborted" });
  await stage.act(1);
  assert.deepEqual(await shown(stage.store), ["msg_a", "half an ans", "msg_b"]);
  const finished = stage.events.filter(({ type }) => type === "turn-finished");
  assert.deepEqual(
    finished.map((event) => [event.message_id, event.reason]),
    [["msg_a", "abort"]],
  );
});

test("a stop that holds keeps the queue until it is resumed", async (t) => {
  const stage = await openStage(t);
  await queueUp(stage, "msg_a", "msg_b");
  await stage.sessions.setStopPolicy(SESSION, "hold");
  await stage.sessions.abort(SESSION);
  await (await stage.act(0)).end({ type: "aborted" });
  const { paused, stop_policy } = await stage.sessions.queue(SESSION);
  assert.deepEqual([paused, stop_policy], ["hold", "hold"]);
  assert.equal(stage.acts.length, 1);
  await stage.sessions.resume(SESSION);
  assert.equal((await stage.act(1)).claim.message_id, "msg_b");
  await assert.rejects(stage.sessions.resume(SESSION), isTurn("not-paused"));
});

test("a stop that clears cancels what waits", async (t) => {
  const stage = await openStage(t);
  await queueUp(stage, "msg_a", "msg_b", "msg_c");
  await stage.sessions.abort(SESSION, { clear_queue: true });
  await (await stage.act(0)).end({ type: "aborted" });
  assert.deepEqual(await waiting(stage), []);
  assert.equal(stage.acts.length, 1);
  await assert.rejects(stage.sessions.abort(SESSION), isTurn("nothing-running"));
});

test("a failure pauses the queue, and a retry answers the same message anew", async (t) => {
  const stage = await openStage(t);
  await queueUp(stage, "msg_a", "msg_b");
  const failed = await stage.act(0);
  failed.say("broken of");
  await failed.end({ type: "failed", message: "the provider is on fire" });
  assert.deepEqual(await stage.sessions.status(SESSION), {
    state: "error",
    message: "the provider is on fire",
    message_id: "msg_a",
  });
  assert.equal((await stage.sessions.queue(SESSION)).paused, "error");
  assert.deepEqual(await stage.sessions.retry(SESSION), {
    message_id: "msg_a",
    disposition: "fired",
  });
  const again = await stage.act(1);
  assert.notEqual(again.claim.answer_id, failed.claim.answer_id);
  assert.deepEqual(await shown(stage.store), ["msg_a"]);
  again.say("whole");
  await again.end({ type: "finished" });
  await stage.act(2);
  assert.deepEqual(await shown(stage.store), ["msg_a", "whole", "msg_b"]);
  const all = await stage.store.messages.history(SESSION, { include_hidden: true });
  assert.equal(all.length, 4);
  await assert.rejects(stage.sessions.retry(SESSION), isTurn("busy"));
});

test("a failure is left behind by resume and by a person's message, not by a trigger", async (t) => {
  const stage = await openStage(t);
  const fails = async (number: number) =>
    (await stage.act(number)).end({ type: "failed", message: "503" });
  await queueUp(stage, "msg_a", "msg_b");
  await fails(0);
  await stage.sessions.resume(SESSION);
  assert.equal((await stage.act(1)).claim.message_id, "msg_b");
  await fails(1);
  const trigger = { source: "schedule" as const, fired_at: 1 };
  await stage.sessions.submit(SESSION, { ...message("t", "msg_t"), trigger });
  assert.equal(stage.acts.length, 2);
  const person = await stage.sessions.submit(SESSION, message("p", "msg_p"));
  assert.deepEqual([person.disposition, person.position], ["queued", 1]);
  assert.equal((await stage.act(2)).claim.message_id, "msg_t");
  await assert.rejects(stage.sessions.retry(SESSION), isTurn("busy"));
});

test("a message is sent again from where it stands, and what came after is hidden", async (t) => {
  const stage = await openStage(t);
  await queueUp(stage, "msg_a", "msg_b");
  for (const index of [0, 1]) {
    const act = await stage.act(index);
    act.say(`answer ${index}`);
    await act.end({ type: "finished" });
  }
  await stage.sessions.submit(SESSION, { ...message("/help", "msg_h"), turn: false });
  await assert.rejects(stage.sessions.resend(SESSION, "msg_h"), isTurn("not-sent"));
  await stage.sessions.resend(SESSION, "msg_a");
  const act = await stage.act(2);
  assert.deepEqual(await shown(stage.store), ["msg_a"]);
  await assert.rejects(stage.sessions.resend(SESSION, "msg_a"), isTurn("busy"));
  act.say("better");
  await act.end({ type: "finished" });
  assert.deepEqual(await shown(stage.store), ["msg_a", "better"]);
  await assert.rejects(stage.sessions.resend(SESSION, "msg_b"), isTurn("no-message"));
  await assert.rejects(stage.sessions.retry(SESSION), isTurn("nothing-to-retry"));
});

test("what a resend hid is not told to the model, also when the resend itself came to nothing", async (t) => {
  const stage = await openStage(t);
  await queueUp(stage, "msg_a", "msg_b");
  for (const index of [0, 1]) {
    const act = await stage.act(index);
    await act.parts.transcript.upTo(act.claim.message_id);
    await act.end({ type: "finished" });
  }
  await stage.sessions.resend(SESSION, "msg_a");
  await (await stage.act(2)).end({ type: "failed", message: "no such model" });
  await queueUp(stage, "msg_c");
  const { parts, claim } = await stage.act(3);
  const history = await parts.transcript.upTo(claim.message_id);
  assert.deepEqual(
    history.map(({ id }) => id),
    ["msg_a", "msg_c"],
  );
});

test("a back-off is shown while it lasts, and a turn may end without its end being told", async (t) => {
  const stage = await openStage(t);
  await stage.submit("hello");
  const act = await stage.act(0);
  const { turn_id } = act.claim;
  const until = 9000;
  const backOff = { turn_id, segment: 0, attempt: 1, message: "429", until } as const;
  await act.parts.report({ type: "retry-scheduled", ...backOff });
  assert.equal((await stage.sessions.status(SESSION)).state, "retrying");
  await act.parts.report({ type: "retry-due", turn_id: "turn_other", segment: 0 });
  assert.equal(stage.reports.length, 1);
  await act.end({ type: "finished" });
  assert.deepEqual(await stage.sessions.status(SESSION), { state: "idle" });
});

test("large attachments leave their row when a message is edited, too", async (t) => {
  const stage = await openStage(t);
  await queueUp(stage, "msg_a", "msg_b");
  const data = Buffer.alloc(1024 * 1024 + 1).toString("base64");
  const big = { type: "file-attachment" as const, name: "big", mime: "application/x-y", data };
  await stage.sessions.edit(SESSION, "msg_b", withParts([big]).message.parts);
  const row = await stage.store.messages.get("msg_b");
  const part = JSON.parse(row?.parts[0]?.data_json ?? "{}");
  assert.deepEqual(Object.keys(part), ["type", "name", "mime", "size", "content_id"]);
  assert.equal((await stage.store.blobs.info(part.content_id))?.holders, 1);
});
