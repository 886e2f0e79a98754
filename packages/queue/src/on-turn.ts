/** Reports of the running turn: how its segment ended, and the back-offs in between. */
import { closeTurn, endTurn, type Step, then, turnNames, unchanged } from "./drain.ts";
import type { RunEffect } from "./effect.ts";
import type { EventOf } from "./event.ts";
import { outOfPlace } from "./refusal.ts";
import type { Busy, Failed, Interaction, Retrying, RunState } from "./run-state.ts";

type Reported = EventOf<
  "turn-finished" | "turn-blocked" | "turn-failed" | "retry-scheduled" | "retry-due"
>;

/** A report of another turn, or of an earlier segment of this one, must not end this one. */
function reporting(state: RunState, event: Reported): Busy | Retrying {
  const { phase } = state;
  if (phase.status !== "busy" && phase.status !== "retrying") {
    return outOfPlace(state, event, "no turn is running");
  }
  const { turn_id, segment } = phase.turn;
  if (turn_id !== event.turn_id || segment !== event.segment) {
    return outOfPlace(state, event, `${turn_id}, segment ${segment}, is the one that runs`);
  }
  return phase;
}

function running(state: RunState, event: Reported): Busy {
  const phase = reporting(state, event);
  return phase.status === "busy" ? phase : outOfPlace(state, event, "its back-off is not over");
}

export function onTurnFinished(state: RunState, event: EventOf<"turn-finished">): Step {
  return endTurn(state, running(state, event).turn, event.reason, event);
}

/** The run ended with an open call: straight to waiting, so nothing can drain in between. */
export function onTurnBlocked(state: RunState, event: EventOf<"turn-blocked">): Step {
  const { turn, stopping } = running(state, event);
  const { open, at } = event;
  const ids = new Set(open.map(({ tool_call_id }) => tool_call_id));
  if (ids.size === 0 || ids.size < open.length) {
    return outOfPlace(state, event, "a blocked turn names each open call once");
  }
  if (stopping) {
    // The person has already said that the turn is over: nobody is asked.
    const settled: Step = { state, effects: open.map((each) => dismissal(each, at)) };
    return then(settled, (asked) => endTurn(asked, turn, "abort", event));
  }
  return {
    state: { ...state, phase: { status: "waiting", turn, open, answered: [] } },
    effects: [closeTurn(turn, "blocked", at), ...blockedNews(state, event)],
  };
}

function blockedNews(state: RunState, event: EventOf<"turn-blocked">): RunEffect[] {
  const { session_id } = state;
  const { open, at } = event;
  const asks = open.map(({ kind, tool_call_id }): RunEffect => {
    const type = kind === "approval" ? "approval-requested" : "input-requested";
    return { type: "publish-event", event: { type, session_id, tool_call_id, at } };
  });
  const pending_approval = open.some(({ kind }) => kind === "approval");
  const finished = {
    type: "turn-finished" as const,
    ...turnNames(state, running(state, event).turn, at),
    reason: "finish" as const,
    pending_approval,
    pending: pending_approval ? ("approval" as const) : ("user-input" as const),
  };
  return [...asks, { type: "publish-event", event: finished }];
}

export function dismissal({ tool_call_id }: Interaction, at: number): RunEffect {
  return { type: "settle-interaction", tool_call_id, how: "dismissed", at };
}

/** A hard failure pauses the drain: the queue keeps its place. */
export function onTurnFailed(state: RunState, event: EventOf<"turn-failed">): Step {
  const phase = reporting(state, event);
  const { turn } = phase;
  // What breaks while it is being stopped was broken by the stop.
  if (phase.status === "busy" && phase.stopping) return endTurn(state, turn, "abort", event);
  const { message, at } = event;
  const { message_id, turn_id } = turn;
  const names = turnNames(state, turn, at);
  const news = { ...names, reason: "error" as const, pending_approval: false, pending: null };
  return pause(state, { status: "error", message, message_id, turn_id }, at, [
    closeTurn(turn, "error", at),
    { type: "publish-event", event: { type: "turn-finished", ...news } },
  ]);
}

/** An error takes the place of a hold: there is one pause at a time, and one marker of it. */
export function pause(
  state: RunState,
  failed: Failed,
  at: number,
  effects: readonly RunEffect[] = [],
): Step {
  const { message, message_id, turn_id } = failed;
  const marker = { reason: "error" as const, message, message_id, turn_id, at };
  return {
    state: { ...state, phase: failed, held: false },
    effects: [...effects, { type: "set-pause", pause: marker }],
  };
}

export function onRetryScheduled(state: RunState, event: EventOf<"retry-scheduled">): Step {
  const { turn, stopping } = running(state, event);
  // The abort is on its way to the turn and will end its back-off.
  if (stopping) return unchanged(state);
  const { attempt, message, until } = event;
  const phase: Retrying = { status: "retrying", turn, attempt, message, until };
  return unchanged({ ...state, phase });
}

export function onRetryDue(state: RunState, event: EventOf<"retry-due">): Step {
  const phase = reporting(state, event);
  if (phase.status === "retrying") {
    const { turn } = phase;
    return unchanged({ ...state, phase: { status: "busy", turn, stopping: false } });
  }
  return phase.stopping ? unchanged(state) : outOfPlace(state, event, "there is no back-off");
}
