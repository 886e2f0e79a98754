/** What a start of the host makes of the rows it finds. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { queueOf, statusOf } from "./project.ts";
import { restore, type StoredRun } from "./restore.ts";
import { APPROVAL, fired, orders, play, queued, type Scene } from "./sample.ts";

const EMPTY: StoredRun = {
  session_id: "ses_1",
  stop_policy: "drain",
  queued: [],
  turn: null,
  open: [],
  answered: [],
  pause: null,
};
const TURN = { message_id: "msg_a", turn_id: "turn_a", segment: 0, started_at: 1 };
const QUEUED: StoredRun["queued"] = [
  { id: "msg_d", origin: "human", queued_at: 7 },
  { id: "msg_c", origin: "trigger", queued_at: 7 },
  { id: "msg_z", origin: "human", queued_at: 3 },
];

function up(rows: Partial<StoredRun>): Scene {
  const step = restore({ ...EMPTY, ...rows }, { at: 10, next_turn_id: "turn_10" });
  return { ...step, count: 10 };
}

test("nothing stored is a session at rest, with nothing to do", () => {
  assert.deepEqual(statusOf(up({}).state), { state: "idle" });
  assert.deepEqual(up({}).effects, []);
});

test("the queue comes back by its order keys, ties by id, and its head is fired", () => {
  const scene = up({ queued: QUEUED });
  assert.equal(fired(scene), "msg_z");
  assert.equal(queued(scene), "msg_c msg_d");
});

test("a turn that was running is closed, not resumed, and the queue goes on", () => {
  const scene = up({ queued: QUEUED, turn: { ...TURN, running: true } });
  assert.equal(orders(scene), "close-turn fire");
  assert.deepEqual(scene.effects[0], {
    type: "close-turn",
    message_id: "msg_a",
    turn_id: "turn_a",
    segment: 0,
    ending: "restart",
    at: 10,
  });
});

test("a blocked turn waits on, and its answer continues it with what was answered before", () => {
  const turn = { ...TURN, running: false };
  const scene = up({ queued: QUEUED, turn, open: [APPROVAL], answered: ["call_q"] });
  assert.equal(orders(scene), "");
  const answered = play(scene, { type: "answered", tool_call_id: "call_a" });
  assert.deepEqual(
    answered.effects.find(({ type }) => type === "continue"),
    {
      type: "continue",
      message_id: "msg_a",
      turn_id: "turn_a",
      segment: 1,
      tool_call_ids: ["call_q", "call_a"],
      at: 11,
    },
  );
});

test("an error survives, with what to retry", () => {
  const pause = {
    reason: "error",
    message: "503",
    message_id: "msg_a",
    turn_id: "turn_a",
    at: 5,
  } as const;
  const scene = up({ queued: QUEUED, pause });
  assert.deepEqual(statusOf(scene.state), { state: "error", message: "503", message_id: "msg_a" });
  assert.equal(orders(scene), "");
  assert.equal(fired(play(scene, { type: "retried", message_id: null })), "msg_a");
});

test("a hold survives, also that of a turn that was being stopped", () => {
  const pause = { reason: "hold", at: 5 } as const;
  for (const turn of [null, { ...TURN, running: true }]) {
    const scene = up({ queued: QUEUED, turn, pause });
    assert.equal(fired(scene), "");
    assert.equal(queueOf(scene.state).paused, "hold");
  }
});

test("a hold that has nothing left behind it is cleared", () => {
  const scene = up({ pause: { reason: "hold", at: 5 } });
  assert.equal(orders(scene), "clear-pause");
  assert.equal(queueOf(scene.state).paused, null);
});

test("the stop policy comes back", () => {
  assert.equal(up({ stop_policy: "clear" }).state.stop_policy, "clear");
});
