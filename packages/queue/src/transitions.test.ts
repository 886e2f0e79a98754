/** The seventeen transitions of the run-state machine, each as a sentence. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { HostEvent, SessionStatus } from "@galley/parts";
import { statusOf } from "./project.ts";
import { QueueError } from "./refusal.ts";
import { restore } from "./restore.ts";
import {
  APPROVAL,
  backOff,
  block,
  cancel,
  fail,
  finish,
  fired,
  news,
  orders,
  play,
  QUESTION,
  queued,
  refusalOf,
  rest,
  retryDue,
  type Scene,
  submit,
} from "./sample.ts";

const one = play(rest(), submit("msg_a"));
const two = play(one, submit("msg_b"));
const waiting = block(two, APPROVAL);
const status = ({ state }: Scene) => statusOf(state);
const compact = { type: "compaction-started", operation_id: "op_1" } as const;

test("T1: a message to an idle session with nothing queued fires at once, unqueued and named", () => {
  assert.equal(orders(one), "fire");
  assert.deepEqual(status(one), { state: "busy", started_at: 1, message_id: "msg_a" });
  assert.deepEqual(
    one.effects.map((effect) => ("event" in effect ? effect.event : effect.type)),
    [
      {
        type: "turn-started",
        session_id: "ses_1",
        message_id: "msg_a",
        turn_id: "turn_1",
        segment: 0,
        at: 1,
      },
      { type: "status-changed", session_id: "ses_1", at: 1, status: status(one) },
      "fire",
    ],
  );
});

test("T2: a message to a busy, retrying or waiting session is queued and changes no status", () => {
  for (const scene of [one, backOff(one), block(one, APPROVAL), block(one, QUESTION)]) {
    const after = play(scene, submit("msg_b"), submit("msg_c", "trigger"));
    assert.equal(queued(after), "msg_b msg_c");
    assert.equal(orders(after), "persist-queued");
    assert.equal(news(after), "queue-changed");
    assert.deepEqual(status(after), status(scene));
  }
});

test("T3: a passing provider failure is a retry of the running turn, and nothing drains", () => {
  const retrying = backOff(two);
  assert.deepEqual(status(retrying), {
    state: "retrying",
    attempt: 1,
    message: "429",
    started_at: 1,
    until: 5000,
  });
  assert.equal(orders(retrying), "");
  assert.equal(queued(retrying), "msg_b");
});

test("T4: when the back-off is over the same turn is busy again", () => {
  const again = retryDue(backOff(two));
  assert.deepEqual(again.state, two.state);
  assert.equal(orders(again), "");
});

test("T5: a turn that fails in its back-off is an error", () => {
  const failed = fail(backOff(two), "gave up");
  assert.deepEqual(status(failed), { state: "error", message: "gave up", message_id: "msg_a" });
  assert.equal(queued(failed), "msg_b");
});

test("T6: a natural finish rests when nothing is queued", () => {
  const done = finish(one);
  assert.deepEqual(status(done), { state: "idle" });
  assert.equal(orders(done), "close-turn");
  assert.equal(news(done), "turn-finished:finish:null status-changed");
});

test("T6: a natural finish fires the head of the queue in the same step", () => {
  const next = finish(play(two, submit("msg_c")));
  assert.equal(fired(next), "msg_b");
  assert.equal(queued(next), "msg_c");
  assert.equal(news(next), "turn-finished:finish:null turn-started status-changed queue-changed");
});

test("T7: a blocked turn waits without ever being idle, and asks before it says it finished", () => {
  assert.deepEqual(status(waiting), { state: "waiting_on_approval" });
  assert.equal(news(waiting), "approval-requested turn-finished:finish:approval status-changed");
  assert.equal(fired(waiting), "");
  assert.equal(queued(waiting), "msg_b");
  assert.deepEqual(status(block(two, QUESTION)), { state: "waiting_on_user_input" });
});

test("T7: a turn that blocks on nothing, or on the same call twice, is a caller's bug", () => {
  for (const open of [[], [APPROVAL, APPROVAL]]) {
    assert.throws(
      () => block(two, ...open),
      (error) => QueueError.is(error, "out-of-place"),
    );
  }
});

test("T8: a hard failure pauses the drain and keeps the queue", () => {
  const failed = fail(two);
  assert.equal(orders(failed), "close-turn set-pause");
  assert.equal(news(failed), "turn-finished:error:null status-changed queue-changed");
  assert.equal(queued(failed), "msg_b");
});

test("T9: a stop ends a running or retrying turn cleanly, and the next message fires", () => {
  for (const scene of [two, backOff(two)]) {
    const told = play(scene, { type: "stopped", clear_queue: null });
    assert.equal(orders(told), "abort-turn");
    assert.equal(fired(told), "");
    const ended = finish(told, "abort");
    assert.equal(fired(ended), "msg_b");
    assert.match(news(ended), /^turn-finished:abort:null turn-started /);
  }
});

test("T10: the exact answer goes on with the same turn in a new segment, without a message id", () => {
  const answered = play(waiting, { type: "answered", tool_call_id: "call_a" });
  assert.deepEqual(status(answered), { state: "busy", started_at: 4 });
  assert.deepEqual(
    answered.effects.find(({ type }) => type === "continue"),
    {
      type: "continue",
      message_id: "msg_a",
      turn_id: "turn_1",
      segment: 1,
      tool_call_ids: ["call_a"],
      at: 4,
    },
  );
  const started = answered.effects.find(({ type }) => type === "publish-event");
  assert.deepEqual(started, {
    type: "publish-event",
    event: { type: "turn-started", session_id: "ses_1", turn_id: "turn_1", segment: 1, at: 4 },
  });
  assert.equal(queued(answered), "msg_b");
});

test("T11: ordinary text neither answers, cancels nor replaces an open interaction", () => {
  const after = play(waiting, submit("msg_c"));
  assert.deepEqual(after.state.phase, waiting.state.phase);
  assert.equal(queued(after), "msg_b msg_c");
});

test("T12: rows stay queued while a lease prepares the idle slot, and its release fires the head", () => {
  const leased = play(rest(), { type: "leased", holder: "settle" }, submit("msg_a"));
  assert.deepEqual(status(leased), { state: "idle" });
  assert.equal(queued(leased), "msg_a");
  assert.equal(fired(play(leased, { type: "released", holder: "settle" })), "msg_a");
});

test("T13: a message cancelled during the preparation never fires, and there is no busy edge", () => {
  const leased = play(rest(), { type: "leased", holder: "settle" }, submit("msg_a"));
  const released = play(leased, cancel("msg_a"), { type: "released", holder: "settle" });
  assert.deepEqual(status(released), { state: "idle" });
  assert.deepEqual(released.effects, []);
});

test("T14: retry, resume and a person's message clear the error, and the queue drains again", () => {
  const failed = fail(two);
  const retried = play(failed, { type: "retried", message_id: null });
  assert.equal(orders(retried), "clear-pause fire");
  assert.equal(fired(retried), "msg_a");
  assert.equal(fired(finish(retried)), "msg_b");
  assert.equal(fired(play(failed, { type: "resumed" })), "msg_b");
  assert.equal(fired(play(failed, submit("msg_c"))), "msg_b");
});

test("T15: a compaction holds the slot, submits queue behind it, and its end fires them", () => {
  const compacting = play(rest(), compact, submit("msg_a"));
  assert.deepEqual(status(compacting), { state: "busy", operation: "compaction", started_at: 1 });
  assert.equal(queued(compacting), "msg_a");
  const ended = play(compacting, { type: "compaction-ended", operation_id: "op_1" });
  assert.equal(fired(ended), "msg_a");
});

test("T15: a stop ends a running compaction, and the queue goes on", () => {
  const told = play(rest(), compact, submit("msg_a"), { type: "stopped", clear_queue: null });
  assert.equal(orders(told), "abort-compaction");
  const over = play(told, { type: "compaction-aborted", operation_id: "op_1" });
  assert.equal(fired(over), "msg_a");
});

test("T15: a compaction that breaks while it is stopped pauses nothing", () => {
  const told = play(rest(), compact, submit("msg_a"), { type: "stopped", clear_queue: null });
  const over = { type: "compaction-failed", operation_id: "op_1", message: "aborted" } as const;
  assert.equal(fired(play(told, over)), "msg_a");
});

test("T15: the end of another compaction is a caller's bug", () => {
  const compacting = play(rest(), compact);
  assert.throws(
    () => play(compacting, { type: "compaction-ended", operation_id: "op_0" }),
    (error) => QueueError.is(error, "out-of-place"),
  );
});

test("T16: a restart does not resume the running turn: it closes it and kicks the queue", () => {
  const up = play(two, { type: "restarted", open: [] });
  assert.equal(orders(up), "close-turn fire");
  assert.equal(fired(up), "msg_b");
});

test("T16: a restart keeps what a person was asked, also by a turn that had not reported it", () => {
  for (const scene of [waiting, two]) {
    const up = play(scene, { type: "restarted", open: [APPROVAL] });
    assert.deepEqual(status(up), { state: "waiting_on_approval" });
    assert.equal(queued(up), "msg_b");
    assert.equal(fired(up), "");
  }
});

test("T16: an open interaction without a turn to go back to is a caller's bug", () => {
  const rows = {
    session_id: "ses_1",
    stop_policy: "drain",
    queued: [],
    turn: null,
    open: [APPROVAL],
    answered: [],
    pause: null,
  } as const;
  assert.throws(
    () => restore(rows, { at: 1, next_turn_id: "turn_1" }),
    (error) => QueueError.is(error, "out-of-place"),
  );
});

test("T17: with both kinds open the approval is shown, and the queue stays paused", () => {
  const both = block(two, QUESTION, APPROVAL);
  assert.deepEqual(status(both), { state: "waiting_on_approval" });
  assert.equal(
    news(both),
    "input-requested approval-requested turn-finished:finish:approval status-changed",
  );
  const answered = play(both, { type: "answered", tool_call_id: "call_a" });
  assert.deepEqual(status(answered), { state: "waiting_on_user_input" });
  assert.equal(fired(answered), "");
});

test("a report of another turn or of an earlier segment is a caller's bug", () => {
  const seconded = play(waiting, { type: "answered", tool_call_id: "call_a" });
  for (const segment of [
    { turn_id: "turn_0", segment: 1 },
    { turn_id: "turn_1", segment: 0 },
  ]) {
    assert.throws(
      () => play(seconded, { type: "turn-finished", reason: "finish", ...segment }),
      (error) => QueueError.is(error, "out-of-place"),
    );
  }
  assert.equal(refusalOf(seconded, submit("msg_z")), undefined);
});

test("whatever is published fits the schemas that the outside reads", () => {
  for (const { effects, state } of [one, two, waiting, fail(two), finish(two), backOff(one)]) {
    assert.deepEqual(SessionStatus.parse(statusOf(state)), statusOf(state));
    for (const effect of effects) {
      if ("event" in effect) assert.deepEqual(HostEvent.parse(effect.event), effect.event);
    }
  }
});
