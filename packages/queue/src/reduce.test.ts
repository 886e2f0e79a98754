/**
 * Every state against every event, written out by hand: compared with the machine's own tables it
 * would prove nothing. A cell is the phase, the queue, and what is ordered beside the news.
 *
 *   phase   `~` told to stop, `^` held, `@` leased, `!` with an error to go back to
 *   queue   1 and 2 are queued from the start, 9 is new, - is empty
 *   ?code   refused as a value          out-of-place   thrown          (nothing else may happen)
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunEffect } from "./effect.ts";
import type { Happening } from "./event.ts";
import { reduce } from "./reduce.ts";
import { QueueError } from "./refusal.ts";
import { type Phase, type QueueEntry, type RunState, restingState } from "./run-state.ts";

const FIRST: QueueEntry = { id: "msg_1", origin: "human", queued_at: 11 };
const SECOND: QueueEntry = { id: "msg_2", origin: "trigger", queued_at: 12 };
const EMPTY = restingState("ses_1");
const RESTING: RunState = { ...EMPTY, queue: [FIRST, SECOND] };
const turn = { message_id: "msg_5", turn_id: "turn_5", segment: 0, started_at: 5 };
const approval = { tool_call_id: "call_a", kind: "approval" } as const;
const question = { tool_call_id: "call_q", kind: "question" } as const;
const failed = { status: "error", message: "503", message_id: "msg_4", turn_id: "turn_4" } as const;
const compaction = {
  status: "compacting",
  operation_id: "op_5",
  started_at: 5,
  stopping: false,
} as const;
const at = (phase: Phase): RunState => ({ ...RESTING, phase });

const STATES = {
  idle: EMPTY,
  held: { ...RESTING, held: true },
  leased: { ...RESTING, lease: "rewind" },
  error: at(failed),
  busy: at({ status: "busy", turn, stopping: false }),
  stopping: at({ status: "busy", turn, stopping: true }),
  retrying: at({ status: "retrying", turn, attempt: 1, message: "429", until: 99 }),
  waiting: at({ status: "waiting", turn, open: [approval], answered: [] }),
  asking: at({ status: "waiting", turn, open: [approval, question], answered: [] }),
  compacting: at({ ...compaction, after: { status: "idle" } }),
  mending: at({ ...compaction, after: failed }),
} satisfies { readonly [name: string]: RunState };
type StateName = keyof typeof STATES;

const openOf = ({ phase }: RunState) => (phase.status === "waiting" ? phase.open : []);
const segment = { turn_id: "turn_5", segment: 0 };
const own = { message_id: "msg_1", fate: "unknown" } as const;
const submitted = { type: "submitted", message_id: "msg_9", admission: "new" } as const;
const moved = { type: "moved", message_id: "msg_2", side: "before", other_id: "msg_1" } as const;

const EVENTS: { readonly [name: string]: (state: RunState) => Happening } = {
  submit: () => ({ ...submitted, origin: "human" }),
  trigger: () => ({ ...submitted, origin: "trigger" }),
  cancel: () => ({ type: "cancelled", ...own }),
  edit: () => ({ type: "edited", ...own }),
  move: () => ({ ...moved, fate: "unknown" }),
  stop: () => ({ type: "stopped", clear_queue: null }),
  clear: () => ({ type: "stopped", clear_queue: true }),
  answer: () => ({ type: "answered", tool_call_id: "call_a" }),
  dismiss: () => ({ type: "dismissed", tool_call_id: "call_a" }),
  retry: () => ({ type: "retried", message_id: null }),
  resend: () => ({ type: "retried", message_id: "msg_3" }),
  resume: () => ({ type: "resumed" }),
  compact: () => ({ type: "compaction-started", operation_id: "op_9" }),
  lease: () => ({ type: "leased", holder: "fork" }),
  policy: () => ({ type: "policy-changed", stop_policy: "hold" }),
  finished: () => ({ type: "turn-finished", reason: "finish", ...segment }),
  blocked: () => ({ type: "turn-blocked", open: [approval], ...segment }),
  failed: () => ({ type: "turn-failed", message: "500", ...segment }),
  scheduled: () => ({ type: "retry-scheduled", attempt: 2, message: "429", until: 9, ...segment }),
  due: () => ({ type: "retry-due", ...segment }),
  compacted: () => ({ type: "compaction-ended", operation_id: "op_5" }),
  uncompacted: () => ({ type: "compaction-failed", operation_id: "op_5", message: "500" }),
  unwanted: () => ({ type: "compaction-aborted", operation_id: "op_5" }),
  release: () => ({ type: "released", holder: "rewind" }),
  restart: (state) => ({ type: "restarted", open: openOf(state) }),
};

const ALL_TYPES: { readonly [T in Happening["type"]]: string } = {
  submitted: "submit",
  cancelled: "cancel",
  edited: "edit",
  moved: "move",
  stopped: "stop",
  answered: "answer",
  dismissed: "dismiss",
  retried: "retry",
  resumed: "resume",
  "compaction-started": "compact",
  leased: "lease",
  "policy-changed": "policy",
  "turn-finished": "finished",
  "turn-blocked": "blocked",
  "turn-failed": "failed",
  "retry-scheduled": "scheduled",
  "retry-due": "due",
  "compaction-ended": "compacted",
  "compaction-failed": "uncompacted",
  "compaction-aborted": "unwanted",
  released: "release",
  restarted: "restart",
};

const AT_REST = `
event       | idle                 | held                   | leased             | error
submit      | busy - fire          | busy 29 clear keep fire| idle@ 129 keep     | busy 29 clear keep fire
trigger     | busy - fire          | idle^ 129 keep         | idle@ 129 keep     | error 129 keep
cancel      | ?not-queued          | idle^ 2 drop           | idle@ 2 drop       | error 2 drop
edit        | ?not-queued          | idle^ 12               | idle@ 12           | error 12
move        | ?not-queued          | idle^ 21 order         | idle@ 21 order     | error 21 order
stop        | ?nothing-running     | ?nothing-running       | ?nothing-running   | ?nothing-running
clear       | ?nothing-running     | idle - drop drop clear | idle@ - drop drop  | error - drop drop
answer      | ?no-such-interaction | ?no-such-interaction   | ?no-such-interaction | ?no-such-interaction
dismiss     | ?no-such-interaction | ?no-such-interaction   | ?no-such-interaction | ?no-such-interaction
retry       | ?nothing-to-retry    | ?nothing-to-retry      | ?busy              | busy 12 clear fire
resend      | busy - fire          | busy 12 clear fire     | ?busy              | busy 12 clear fire
resume      | ?not-paused          | busy 2 clear fire      | ?not-paused        | busy 2 clear fire
compact     | comp - compact       | comp^ 12 compact       | ?busy              | comp! 12 compact
lease       | idle@ -              | idle^@ 12              | ?busy              | error@ 12
policy      | idle - policy        | idle^ 12 policy        | idle@ 12 policy    | error 12 policy
finished    | out-of-place         | out-of-place           | out-of-place       | out-of-place
blocked     | out-of-place         | out-of-place           | out-of-place       | out-of-place
failed      | out-of-place         | out-of-place           | out-of-place       | out-of-place
scheduled   | out-of-place         | out-of-place           | out-of-place       | out-of-place
due         | out-of-place         | out-of-place           | out-of-place       | out-of-place
compacted   | out-of-place         | out-of-place           | out-of-place       | out-of-place
uncompacted | out-of-place         | out-of-place           | out-of-place       | out-of-place
unwanted    | out-of-place         | out-of-place           | out-of-place       | out-of-place
release     | out-of-place         | out-of-place           | busy 2 fire        | out-of-place
restart     | idle -               | idle^ 12               | busy 2 fire        | error 12
`;

const RUNNING = `
event       | busy                      | stopping                  | retrying
submit      | busy 129 keep             | busy~ 129 keep            | retry 129 keep
trigger     | busy 129 keep             | busy~ 129 keep            | retry 129 keep
cancel      | busy 2 drop               | busy~ 2 drop              | retry 2 drop
edit        | busy 12                   | busy~ 12                  | retry 12
move        | busy 21 order             | busy~ 21 order            | retry 21 order
stop        | busy~ 12 abort            | busy~ 12                  | busy~ 12 abort
clear       | busy~ - drop drop abort   | busy~ - drop drop         | busy~ - drop drop abort
answer      | ?no-such-interaction      | ?no-such-interaction      | ?no-such-interaction
dismiss     | ?no-such-interaction      | ?no-such-interaction      | ?no-such-interaction
retry       | ?busy                     | ?busy                     | ?busy
resend      | ?busy                     | ?busy                     | ?busy
resume      | ?not-paused               | ?not-paused               | ?not-paused
compact     | ?busy                     | ?busy                     | ?busy
lease       | ?busy                     | ?busy                     | ?busy
policy      | busy 12 policy            | busy~ 12 policy           | retry 12 policy
finished    | busy 2 close fire         | busy 2 close fire         | out-of-place
blocked     | wait 12 close             | busy 2 settle close fire  | out-of-place
failed      | error 12 close pause      | busy 2 close fire         | error 12 close pause
scheduled   | retry 12                  | busy~ 12                  | out-of-place
due         | out-of-place              | busy~ 12                  | busy 12
compacted   | out-of-place              | out-of-place              | out-of-place
uncompacted | out-of-place              | out-of-place              | out-of-place
unwanted    | out-of-place              | out-of-place              | out-of-place
release     | out-of-place              | out-of-place              | out-of-place
restart     | busy 2 close fire         | busy 2 close fire         | busy 2 close fire
`;

const ON_HOLD = `
event       | waiting                 | asking                         | compacting               | mending
submit      | wait 129 keep           | wait 129 keep                  | comp 129 keep            | comp 129 clear keep
trigger     | wait 129 keep           | wait 129 keep                  | comp 129 keep            | comp! 129 keep
cancel      | wait 2 drop             | wait 2 drop                    | comp 2 drop              | comp! 2 drop
edit        | wait 12                 | wait 12                        | comp 12                  | comp! 12
move        | wait 21 order           | wait 21 order                  | comp 21 order            | comp! 21 order
stop        | busy 2 settle fire      | busy 2 settle settle fire      | comp~ 12 abort           | comp~! 12 abort
clear       | idle - drop drop settle | idle - drop drop settle settle | comp~ - drop drop abort  | comp~! - drop drop abort
answer      | busy 12 settle continue | wait 12 settle                 | ?no-such-interaction     | ?no-such-interaction
dismiss     | busy 2 settle fire      | wait 12 settle                 | ?no-such-interaction     | ?no-such-interaction
retry       | ?busy                   | ?busy                          | ?busy                    | ?busy
resend      | ?busy                   | ?busy                          | ?busy                    | ?busy
resume      | ?not-paused             | ?not-paused                    | ?not-paused              | comp 12 clear
compact     | ?busy                   | ?busy                          | ?busy                    | ?busy
lease       | ?busy                   | ?busy                          | ?busy                    | ?busy
policy      | wait 12 policy          | wait 12 policy                 | comp 12 policy           | comp! 12 policy
finished    | out-of-place            | out-of-place                   | out-of-place             | out-of-place
blocked     | out-of-place            | out-of-place                   | out-of-place             | out-of-place
failed      | out-of-place            | out-of-place                   | out-of-place             | out-of-place
scheduled   | out-of-place            | out-of-place                   | out-of-place             | out-of-place
due         | out-of-place            | out-of-place                   | out-of-place             | out-of-place
compacted   | out-of-place            | out-of-place                   | busy 2 fire              | error 12
uncompacted | out-of-place            | out-of-place                   | error 12 pause           | error 12 pause
unwanted    | out-of-place            | out-of-place                   | busy 2 fire              | error 12
release     | out-of-place            | out-of-place                   | out-of-place             | out-of-place
restart     | wait 12                 | wait 12                        | busy 2 fire              | error 12
`;

const PHASE_WORDS: { readonly [S in Phase["status"]]: string } = {
  idle: "idle",
  busy: "busy",
  compacting: "comp",
  retrying: "retry",
  waiting: "wait",
  error: "error",
};

const EFFECT_WORDS: { readonly [T in RunEffect["type"]]: string | undefined } = {
  fire: "fire",
  continue: "continue",
  "persist-queued": "keep",
  unqueue: "drop",
  reorder: "order",
  "close-turn": "close",
  "settle-interaction": "settle",
  "set-pause": "pause",
  "clear-pause": "clear",
  "set-policy": "policy",
  "abort-turn": "abort",
  "start-compaction": "compact",
  "abort-compaction": "abort",
  "publish-event": undefined,
  "publish-status": undefined,
  "publish-queue": undefined,
};

function phaseText({ phase, held, lease }: RunState): string {
  const marks = [
    "stopping" in phase && phase.stopping ? "~" : "",
    held ? "^" : "",
    lease === null ? "" : "@",
    "after" in phase && phase.after.status === "error" ? "!" : "",
  ];
  return PHASE_WORDS[phase.status] + marks.join("");
}

function outcome(state: RunState, happening: Happening): string {
  try {
    const done = reduce(state, { ...happening, at: 20, next_turn_id: "turn_20" });
    if ("refused" in done) return `?${done.refused.code}`;
    const queue = done.state.queue.map(({ id }) => id.slice("msg_".length)).join("") || "-";
    const words = done.effects.flatMap(({ type }) => EFFECT_WORDS[type] ?? []);
    return [phaseText(done.state), queue, ...words].join(" ");
  } catch (error) {
    if (QueueError.is(error, "out-of-place")) return "out-of-place";
    throw error;
  }
}

type Grid = { readonly columns: readonly string[]; readonly rows: readonly string[][] };

function readGrid(text: string): Grid {
  const lines = text.trim().split("\n");
  const [head = [], ...rows] = lines.map((line) => line.split("|").map((cell) => cell.trim()));
  return { columns: head.slice(1), rows };
}

const GRIDS = [AT_REST, RUNNING, ON_HOLD].map(readGrid);

test("the tables name every state once, and each of them every event once", () => {
  const columns = GRIDS.flatMap((grid) => grid.columns);
  assert.deepEqual(columns.toSorted(), Object.keys(STATES).toSorted());
  for (const { rows } of GRIDS) {
    assert.deepEqual(
      rows.map(([name]) => name),
      Object.keys(EVENTS),
    );
  }
  for (const [type, name] of Object.entries(ALL_TYPES)) {
    assert.equal(EVENTS[name]?.(EMPTY).type, type);
  }
});

for (const { columns, rows } of GRIDS) {
  columns.forEach((column, index) => {
    const state = STATES[column as StateName];
    test(`${column} takes each event as the table says`, () => {
      const expected = rows.map(([name = "", ...cells]) => `${name}: ${cells[index]}`);
      const actual = rows.map(([name = ""]) => {
        const event = EVENTS[name];
        return `${name}: ${event && outcome(state, event(state))}`;
      });
      assert.deepEqual(actual, expected);
    });
  });
}
