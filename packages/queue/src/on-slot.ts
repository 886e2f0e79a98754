/** What else takes or frees the slot: compaction, a lease, a restart; and the stop policy. */
import { closeTurn, drain, liftEmptyHold, type Step, then, unchanged } from "./drain.ts";
import type { EventOf } from "./event.ts";
import { pause } from "./on-turn.ts";
import { outOfPlace, type Refused, refuseBusy } from "./refusal.ts";
import { type Compacting, IDLE, isSlotFree, type Phase, type RunState } from "./run-state.ts";

export function onCompactionStarted(
  state: RunState,
  event: EventOf<"compaction-started">,
): Step | Refused {
  const { phase } = state;
  const { operation_id, at } = event;
  if (!isSlotFree(state)) return refuseBusy(state);
  const after = phase.status === "error" ? phase : IDLE;
  return {
    state: {
      ...state,
      phase: { status: "compacting", operation_id, started_at: at, stopping: false, after },
    },
    effects: [{ type: "start-compaction", operation_id, at }],
  };
}

type Reported = EventOf<"compaction-ended" | "compaction-failed" | "compaction-aborted">;

function compacting(state: RunState, event: Reported): Compacting {
  const { phase } = state;
  if (phase.status !== "compacting") return outOfPlace(state, event, "no compaction is running");
  if (phase.operation_id !== event.operation_id) {
    return outOfPlace(state, event, `${phase.operation_id} is the one that runs`);
  }
  return phase;
}

/** Ended with or without a summary, or aborted: either way the slot is free again. */
export function onCompactionOver(
  state: RunState,
  event: EventOf<"compaction-ended" | "compaction-aborted">,
): Step {
  return drain({ ...state, phase: compacting(state, event).after }, event);
}

export function onCompactionFailed(state: RunState, event: EventOf<"compaction-failed">): Step {
  const { after, stopping } = compacting(state, event);
  if (stopping) return drain({ ...state, phase: after }, event);
  const { message, at } = event;
  // The turn that failed before it is still the one to retry.
  const before = after.status === "error" ? after : { message_id: null, turn_id: null };
  const { message_id, turn_id } = before;
  return pause(state, { status: "error", message, message_id, turn_id }, at);
}

export function onLeased(state: RunState, event: EventOf<"leased">): Step | Refused {
  if (!isSlotFree(state)) return refuseBusy(state);
  return unchanged({ ...state, lease: event.holder });
}

export function onReleased(state: RunState, event: EventOf<"released">): Step {
  if (state.lease !== event.holder) {
    return outOfPlace(state, event, `the lease is held by ${state.lease ?? "nobody"}`);
  }
  return drain({ ...state, lease: null }, event);
}

export function onPolicyChanged(state: RunState, event: EventOf<"policy-changed">): Step {
  const { stop_policy } = event;
  if (stop_policy === state.stop_policy) return unchanged(state);
  return { state: { ...state, stop_policy }, effects: [{ type: "set-policy", stop_policy }] };
}

/** A running turn is not resumed; what a person was asked stays asked; then the queue is kicked. */
export function onRestarted(state: RunState, event: EventOf<"restarted">): Step {
  const { phase } = state;
  const isRunning = phase.status === "busy" || phase.status === "retrying";
  const closed = isRunning ? [closeTurn(phase.turn, "restart", event.at)] : [];
  const up = { ...state, phase: phaseAfterRestart(state, event), lease: null };
  return then(then({ state: up, effects: closed }, liftEmptyHold), (kicked) =>
    drain(kicked, event),
  );
}

function phaseAfterRestart(state: RunState, event: EventOf<"restarted">): Phase {
  const { phase } = state;
  const { open } = event;
  if ("turn" in phase) {
    const answered = phase.status === "waiting" ? phase.answered : [];
    return open.length > 0 ? { status: "waiting", turn: phase.turn, open, answered } : IDLE;
  }
  if (open.length > 0) return outOfPlace(state, event, "an open call belongs to a turn");
  return phase.status === "compacting" ? phase.after : phase;
}
