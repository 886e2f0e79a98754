/** A session played in a few words, for tests: one stamp an event, counted, never read off a clock. */
import type { RunEffect } from "./effect.ts";
import type { Happening, Stamp } from "./event.ts";
import { reduce } from "./reduce.ts";
import type { Refusal } from "./refusal.ts";
import { type Interaction, type Origin, type RunState, restingState } from "./run-state.ts";

export const SESSION = "ses_1";

export const APPROVAL: Interaction = { tool_call_id: "call_a", kind: "approval" };
export const QUESTION: Interaction = { tool_call_id: "call_q", kind: "question" };

export type Scene = {
  readonly state: RunState;
  /** How many events came before: the n-th is stamped `at: n`, `next_turn_id: "turn_n"`. */
  readonly count: number;
  /** What the last event ordered. */
  readonly effects: readonly RunEffect[];
};

export const rest = (stop_policy: RunState["stop_policy"] = "drain"): Scene => ({
  state: restingState(SESSION, stop_policy),
  count: 0,
  effects: [],
});

const stampOf = (count: number): Stamp => ({ at: count, next_turn_id: `turn_${count}` });

export function play(scene: Scene, ...happenings: readonly Happening[]): Scene {
  return happenings.reduce<Scene>(({ state, count }, happening) => {
    const done = reduce(state, { ...happening, ...stampOf(count + 1) });
    if ("refused" in done) throw new Error(`${happening.type} is refused: ${done.refused.code}`);
    return { ...done, count: count + 1 };
  }, scene);
}

export function refusalOf({ state, count }: Scene, happening: Happening): Refusal | undefined {
  const done = reduce(state, { ...happening, ...stampOf(count + 1) });
  return "refused" in done ? done.refused : undefined;
}

export const submit = (
  message_id: string,
  origin: Origin = "human",
): Extract<Happening, { type: "submitted" }> => ({
  type: "submitted",
  message_id,
  origin,
  admission: "new",
});

export const cancel = (message_id: string): Happening => ({
  type: "cancelled",
  message_id,
  fate: "unknown",
});

/** The report of the turn that has the slot. */
function segmentOf({ state }: Scene): { readonly turn_id: string; readonly segment: number } {
  if (!("turn" in state.phase)) throw new Error(`no turn while ${state.phase.status}`);
  const { turn_id, segment } = state.phase.turn;
  return { turn_id, segment };
}

export const finish = (scene: Scene, reason: "finish" | "abort" = "finish"): Scene =>
  play(scene, { type: "turn-finished", reason, ...segmentOf(scene) });

export const fail = (scene: Scene, message = "503"): Scene =>
  play(scene, { type: "turn-failed", message, ...segmentOf(scene) });

export const block = (scene: Scene, ...open: readonly Interaction[]): Scene =>
  play(scene, { type: "turn-blocked", open, ...segmentOf(scene) });

export const backOff = (scene: Scene): Scene =>
  play(scene, {
    type: "retry-scheduled",
    attempt: 1,
    message: "429",
    until: 5000,
    ...segmentOf(scene),
  });

export const retryDue = (scene: Scene): Scene =>
  play(scene, { type: "retry-due", ...segmentOf(scene) });

export const queued = ({ state }: Scene): string => state.queue.map(({ id }) => id).join(" ");

export const fired = ({ effects }: Scene): string =>
  effects.flatMap((effect) => (effect.type === "fire" ? [effect.message_id] : [])).join(" ");

/** The types of what was ordered, without the news. */
export const orders = ({ effects }: Scene): string =>
  effects.flatMap(({ type }) => (type.startsWith("publish-") ? [] : [type])).join(" ");

/** The news in order, as `type` or `type:reason:pending`. */
export const news = ({ effects }: Scene): string =>
  effects
    .flatMap((effect) => ("event" in effect ? [effect.event] : []))
    .map((event) =>
      event.type === "turn-finished"
        ? `${event.type}:${event.reason}:${event.pending}`
        : event.type,
    )
    .join(" ");
