/** What a stop does to the queue, and how queued messages are cancelled, edited and moved. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { queueOf, statusOf } from "./project.ts";
import type { StopPolicy } from "./run-state.ts";
import {
  APPROVAL,
  block,
  cancel,
  fail,
  finish,
  fired,
  orders,
  play,
  queued,
  refusalOf,
  rest,
  type Scene,
  submit,
} from "./sample.ts";

const stop = { type: "stopped", clear_queue: null } as const;
const three = (policy: StopPolicy): Scene =>
  play(rest(policy), submit("msg_a"), submit("msg_b"), submit("msg_c"));
const stopped = (policy: StopPolicy): Scene => finish(play(three(policy), stop), "abort");

test("drain: a stop ends the turn, not the queue", () => {
  assert.equal(fired(stopped("drain")), "msg_b");
});

test("hold: a stop keeps the queue, says why, and marks it for a restart", () => {
  assert.equal(orders(play(three("hold"), stop)), "set-pause abort-turn");
  const held = stopped("hold");
  assert.deepEqual(statusOf(held.state), { state: "idle" });
  assert.equal(queueOf(held.state).paused, "hold");
  assert.equal(queued(held), "msg_b msg_c");
  assert.equal(fired(play(held, { type: "restarted", open: [] })), "");
});

test("hold: a resume fires the head", () => {
  const resumed = play(stopped("hold"), { type: "resumed" });
  assert.equal(orders(resumed), "clear-pause fire");
  assert.equal(fired(resumed), "msg_b");
});

test("hold: a person's message goes to the tail and the head fires, a trigger stays queued", () => {
  const held = stopped("hold");
  const human = play(held, submit("msg_d"));
  assert.deepEqual([fired(human), queued(human)], ["msg_b", "msg_c msg_d"]);
  const trigger = play(held, submit("msg_d", "trigger"));
  assert.deepEqual([fired(trigger), queued(trigger)], ["", "msg_b msg_c msg_d"]);
});

test("hold: a person's message between the stop and the end of the turn lifts it", () => {
  const told = play(three("hold"), stop, submit("msg_d"));
  assert.equal(orders(told), "clear-pause persist-queued");
  assert.equal(fired(finish(told, "abort")), "msg_b");
});

test("hold: with nothing queued there is nothing to hold, so a later trigger fires", () => {
  const rested = finish(play(rest("hold"), submit("msg_a"), stop), "abort");
  assert.equal(queueOf(rested.state).paused, null);
  assert.equal(fired(play(rested, submit("msg_b", "trigger"))), "msg_b");
});

test("hold: cancelling the last held message ends the hold", () => {
  const emptied = play(stopped("hold"), cancel("msg_b"), cancel("msg_c"));
  assert.equal(orders(emptied), "unqueue clear-pause");
  assert.equal(queueOf(emptied.state).paused, null);
});

test("clear: a stop cancels what is queued, and not what is submitted after it", () => {
  const told = play(three("clear"), stop);
  assert.equal(orders(told), "unqueue unqueue abort-turn");
  assert.equal(fired(finish(play(told, submit("msg_d")), "abort")), "msg_d");
});

test("one stop may clear the queue, or spare it, against the policy", () => {
  const cleared = play(three("drain"), { type: "stopped", clear_queue: true });
  assert.equal(orders(cleared), "unqueue unqueue abort-turn");
  assert.equal(orders(play(three("clear"), { type: "stopped", clear_queue: false })), "abort-turn");
  const held = play(three("hold"), { type: "stopped", clear_queue: false });
  assert.equal(orders(held), "set-pause abort-turn");
});

test("a second stop orders no second abort, but may still clear the queue", () => {
  const told = play(three("drain"), stop);
  assert.equal(orders(play(told, stop)), "");
  assert.equal(orders(play(told, { type: "stopped", clear_queue: true })), "unqueue unqueue");
});

test("a stop while waiting obeys the policy too", () => {
  const waiting = (policy: StopPolicy) => play(block(three(policy), APPROVAL), stop);
  assert.equal(orders(waiting("drain")), "settle-interaction fire");
  assert.equal(orders(waiting("hold")), "set-pause settle-interaction");
  assert.equal(orders(waiting("clear")), "unqueue unqueue settle-interaction");
});

test("a compaction does not clear an error, and its own failure keeps the turn to retry", () => {
  const compact = { type: "compaction-started", operation_id: "op_1" } as const;
  const compacting = play(fail(three("drain")), compact);
  const ended = play(compacting, { type: "compaction-ended", operation_id: "op_1" });
  assert.deepEqual(statusOf(ended.state), { state: "error", message: "503", message_id: "msg_a" });
  const broken = play(compacting, {
    type: "compaction-failed",
    operation_id: "op_1",
    message: "too long",
  });
  assert.deepEqual(statusOf(broken.state), {
    state: "error",
    message: "too long",
    message_id: "msg_a",
  });
  assert.equal(fired(play(broken, { type: "retried", message_id: null })), "msg_a");
});

test("there is one pause at a time: an error is not held too, and takes the place of a hold", () => {
  const compact = { type: "compaction-started", operation_id: "op_1" } as const;
  const mending = play(fail(three("hold")), compact, stop);
  assert.equal(orders(mending), "abort-compaction");
  assert.equal(mending.state.held, false);
  const over = { type: "compaction-failed", operation_id: "op_1", message: "too long" } as const;
  const broken = play(stopped("hold"), compact, over);
  assert.equal(orders(broken), "set-pause");
  assert.deepEqual([broken.state.held, queueOf(broken.state).paused], [false, "error"]);
});

test("a failed compaction alone has nothing to retry, and a resume goes on", () => {
  const broken = play(
    rest(),
    { type: "compaction-started", operation_id: "op_1" },
    submit("msg_a"),
    { type: "compaction-failed", operation_id: "op_1", message: "too long" },
  );
  assert.deepEqual(refusalOf(broken, { type: "retried", message_id: null }), {
    code: "nothing-to-retry",
  });
  assert.equal(fired(play(broken, { type: "resumed" })), "msg_a");
});

test("a message that has fired, was cancelled or never came is not cancelled, edited or moved", () => {
  const scene = three("drain");
  const fates = { fired: "already-fired", cancelled: "already-cancelled", unknown: "not-queued" };
  for (const [fate, code] of Object.entries(fates)) {
    const own = { message_id: "msg_z", fate: fate as keyof typeof fates };
    for (const event of [
      { type: "cancelled", ...own } as const,
      { type: "edited", ...own } as const,
      { type: "moved", side: "after", other_id: "msg_b", ...own } as const,
    ]) {
      assert.deepEqual(refusalOf(scene, event), { code, message_id: "msg_z" });
    }
  }
  assert.deepEqual(refusalOf(scene, cancel("msg_a")), {
    code: "already-fired",
    message_id: "msg_a",
  });
});

test("a move changes places and keeps the order keys where they are", () => {
  const four = play(three("drain"), submit("msg_d"));
  const own = { type: "moved", fate: "unknown" } as const;
  const first = play(four, { ...own, message_id: "msg_d", side: "before", other_id: "msg_b" });
  assert.deepEqual(
    first.state.queue.map(({ id, queued_at }) => `${id} ${queued_at}`),
    ["msg_d 2", "msg_b 3", "msg_c 4"],
  );
  assert.deepEqual(
    first.effects.find(({ type }) => type === "reorder"),
    { type: "reorder", entries: first.state.queue },
  );
  const after = play(four, { ...own, message_id: "msg_b", side: "after", other_id: "msg_c" });
  assert.equal(queued(after), "msg_c msg_b msg_d");
});

test("a move to where a message already is writes nothing", () => {
  const scene = three("drain");
  const own = { type: "moved", message_id: "msg_b", fate: "unknown" } as const;
  for (const [side, other_id] of [
    ["before", "msg_c"],
    ["after", "msg_b"],
  ] as const) {
    assert.deepEqual(play(scene, { ...own, side, other_id }).effects, []);
  }
  assert.deepEqual(refusalOf(scene, { ...own, side: "after", other_id: "msg_a" }), {
    code: "already-fired",
    message_id: "msg_a",
  });
});
