/** Moves made by chance, for tests, and the events they stand for: most of them fit, some do not. */
import type { Admission, Fate, Happening } from "./event.ts";
import type { createOracle } from "./oracle.ts";
import type { Interaction } from "./run-state.ts";
import type { Shelf } from "./shelf.ts";

/** Often submits and finishes, so that queues grow and drain; the rest as it comes. */
export const ACTS = [
  ...["submit", "submit", "submit", "trigger", "repeat", "cancel", "edit", "move", "move"],
  ...["finish", "finish", "finish", "block", "block", "fail", "back-off", "due", "stop", "stop"],
  ...["answer", "answer", "dismiss", "retry", "resend", "resume", "policy"],
  ...["compact", "compacted", "uncompacted", "unwanted", "lease", "release", "restart"],
] as const;
export type Act = (typeof ACTS)[number];

/** `pick` and `other` choose among what there is: an id, a side, a policy. */
export type Move = { readonly act: Act; readonly pick: number; readonly other: number };

type Oracle = ReturnType<typeof createOracle>;
export type Table = {
  readonly ids: readonly string[];
  readonly oracle: Oracle;
  readonly shelf: Shelf;
};

const POLICIES = ["drain", "hold", "clear"] as const;
const isStray = (pick: number): boolean => pick % 13 === 12;
const choose = <T>(from: readonly T[], pick: number): T | undefined => from[pick % from.length];

function fateOf({ shelf }: Table, id: string): Fate {
  if (shelf.cancelled.includes(id)) return "cancelled";
  return shelf.fired.includes(id) ? "fired" : "unknown";
}

function admissionOf({ shelf }: Table, id: string, pick: number): Admission {
  if (pick % 5 === 0) return "conflict";
  return shelf.cancelled.includes(id) ? "cancelled" : "same";
}

const callsOf = (pick: number, turn_id: string): Interaction[] =>
  Array.from({ length: (pick % 3) + (pick % 11 === 0 ? 0 : 1) }, (_, index) => ({
    tool_call_id: `call_${turn_id}_${index}`,
    kind: (pick + index) % 2 === 0 ? "approval" : "question",
  }));

/** Mostly a message that is queued, and now and then one that is not any more. */
function chooseQueued({ ids, shelf }: Table, pick: number): string {
  const queued = shelf.rows().queued.map(({ id }) => id);
  return choose(pick % 4 === 0 ? ids : queued, pick) ?? choose(ids, pick) ?? "msg_none";
}

type Makers<A extends Act> = { readonly [K in A]: () => Happening };

type QueueAct = "submit" | "trigger" | "repeat" | "cancel" | "edit" | "move";

function queueMakers(table: Table, { pick, other }: Move): Makers<QueueAct> {
  const { ids } = table;
  const id = chooseQueued(table, pick);
  const own = { message_id: id, fate: fateOf(table, id) };
  const fresh = { type: "submitted", message_id: `msg_${ids.length}`, admission: "new" } as const;
  const again = { ...fresh, message_id: id, admission: admissionOf(table, id, other) } as const;
  const side = other % 2 === 0 ? "before" : "after";
  return {
    submit: () => ({ ...fresh, origin: "human" }),
    trigger: () => ({ ...fresh, origin: "trigger" }),
    repeat: () => ({ ...(ids.length === 0 ? fresh : again), origin: "human" }),
    cancel: () => ({ type: "cancelled", ...own }),
    edit: () => ({ type: "edited", ...own }),
    move: () => ({ type: "moved", ...own, other_id: chooseQueued(table, other), side }),
  };
}

type TurnAct = "finish" | "block" | "fail" | "back-off" | "due";

function turnMakers({ oracle }: Table, { pick, other }: Move): Makers<TurnAct> {
  // Now and then a report of a turn that does not run.
  const turn = isStray(pick) ? { turn_id: "turn_none", segment: 0 } : oracle.turn();
  const reason = other % 2 === 0 ? "finish" : "abort";
  const backOff = { attempt: 1 + (other % 4), message: "429", until: other };
  return {
    finish: () => ({ type: "turn-finished", reason, ...turn }),
    block: () => ({ type: "turn-blocked", open: callsOf(other, turn.turn_id), ...turn }),
    fail: () => ({ type: "turn-failed", message: `failure ${other}`, ...turn }),
    "back-off": () => ({ type: "retry-scheduled", ...backOff, ...turn }),
    due: () => ({ type: "retry-due", ...turn }),
  };
}

type PersonAct = "stop" | "answer" | "dismiss" | "retry" | "resend" | "resume" | "policy";

function personMakers(table: Table, { pick, other }: Move): Makers<PersonAct> {
  const { ids, oracle } = table;
  const id = choose(ids, pick) ?? "msg_none";
  const isSendable = ids.length > 0 && fateOf(table, id) !== "cancelled";
  const tool_call_id = choose(oracle.calls(), pick) ?? "call_none";
  const clear_queue = choose([null, null, null, true, false], other) ?? null;
  return {
    stop: () => ({ type: "stopped", clear_queue }),
    answer: () => ({ type: "answered", tool_call_id }),
    dismiss: () => ({ type: "dismissed", tool_call_id }),
    retry: () => ({ type: "retried", message_id: null }),
    resend: () => ({ type: "retried", message_id: isSendable ? id : null }),
    resume: () => ({ type: "resumed" }),
    policy: () => ({ type: "policy-changed", stop_policy: choose(POLICIES, other) ?? "drain" }),
  };
}

type SlotAct = Exclude<Act, QueueAct | TurnAct | PersonAct>;

function slotMakers({ ids, oracle, shelf }: Table, { pick, other }: Move): Makers<SlotAct> {
  const operation_id = (isStray(pick) ? null : oracle.operation()) ?? "op_none";
  const holder = (isStray(pick) ? null : oracle.lease()) ?? "holder_none";
  return {
    compact: () => ({ type: "compaction-started", operation_id: `op_${ids.length}_${pick}` }),
    compacted: () => ({ type: "compaction-ended", operation_id }),
    uncompacted: () => ({ type: "compaction-failed", operation_id, message: `failure ${other}` }),
    unwanted: () => ({ type: "compaction-aborted", operation_id }),
    lease: () => ({ type: "leased", holder: `holder_${other}` }),
    release: () => ({ type: "released", holder }),
    restart: () => ({ type: "restarted", open: shelf.rows().open }),
  };
}

export function happeningOf(table: Table, move: Move): Happening {
  const makers: Makers<Act> = {
    ...queueMakers(table, move),
    ...turnMakers(table, move),
    ...personMakers(table, move),
    ...slotMakers(table, move),
  };
  return makers[move.act]();
}
