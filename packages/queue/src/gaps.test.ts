/** What the seeds leave open or contradict, and how it is decided here: A1 to A19. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { RUN_STATES } from "@galley/parts";
import { dispositionOf, mayArchive, mayFork, statusOf } from "./project.ts";
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
  type Scene,
  submit,
} from "./sample.ts";

const one = play(rest(), submit("msg_a"));
const two = play(one, submit("msg_b"));
const failed = fail(two);
const stop = { type: "stopped", clear_queue: null } as const;
const compact = { type: "compaction-started", operation_id: "op_1" } as const;
const answer = (tool_call_id: string) => ({ type: "answered", tool_call_id }) as const;
const dismiss = (tool_call_id: string) => ({ type: "dismissed", tool_call_id }) as const;
const status = ({ state }: Scene) => statusOf(state).state;

test("A1: a message that comes during a settle delay goes behind what is queued", () => {
  const delayed = play(rest(), { type: "leased", holder: "settle" }, submit("msg_a"));
  const later = play(delayed, submit("msg_b"));
  assert.equal(queued(later), "msg_a msg_b");
  assert.equal(fired(play(later, { type: "released", holder: "settle" })), "msg_a");
});

test("A2: after an error a person's message fires if nothing is queued", () => {
  const again = play(fail(one), submit("msg_b"));
  assert.equal(orders(again), "clear-pause fire");
  assert.equal(fired(again), "msg_b");
});

test("A2: after an error a person's message goes to the tail and the head fires", () => {
  const again = play(failed, submit("msg_c"));
  assert.equal(fired(again), "msg_b");
  assert.equal(queued(again), "msg_c");
});

test("A2: after an error a trigger stays queued, whether or not others are", () => {
  for (const scene of [failed, fail(one)]) {
    const after = play(scene, submit("msg_c", "trigger"));
    assert.equal(orders(after), "persist-queued");
    assert.equal(status(after), "error");
  }
});

test("A3: an error leaves a marker that a restart obeys and the next human act clears", () => {
  assert.deepEqual(
    failed.effects.find(({ type }) => type === "set-pause"),
    {
      type: "set-pause",
      pause: { reason: "error", message: "503", message_id: "msg_a", turn_id: "turn_1", at: 3 },
    },
  );
  const up = play(failed, { type: "restarted", open: [] });
  assert.equal(status(up), "error");
  assert.equal(fired(up), "");
  assert.equal(orders(play(up, { type: "resumed" })), "clear-pause fire");
});

test("A4: retry fires the same row in place of the failed turn, resume fires the head", () => {
  const retried = play(failed, { type: "retried", message_id: null });
  assert.deepEqual(
    retried.effects.find(({ type }) => type === "fire"),
    {
      type: "fire",
      message_id: "msg_a",
      turn_id: "turn_4",
      segment: 0,
      retry_of: "turn_1",
      at: 4,
    },
  );
  assert.equal(queued(retried), "msg_b");
  assert.equal(fired(play(failed, { type: "resumed" })), "msg_b");
  assert.equal(status(play(fail(one), { type: "resumed" })), "idle");
});

test("A4: a message kept by a rewind is sent again, unless it is still queued", () => {
  const rested = finish(one);
  assert.equal(fired(play(rested, { type: "retried", message_id: "msg_a" })), "msg_a");
  assert.deepEqual(refusalOf(failed, { type: "retried", message_id: "msg_b" }), {
    code: "still-queued",
    message_id: "msg_b",
  });
});

test("A5: messages fire in the order of the queue, whatever the clock did", () => {
  const back = { state: two.state, count: -50, effects: [] };
  const after = play(back, submit("msg_c"));
  assert.deepEqual(
    after.state.queue.map(({ id, queued_at }) => `${id} ${queued_at}`),
    ["msg_b 2", "msg_c 3"],
  );
});

test("A6: the drain is serial: each queued message gets a turn of its own", () => {
  const first = finish(play(two, submit("msg_c")));
  assert.deepEqual([fired(first), queued(first)], ["msg_b", "msg_c"]);
  const second = finish(first);
  assert.deepEqual([fired(second), queued(second)], ["msg_c", ""]);
});

test("A7: dismissing the last open interaction ends the wait, and the queue goes on", () => {
  const dismissed = play(block(two, QUESTION), dismiss("call_q"));
  assert.equal(orders(dismissed), "settle-interaction fire");
  assert.equal(fired(dismissed), "msg_b");
});

test("A7: a stop while waiting dismisses everything that is open", () => {
  const stopped = play(block(one, QUESTION, APPROVAL), stop);
  assert.equal(orders(stopped), "settle-interaction settle-interaction");
  assert.equal(status(stopped), "idle");
});

test("A8: a stopped turn is marked as aborted before the next one fires", () => {
  const ended = finish(play(two, stop), "abort");
  const rows = ended.effects.filter(({ type }) => type === "close-turn" || type === "fire");
  assert.deepEqual(
    rows.map((effect) => ("ending" in effect ? effect.ending : effect.type)),
    ["abort", "fire"],
  );
});

test("A8: a turn that blocks or fails while it is stopped asks nobody and pauses nothing", () => {
  const stopping = play(two, stop);
  assert.match(news(block(stopping, QUESTION)), /^turn-finished:abort:null turn-started /);
  assert.match(news(fail(stopping)), /^turn-finished:abort:null turn-started /);
});

test("A9: the six states of the wire are the only ones shown", () => {
  const scenes = [rest(), one, backOff(one), block(one, APPROVAL), block(one, QUESTION), failed];
  assert.deepEqual(scenes.map(status), [...RUN_STATES]);
});

test("A10: compaction is busy with an operation and no message", () => {
  const { state } = play(rest(), compact);
  assert.deepEqual(statusOf(state), { state: "busy", operation: "compaction", started_at: 1 });
});

test("A11: what needs the slot is refused while it is taken, and nothing changes", () => {
  assert.deepEqual(refusalOf(one, compact), { code: "busy", status: "busy", lease: null });
  assert.equal(mayFork(one.state), false);
  assert.equal(mayArchive(one.state), false);
});

test("A12: one step decides, and says whether a message fired or which place it has", () => {
  assert.deepEqual(dispositionOf(one.state, "msg_a"), { disposition: "fired" });
  assert.deepEqual(dispositionOf(two.state, "msg_b"), { disposition: "queued", position: 1 });
});

test("A13: the same message again changes nothing, another payload is a conflict", () => {
  const retry = { ...submit("msg_b"), admission: "same" } as const;
  for (const scene of [one, two, failed]) {
    const after = play(scene, retry);
    assert.equal(after.state, scene.state);
    assert.deepEqual(after.effects, []);
  }
  assert.deepEqual(play(two, submit("msg_b")).effects, []);
  assert.deepEqual(refusalOf(two, { ...retry, admission: "conflict" }), {
    code: "conflict",
    message_id: "msg_b",
  });
});

test("A13: a cancelled message stays cancelled", () => {
  const after = play(two, cancel("msg_b"));
  assert.equal(orders(after), "unqueue");
  assert.deepEqual(refusalOf(after, { ...submit("msg_b"), admission: "cancelled" }), {
    code: "already-cancelled",
    message_id: "msg_b",
  });
});

test("A14: the queue holds ids and their order, so the settings fixed on a row are its own", () => {
  assert.deepEqual(two.state.queue, [{ id: "msg_b", origin: "human", queued_at: 2 }]);
});

test("A15: a session with something queued is not archived, and may be forked from its rest", () => {
  assert.deepEqual([mayFork(failed.state), mayArchive(failed.state)], [true, false]);
  assert.deepEqual([mayFork(rest().state), mayArchive(rest().state)], [true, true]);
  assert.equal(mayFork(block(one, APPROVAL).state), false);
  assert.equal(mayFork(play(rest(), { type: "leased", holder: "rewind" }).state), false);
});

test("A16: parallel interactions are answered one at a time, and the last goes on with the turn", () => {
  const half = play(block(one, APPROVAL, QUESTION), answer("call_a"));
  assert.equal(orders(half), "settle-interaction");
  assert.deepEqual(refusalOf(half, answer("call_a")), {
    code: "no-such-interaction",
    tool_call_id: "call_a",
  });
  const whole = play(half, answer("call_q"));
  assert.equal(orders(whole), "settle-interaction continue");
  const { turn_id, segment } = "turn" in whole.state.phase ? whole.state.phase.turn : {};
  assert.deepEqual([turn_id, segment], ["turn_1", 1]);
});

test("A16: an answer is heard even if the interaction beside it is dismissed after it", () => {
  const half = play(block(two, APPROVAL, QUESTION), answer("call_a"));
  const whole = play(half, dismiss("call_q"));
  assert.equal(orders(whole), "settle-interaction continue");
  assert.equal(queued(whole), "msg_b");
});

test("A17: cancelling, editing, moving and a new policy start no work", () => {
  const held = finish(play(rest("hold"), submit("msg_a"), submit("msg_b"), submit("msg_c"), stop));
  const own = { message_id: "msg_c", fate: "unknown" } as const;
  for (const event of [
    cancel("msg_b"),
    { type: "edited", ...own } as const,
    { type: "moved", side: "before", other_id: "msg_b", ...own } as const,
    { type: "policy-changed", stop_policy: "drain" } as const,
  ]) {
    assert.equal(fired(play(held, event)), "");
  }
});

test("A18: a turn that ends on a question says so, and rings for it", () => {
  const asked = block(one, QUESTION);
  assert.equal(news(asked), "input-requested turn-finished:finish:user-input status-changed");
});

test("A19: every change of the queue or of the status is announced, and nothing else", () => {
  assert.equal(news(play(one, submit("msg_b"))), "queue-changed");
  assert.equal(news(backOff(one)), "status-changed");
  assert.equal(news(play(rest(), compact)), "status-changed");
  assert.equal(
    news(play(two, { type: "edited", message_id: "msg_b", fate: "unknown" })),
    "queue-changed",
  );
  assert.equal(news(play(one, { type: "policy-changed", stop_policy: "hold" })), "queue-changed");
  assert.equal(news(play(rest(), { type: "leased", holder: "rewind" })), "");
});
