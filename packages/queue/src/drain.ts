/**
 * The moves that every handler is made of: fire, drain, end a turn, pause and lift. The queue is
 * part of the state, so "this turn ended" and "the next one fires" are one step, with no gap for a
 * second submit to slip into.
 */
import type { MessageId } from "@galley/parts";
import type { Ending, RunEffect } from "./effect.ts";
import type { Stamp } from "./event.ts";
import { failureOf, IDLE, type RunState, type StopPolicy, type Turn } from "./run-state.ts";

export type Step = { readonly state: RunState; readonly effects: readonly RunEffect[] };

export const unchanged = (state: RunState): Step => ({ state, effects: [] });

export function then(first: Step, next: (state: RunState) => Step): Step {
  const second = next(first.state);
  return { state: second.state, effects: [...first.effects, ...second.effects] };
}

/** A continued turn is named by its turn alone: no new user row stands behind it. */
export function turnNames({ session_id }: RunState, turn: Turn, at: number) {
  const { turn_id, segment, message_id } = turn;
  return { session_id, turn_id, segment, at, ...(segment === 0 ? { message_id } : {}) };
}

export function startedNews(state: RunState, turn: Turn, at: number): RunEffect {
  return { type: "publish-event", event: { type: "turn-started", ...turnNames(state, turn, at) } };
}

export function fire(
  state: RunState,
  message_id: MessageId,
  { at, next_turn_id }: Stamp,
  retry_of: string | null = null,
): Step {
  const turn: Turn = { message_id, turn_id: next_turn_id, segment: 0, started_at: at };
  return {
    state: { ...state, phase: { status: "busy", turn, stopping: false } },
    effects: [
      { type: "fire", message_id, turn_id: next_turn_id, segment: 0, retry_of, at },
      startedNews(state, turn, at),
    ],
  };
}

/** Serial: the head gets a turn of its own, and only in a slot that nobody has or holds back. */
export function drain(state: RunState, stamp: Stamp): Step {
  const [head, ...queue] = state.queue;
  const rests = state.phase.status === "idle" && !state.held && state.lease === null;
  if (head === undefined || !rests) return unchanged(state);
  return fire({ ...state, queue }, head.id, stamp);
}

export function closeTurn(turn: Turn, ending: Ending, at: number): RunEffect {
  const { message_id, turn_id, segment } = turn;
  return { type: "close-turn", message_id, turn_id, segment, ending, at };
}

/** A clean end, by itself or by a stop: the slot is free, and the queue goes on if it may. */
export function endTurn(
  state: RunState,
  turn: Turn,
  reason: "finish" | "abort",
  stamp: Stamp,
): Step {
  const news = { ...turnNames(state, turn, stamp.at), reason, pending_approval: false };
  const ended: Step = {
    state: { ...state, phase: IDLE },
    effects: [
      closeTurn(turn, reason, stamp.at),
      { type: "publish-event", event: { type: "turn-finished", ...news, pending: null } },
    ],
  };
  return then(ended, (rested) => drain(rested, stamp));
}

/** A person acts: whatever paused the drain is over, be it a hold or an error. */
export function lift(state: RunState): Step {
  const { phase, held } = state;
  if (!held && failureOf(state) === undefined) return unchanged(state);
  const resting = phase.status === "error" ? IDLE : phase;
  const lifted = resting.status === "compacting" ? { ...resting, after: IDLE } : resting;
  return { state: { ...state, phase: lifted, held: false }, effects: [{ type: "clear-pause" }] };
}

/** A hold with nothing behind it would only catch the next trigger, unseen. */
export function liftEmptyHold(state: RunState): Step {
  if (!state.held || state.queue.length > 0) return unchanged(state);
  return { state: { ...state, held: false }, effects: [{ type: "clear-pause" }] };
}

export function clearQueue(state: RunState, at: number): Step {
  const effects = state.queue.map(({ id }): RunEffect => ({ type: "unqueue", message_id: id, at }));
  if (effects.length === 0) return unchanged(state);
  return then({ state: { ...state, queue: [] }, effects }, liftEmptyHold);
}

function holdQueue(state: RunState, at: number): Step {
  if (state.held || state.queue.length === 0 || failureOf(state) !== undefined) {
    return unchanged(state);
  }
  return {
    state: { ...state, held: true },
    effects: [{ type: "set-pause", pause: { reason: "hold", at } }],
  };
}

/** Applied at the stop, not at the end of the turn: what is submitted in between is not meant. */
export function applyPolicy(state: RunState, policy: StopPolicy, at: number): Step {
  switch (policy) {
    case "drain":
      return unchanged(state);
    case "hold":
      return holdQueue(state, at);
    case "clear":
      return clearQueue(state, at);
  }
}
