/**
 * From rows to a running session. The rows say what was true when the host went down; that it went
 * down is an event like any other, so a restart obeys the same rules as everything else.
 */
import type { SessionId } from "@galley/parts";
import type { Step } from "./drain.ts";
import type { Pause } from "./effect.ts";
import type { Stamp } from "./event.ts";
import { reduce } from "./reduce.ts";
import {
  IDLE,
  type Interaction,
  type Phase,
  type QueueEntry,
  type RunState,
  type StopPolicy,
  type Turn,
} from "./run-state.ts";

/** What a store keeps of a run. Leases and back-offs are not kept: they die with their process. */
export type StoredRun = {
  readonly session_id: SessionId;
  readonly stop_policy: StopPolicy;
  /** In any order. */
  readonly queued: readonly QueueEntry[];
  /** The last turn that was claimed and not closed (`running`) or closed as blocked. */
  readonly turn: (Turn & { readonly running: boolean }) | null;
  readonly open: readonly Interaction[];
  /** Calls of that turn which were answered while others are still open. */
  readonly answered: readonly string[];
  readonly pause: Pause | null;
};

/** The state that the rows describe, as if nothing had happened since. */
export function stateOf(rows: StoredRun): RunState {
  const { session_id, stop_policy, pause } = rows;
  const queue = rows.queued.toSorted((a, b) => a.queued_at - b.queued_at || (a.id < b.id ? -1 : 1));
  const held = pause?.reason === "hold";
  return { session_id, phase: phaseOf(rows), queue, held, lease: null, stop_policy };
}

function phaseOf({ turn: stored, open, answered, pause }: StoredRun): Phase {
  if (stored !== null) {
    const { running, ...turn } = stored;
    if (running) return { status: "busy", turn, stopping: false };
    if (open.length > 0) return { status: "waiting", turn, open, answered };
  }
  if (pause?.reason !== "error") return IDLE;
  const { message, message_id, turn_id } = pause;
  return { status: "error", message, message_id, turn_id };
}

/** The session after a start of the host, and what has to be done for it. */
export function restore(rows: StoredRun, stamp: Stamp): Step {
  const up = reduce(stateOf(rows), { type: "restarted", open: rows.open, ...stamp });
  if ("refused" in up) throw new TypeError("a restart is a report, and reports are not refused");
  return up;
}
