import assert from "node:assert/strict";
import { test } from "node:test";
import type { UiChunk } from "@galley/parts";
import { message, openStage, SESSION, type Stage, scratchPath, shown } from "./stage.ts";
import { TurnError } from "./turn-error.ts";

const call = (toolCallId: string, toolName: string): UiChunk =>
  ({
    type: "tool-input-available",
    toolCallId,
    toolName,
    input: { questions: [{ question: "which?" }] },
  }) as UiChunk;

/** The process is gone: its store is closed and nothing more comes of what ran. */
async function dies(stage: Stage): Promise<void> {
  await stage.store.close();
}

async function callsOf({ store }: Stage, answer: string): Promise<unknown[]> {
  const row = await store.messages.get(answer);
  return (row?.parts ?? []).map(({ data_json }) => {
    const { type, state, errorText, text } = JSON.parse(data_json);
    return [type, state, errorText ?? text].filter((each) => each !== undefined).join(": ");
  });
}

const metadataOf = async ({ store }: Stage, id: string) =>
  JSON.parse((await store.messages.get(id))?.message.metadata_json ?? "{}");

test("a start closes what ran, tells its calls, and goes on with the queue", async (t) => {
  const path = scratchPath(t);
  const before = await openStage(t, { path });
  await before.submit("one");
  await before.sessions.submit(SESSION, message("two", "msg_two"));
  await before.sessions.submit(SESSION, message("three", "msg_three"));
  await before.sessions.move(SESSION, "msg_three", { before: "msg_two" });
  const act = await before.act(0);
  act.say("so far");
  act.take(
    call("call_1", "bash"),
    { type: "tool-input-start", toolCallId: "call_2", toolName: "read" },
    { type: "tool-approval-request", toolCallId: "call_1", approvalId: "req_1" },
    call("call_3", "read"),
    { type: "tool-output-available", toolCallId: "call_3", output: "done" },
  );
  await act.parts.recorder.flush();
  await before.store.parts.upsert([
    {
      id: "prt_x",
      message_id: act.claim.answer_id,
      index: 1,
      data_json: '{"type":"tool-bash","toolCallId":"call_1","state":"approval-responded"}',
      at: 1,
    },
  ]);
  await dies(before);

  const after = await openStage(t, { path });
  await after.sessions.start();
  assert.equal((await after.act(0)).claim.message_id, "msg_three");
  assert.deepEqual(await callsOf(after, act.claim.answer_id), [
    "text: done: so far",
    "tool-bash: output-error: aborted by host restart",
    "tool-read: output-error: aborted by host restart",
    "tool-read: output-available",
  ]);
  const { error, failed_at } = await metadataOf(after, act.claim.answer_id);
  assert.equal(error, "aborted by host restart");
  assert.equal(typeof failed_at, "number");
  assert.deepEqual(
    (await after.sessions.queue(SESSION)).entries.map((entry) => entry.message.id),
    ["msg_two"],
  );
});

test("a turn that died before it said anything leaves an answer that says so", async (t) => {
  const path = scratchPath(t);
  const before = await openStage(t, { path });
  const { message_id } = await before.submit("one");
  const { claim } = await before.act(0);
  await dies(before);
  const after = await openStage(t, { path });
  await after.sessions.start();
  assert.deepEqual(await after.sessions.status(SESSION), { state: "idle" });
  assert.deepEqual(await shown(after.store), ["one", ""]);
  const { failed_at, ...said } = await metadataOf(after, claim.answer_id);
  assert.equal(typeof failed_at, "number");
  assert.deepEqual(said, {
    in_reply_to: message_id,
    turn_id: claim.turn_id,
    model: { provider_id: "test", model_id: "small" },
    error: "aborted by host restart",
  });
  assert.deepEqual(await after.store.sessions.marked("run"), []);
  assert.deepEqual(after.reports, []);
});

test("what a person was asked stays asked over a restart, and can be answered", async (t) => {
  const path = scratchPath(t);
  const before = await openStage(t, { path });
  await before.submit("go");
  const act = await before.act(0);
  act.take(call("call_q", "question"), call("call_a", "write"), {
    type: "tool-approval-request",
    toolCallId: "call_a",
    approvalId: "req_1",
  });
  const open = [
    { tool_call_id: "call_q", kind: "question" },
    { tool_call_id: "call_a", kind: "approval" },
  ] as const;
  await act.end({ type: "blocked", open });
  await before.sessions.answer(SESSION, { tool_call_id: "call_a", decision: "allow" });
  await dies(before);

  const after = await openStage(t, { path });
  assert.deepEqual(await after.sessions.status(SESSION), { state: "waiting_on_user_input" });
  await after.sessions.start();
  assert.deepEqual(await after.sessions.status(SESSION), { state: "waiting_on_user_input" });
  assert.deepEqual(await callsOf(after, act.claim.answer_id), [
    "tool-question: input-available",
    "tool-write: approval-responded",
  ]);
  await after.sessions.answer(SESSION, { tool_call_id: "call_q", answers: [["a"]] });
  const next = await after.act(0);
  assert.deepEqual(
    [next.claim.segment, next.claim.turn_id, next.claim.answer_id],
    [1, act.claim.turn_id, act.claim.answer_id],
  );
});

test("whatever a blocked turn asks stays open, by the name of any tool", async (t) => {
  const path = scratchPath(t);
  const before = await openStage(t, { path });
  await before.submit("go");
  const act = await before.act(0);
  act.take(call("call_q", "interview"));
  const open = [{ tool_call_id: "call_q", kind: "question" }] as const;
  await act.end({ type: "blocked", open });
  await dies(before);
  const after = await openStage(t, { path });
  await after.sessions.start();
  assert.deepEqual(await after.sessions.status(SESSION), { state: "waiting_on_user_input" });
  await after.sessions.answer(SESSION, { tool_call_id: "call_q", answers: [["a"]] });
  assert.equal((await after.act(0)).claim.segment, 1);
});

test("a question of a turn that died in the middle stays open, and its other calls are closed", async (t) => {
  const path = scratchPath(t);
  const before = await openStage(t, { path });
  await before.submit("go");
  await before.sessions.submit(SESSION, message("two", "msg_two"));
  const act = await before.act(0);
  act.take(call("call_b", "bash"), call("call_q", "question"));
  await act.parts.recorder.flush();
  await dies(before);
  const after = await openStage(t, { path });
  await after.sessions.start();
  assert.deepEqual(await after.sessions.status(SESSION), { state: "waiting_on_user_input" });
  assert.deepEqual(await callsOf(after, act.claim.answer_id), [
    "tool-bash: output-error: aborted by host restart",
    "tool-question: input-available",
  ]);
  const { failed_at } = await metadataOf(after, act.claim.answer_id);
  assert.equal(failed_at, undefined);
  await after.sessions.dismiss(SESSION, "call_q");
  assert.equal((await after.act(0)).claim.message_id, "msg_two");
});

test("a pause and a policy survive a restart", async (t) => {
  const path = scratchPath(t);
  const before = await openStage(t, { path });
  await before.submit("one");
  await before.sessions.submit(SESSION, message("two", "msg_two"));
  await before.sessions.setStopPolicy(SESSION, "hold");
  await (await before.act(0)).end({ type: "failed", message: "503" });
  await dies(before);
  const after = await openStage(t, { path });
  await after.sessions.start();
  const { message: said, state } = await after.sessions.status(SESSION);
  assert.deepEqual([state, said], ["error", "503"]);
  assert.equal((await after.sessions.queue(SESSION)).stop_policy, "hold");
  assert.equal(after.acts.length, 0);
  await after.sessions.retry(SESSION);
  assert.equal((await after.act(0)).claim.session.id, SESSION);
});

test("a host that closes lets a turn end in its time, and fires nothing more", async (t) => {
  const path = scratchPath(t);
  const before = await openStage(t, { path });
  await before.submit("one");
  await before.sessions.submit(SESSION, message("two", "msg_two"));
  const act = await before.act(0);
  const closed = before.sessions.close(60_000);
  await assert.rejects(before.submit("late"), (error) => TurnError.is(error, "closing"));
  act.say("whole");
  await act.end({ type: "finished" });
  await closed;
  assert.equal(before.acts.length, 1);
  await dies(before);
  const after = await openStage(t, { path });
  await after.sessions.start();
  assert.equal((await after.act(0)).claim.message_id, "msg_two");
  assert.deepEqual(await shown(after.store), ["one", "whole", "two"]);
  const { finished_at, failed_at } = await metadataOf(after, act.claim.answer_id);
  assert.deepEqual([typeof finished_at, failed_at], ["number", undefined]);
  assert.deepEqual(before.reports, []);
});

test("a host that cannot wait stops what runs, and the next start closes it", async (t) => {
  const path = scratchPath(t);
  const before = await openStage(t, { path });
  await before.submit("one");
  await before.sessions.submit(SESSION, message("two", "msg_two"));
  const act = await before.act(0);
  act.say("so far");
  act.take(call("call_1", "bash"));
  act.parts.signal.addEventListener("abort", () => void act.end({ type: "aborted" }));
  await before.sessions.close(0);
  assert.equal(act.parts.signal.aborted, true);
  assert.equal(act.parts.live.ended, true);
  await dies(before);
  const after = await openStage(t, { path });
  await after.sessions.start();
  assert.equal((await after.act(0)).claim.message_id, "msg_two");
  assert.deepEqual(await callsOf(after, act.claim.answer_id), [
    "text: done: so far",
    "tool-bash: output-error: aborted by host restart",
  ]);
});

test("what is stopped by a closing host is not told as an end", async (t) => {
  const stage = await openStage(t);
  await stage.submit("one");
  const act = await stage.act(0);
  act.parts.signal.addEventListener("abort", () => void act.end({ type: "aborted" }));
  await stage.sessions.close(0);
  assert.deepEqual(await stage.store.sessions.marked("run"), [SESSION]);
  assert.deepEqual(
    stage.events.filter(({ type }) => type === "turn-finished"),
    [],
  );
});

test("a mark that cannot be read is no mark, and one that waits for nobody is in nobody's way", async (t) => {
  const run = { turn_id: "turn_x", message_id: "msg_x", answer_id: "msg_y", segment: 0 };
  const waitsForNobody = { ...run, started_at: 1, running: false, open: [], answered: [] };
  for (const mark of [waitsForNobody, { ...waitsForNobody, open: 7 }, "x", null]) {
    const stage = await openStage(t);
    const metadata = { run: mark, pause: { reason: "error", at: 1 }, stop_policy: [] };
    await stage.store.sessions.patch(SESSION, { metadata, at: 1 });
    await stage.sessions.start();
    assert.deepEqual(await stage.sessions.status(SESSION), { state: "idle" });
    assert.equal((await stage.submit("hello")).disposition, "fired");
    assert.equal((await stage.sessions.queue(SESSION)).stop_policy, "drain");
    await (await stage.act(0)).end({ type: "finished" });
    assert.deepEqual(await stage.store.sessions.marked("run"), []);
  }
});
