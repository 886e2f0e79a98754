import assert from "node:assert/strict";
import { test } from "node:test";
import type { UiChunk } from "@galley/parts";
import type { Store } from "@galley/persist";
import { type Act, message, openStage, SESSION, type Stage } from "./stage.ts";
import { NO_TOOLS, type Tool } from "./tool.ts";
import { TurnError } from "./turn-error.ts";

const isTurn = (code: Parameters<typeof TurnError.is>[1]) => (error: unknown) =>
  TurnError.is(error, code);

const call = (toolCallId: string, toolName: string, input: object): UiChunk =>
  ({ type: "tool-input-available", toolCallId, toolName, input }) as UiChunk;

const ASK = { questions: [{ question: "which?" }, { question: "when?" }] };
const QUESTION = { tool_call_id: "call_q", kind: "question" } as const;
const APPROVAL = { tool_call_id: "call_a", kind: "approval" } as const;

/** A turn that asks for both, and waits. */
async function blocked(stage: Stage, ...open: (typeof QUESTION | typeof APPROVAL)[]): Promise<Act> {
  await stage.submit("go");
  const act = await stage.act(0);
  act.take({ type: "start-step" });
  if (open.includes(QUESTION)) act.take(call("call_q", "question", ASK));
  if (open.includes(APPROVAL)) {
    act.take(call("call_a", "write", { path: "a.txt" }), {
      type: "tool-approval-request",
      toolCallId: "call_a",
      approvalId: "req_1",
    });
  }
  await act.end({ type: "blocked", open });
  return act;
}

async function partOf(store: Store, act: Act, id: string): Promise<Record<string, unknown>> {
  const row = await store.messages.get(act.claim.answer_id);
  const part = row?.parts.find((each) => each.tool_call_id === id);
  return JSON.parse(part?.data_json ?? "{}");
}

test("an answered question goes on in the next segment of the same answer", async (t) => {
  const stage = await openStage(t);
  const act = await blocked(stage, QUESTION);
  assert.deepEqual(await stage.sessions.status(SESSION), { state: "waiting_on_user_input" });
  await stage.sessions.submit(SESSION, message("meanwhile", "msg_later"));
  assert.equal(stage.acts.length, 1);
  const answers = [["this"], ["now", "and then"]];
  await stage.sessions.answer(SESSION, { tool_call_id: "call_q", answers });
  const next = await stage.act(1);
  assert.equal(next.claim.segment, 1);
  const { run } = JSON.parse((await stage.store.sessions.get(SESSION))?.metadata_json ?? "{}");
  assert.equal(run.parts_before, 2);
  assert.equal(next.claim.turn_id, act.claim.turn_id);
  assert.equal(next.claim.answer_id, act.claim.answer_id);
  const part = await partOf(stage.store, act, "call_q");
  assert.equal(part.state, "output-available");
  assert.deepEqual(part.output, { type: "output", data: { answers } });
  assert.deepEqual(next.parts.recorder.parts.at(-1), part);
  next.say("thanks");
  await next.end({ type: "finished" });
  assert.equal((await stage.act(2)).claim.message_id, "msg_later");
  const row = await stage.store.messages.get(act.claim.answer_id);
  assert.deepEqual(
    row?.parts.map(({ type, index }) => [type, index]),
    [
      ["step-start", 0],
      ["tool-question", 1],
      ["text", 2],
    ],
  );
});

test("an approval that is given lets the call run, and one that is not denies it", async (t) => {
  for (const [decision, state, approved] of [
    ["allow", "approval-responded", true],
    ["deny", "output-denied", false],
  ] as const) {
    const stage = await openStage(t);
    const act = await blocked(stage, APPROVAL);
    assert.deepEqual(await stage.sessions.status(SESSION), { state: "waiting_on_approval" });
    await stage.sessions.answer(SESSION, { tool_call_id: "call_a", decision });
    await stage.act(1);
    const part = await partOf(stage.store, act, "call_a");
    assert.equal(part.state, state);
    assert.deepEqual(part.approval, { id: "req_1", approved });
    assert.equal((await stage.store.sessions.get(SESSION))?.permissions_json, "[]");
  }
});

test("what is allowed for the session is a rule of the session", async (t) => {
  const write: Tool = {
    definition: { name: "write", description: "", input_schema: {} },
    subject: (input) => (input as { path: string }).path,
    run: async () => ({ type: "output", data: null }),
  };
  const tools = { ...NO_TOOLS, open: async () => [write] };
  const stage = await openStage(t, { deps: { tools } });
  const permissions_json = '[{"permission":"bash", "pattern":"ls", "action":"deny"}]';
  await stage.store.sessions.patch(SESSION, { permissions_json, at: 1 });
  await blocked(stage, APPROVAL);
  const answer = { tool_call_id: "call_a", decision: "allow", scope: "session" } as const;
  await stage.sessions.answer(SESSION, answer);
  const kept = (await stage.store.sessions.get(SESSION))?.permissions_json ?? "";
  assert.ok(kept.startsWith(permissions_json.slice(0, -1)));
  const { added_at, ...rule } = JSON.parse(kept)[1];
  assert.equal(typeof added_at, "number");
  assert.deepEqual(rule, {
    permission: "write",
    pattern: "a.txt",
    action: "allow",
    source: "session",
  });
});

test("an answer of another kind or shape is refused, and the call stays open", async (t) => {
  const stage = await openStage(t);
  const act = await blocked(stage, QUESTION, APPROVAL);
  const refused = isTurn("wrong-answer");
  const answer = (answers: string[][], tool_call_id = "call_q") =>
    stage.sessions.answer(SESSION, { tool_call_id, answers });
  await assert.rejects(answer([["only one"]]), refused);
  await assert.rejects(answer([["a"], ["b"]], "call_a"), refused);
  await assert.rejects(answer([["a"], [7 as unknown as string]]), refused);
  const decide = (tool_call_id: string, decision: string) =>
    stage.sessions.answer(SESSION, { tool_call_id, decision: decision as "allow" });
  await assert.rejects(decide("call_q", "allow"), refused);
  await assert.rejects(decide("call_a", "Deny"), refused);
  await assert.rejects(answer([["a"], ["b"]], "call_no"), isTurn("no-interaction"));
  assert.equal((await partOf(stage.store, act, "call_q")).state, "input-available");
  assert.deepEqual(await stage.sessions.status(SESSION), { state: "waiting_on_approval" });
});

test("a call that runs waits for no answer", async (t) => {
  const stage = await openStage(t);
  await stage.submit("go");
  const act = await stage.act(0);
  act.take(call("call_b", "bash", {}));
  await act.parts.recorder.flush();
  for (const answer of [{ decision: "allow" as const }, { answers: [["a"]] }]) {
    const said = stage.sessions.answer(SESSION, { tool_call_id: "call_b", ...answer });
    await assert.rejects(said, isTurn("no-interaction"));
  }
});

test("a turn goes on when the last of its calls is closed, and each is closed once", async (t) => {
  const stage = await openStage(t);
  await blocked(stage, QUESTION, APPROVAL);
  const answer = { tool_call_id: "call_q", answers: [["a"], ["b"]] };
  await stage.sessions.answer(SESSION, answer);
  assert.equal(stage.acts.length, 1);
  await assert.rejects(stage.sessions.answer(SESSION, answer), isTurn("no-interaction"));
  await stage.sessions.dismiss(SESSION, "call_a");
  assert.equal((await stage.act(1)).claim.segment, 1);
});

test("when all is dismissed the turn is over, and the queue goes on", async (t) => {
  const stage = await openStage(t);
  const act = await blocked(stage, QUESTION, APPROVAL);
  await stage.sessions.submit(SESSION, message("next", "msg_next"));
  await stage.sessions.dismiss(SESSION, "call_q");
  await stage.sessions.dismiss(SESSION, "call_a");
  assert.equal((await stage.act(1)).claim.message_id, "msg_next");
  const question = await partOf(stage.store, act, "call_q");
  assert.deepEqual(
    [question.state, question.errorText],
    ["output-error", "the user dismissed the question"],
  );
  const approval = await partOf(stage.store, act, "call_a");
  assert.deepEqual(
    [approval.state, approval.approval],
    ["output-denied", { id: "req_1", approved: false }],
  );
  const row = await stage.store.messages.get(act.claim.answer_id);
  assert.equal(typeof JSON.parse(row?.message.metadata_json ?? "{}").aborted_at, "number");
  await assert.rejects(stage.sessions.dismiss(SESSION, "call_q"), isTurn("no-interaction"));
});

test("a stop while it waits dismisses what is open and ends the answer", async (t) => {
  const stage = await openStage(t);
  const act = await blocked(stage, QUESTION, APPROVAL);
  await stage.sessions.answer(SESSION, { tool_call_id: "call_q", answers: [["a"], ["b"]] });
  await stage.sessions.abort(SESSION);
  assert.deepEqual(await stage.sessions.status(SESSION), { state: "idle" });
  const session = await stage.store.sessions.get(SESSION);
  assert.equal(session?.metadata_json.includes('"run"'), false);
  const row = await stage.store.messages.get(act.claim.answer_id);
  assert.equal(typeof JSON.parse(row?.message.metadata_json ?? "{}").aborted_at, "number");
  assert.equal((await partOf(stage.store, act, "call_a")).state, "output-denied");
});

test("a turn that asks while it is being stopped asks nobody", async (t) => {
  const stage = await openStage(t);
  await stage.submit("go");
  const act = await stage.act(0);
  act.take({ type: "start-step" }, call("call_q", "question", ASK));
  await stage.sessions.abort(SESSION);
  await act.end({ type: "blocked", open: [QUESTION] });
  assert.deepEqual(await stage.sessions.status(SESSION), { state: "idle" });
  assert.equal((await partOf(stage.store, act, "call_q")).state, "output-error");
  const row = await stage.store.messages.get(act.claim.answer_id);
  assert.equal(typeof JSON.parse(row?.message.metadata_json ?? "{}").aborted_at, "number");
  assert.deepEqual(stage.reports, []);
});

test("a wait that is gone keeps nobody from stopping, dismissing or deleting", async (t) => {
  const ways = {
    abort: (stage: Stage) => stage.sessions.abort(SESSION),
    dismiss: (stage: Stage) => stage.sessions.dismiss(SESSION, "call_q"),
    delete: (stage: Stage) => stage.sessions.delete(SESSION),
  };
  for (const [name, way] of Object.entries(ways)) {
    const stage = await openStage(t);
    const act = await blocked(stage, QUESTION);
    const row = await stage.store.messages.get(act.claim.answer_id);
    const part = row?.parts.find(({ tool_call_id }) => tool_call_id === "call_q");
    assert.ok(part);
    const data_json = '{"type":"tool-question","toolCallId":"call_q","state":"output-denied"}';
    const { id, message_id, index } = part;
    await stage.store.parts.upsert([{ id, message_id, index, data_json, at: 1 }]);
    await way(stage);
    const left = await stage.store.sessions.get(SESSION);
    if (name === "delete") assert.equal(left, undefined);
    else assert.deepEqual(await stage.sessions.status(SESSION), { state: "idle" });
    if (name !== "delete") assert.deepEqual(JSON.parse(left?.metadata_json ?? ""), {});
  }
});
