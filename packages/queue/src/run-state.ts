/**
 * The run state of one session: what runs, what waits for whom, what is queued, and what pauses it.
 * It holds ids, never messages. Keys are those of the rows and events that they become.
 *
 * What always holds: a session that rests (`idle`) with something queued is held or leased, and a
 * session is held only while something is queued. So there is no rest that nobody can end.
 */
import type { MessageId, SessionId } from "@galley/parts";

export type Origin = "human" | "trigger";

/** `queued_at` is the order key, strictly rising along the queue, whatever the clock did. */
export type QueueEntry = {
  readonly id: MessageId;
  readonly origin: Origin;
  readonly queued_at: number;
};

/** One user message being answered; a new `segment` begins when a person's answer continues it. */
export type Turn = {
  readonly message_id: MessageId;
  readonly turn_id: string;
  readonly segment: number;
  /** Epoch ms at which this segment began. */
  readonly started_at: number;
};

export type Interaction = {
  readonly tool_call_id: string;
  readonly kind: "approval" | "question";
};

export type Idle = { readonly status: "idle" };

/** Nothing runs and the drain is paused. The ids are null when a compaction failed, not a turn. */
export type Failed = {
  readonly status: "error";
  readonly message: string;
  readonly message_id: MessageId | null;
  readonly turn_id: string | null;
};

export type Busy = {
  readonly status: "busy";
  readonly turn: Turn;
  /** The turn was told to stop and has not ended yet: its partial answer is still being kept. */
  readonly stopping: boolean;
};

export type Compacting = {
  readonly status: "compacting";
  readonly operation_id: string;
  readonly started_at: number;
  readonly stopping: boolean;
  /** Compacting is no turn, so it does not clear an error: this is where it goes back to. */
  readonly after: Idle | Failed;
};

export type Retrying = {
  readonly status: "retrying";
  readonly turn: Turn;
  readonly attempt: number;
  readonly message: string;
  /** Epoch ms of the next attempt. */
  readonly until: number;
};

export type Waiting = {
  readonly status: "waiting";
  readonly turn: Turn;
  readonly open: readonly Interaction[];
  /** Calls of the same turn that are already answered; they are heard when the last one closes. */
  readonly answered: readonly string[];
};

export type Phase = Idle | Busy | Compacting | Retrying | Waiting | Failed;

/** What a stop does to the queue: fire the next, keep it until a person acts, or cancel it. */
export type StopPolicy = "drain" | "hold" | "clear";

export type RunState = {
  readonly session_id: SessionId;
  readonly phase: Phase;
  readonly queue: readonly QueueEntry[];
  readonly held: boolean;
  /** Who prepares something in the idle slot (a rewind, a settle delay); nothing fires meanwhile. */
  readonly lease: string | null;
  readonly stop_policy: StopPolicy;
};

export const IDLE: Idle = { status: "idle" };

export function restingState(session_id: SessionId, stop_policy: StopPolicy = "drain"): RunState {
  return { session_id, phase: IDLE, queue: [], held: false, lease: null, stop_policy };
}

export const isQueued = (state: RunState, id: MessageId): boolean =>
  state.queue.some((entry) => entry.id === id);

/** The turn that has the slot: running, in a back-off, or waiting for a person. */
export function turnOf(state: RunState): Turn | undefined {
  return "turn" in state.phase ? state.phase.turn : undefined;
}

/** The failure that pauses the drain, also while a compaction runs on top of it. */
export function failureOf({ phase }: RunState): Failed | undefined {
  if (phase.status === "error") return phase;
  return phase.status === "compacting" && phase.after.status === "error" ? phase.after : undefined;
}

/** Nobody has the slot, so a compaction, a lease or a retry may take it. */
export const isSlotFree = ({ phase, lease }: RunState): boolean =>
  lease === null && (phase.status === "idle" || phase.status === "error");
