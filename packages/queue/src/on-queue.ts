/** Requests about messages that have not fired: submit, cancel, edit, move. */
import type { MessageId } from "@galley/parts";
import { drain, fire, lift, liftEmptyHold, type Step, then, unchanged } from "./drain.ts";
import type { EventOf, Fate } from "./event.ts";
import { type Refused, refuse } from "./refusal.ts";
import { isQueued, type QueueEntry, type RunState, turnOf } from "./run-state.ts";

/** One step decides fire or queue: fire only if idle, nothing queued, no lease and no pause. */
export function onSubmitted(state: RunState, event: EventOf<"submitted">): Step | Refused {
  const { message_id, admission, origin } = event;
  if (admission === "conflict") return refuse({ code: "conflict", message_id });
  if (admission === "cancelled") return refuse({ code: "already-cancelled", message_id });
  // The same message sent again changes nothing, and does not count as a person's act either.
  const isKnown = isQueued(state, message_id) || turnOf(state)?.message_id === message_id;
  if (admission === "same" || isKnown) return unchanged(state);
  const lifted = origin === "human" ? lift(state) : unchanged(state);
  return then(lifted, (free) => {
    const firesNow = free.phase.status === "idle" && free.lease === null && !free.queue.length;
    if (firesNow) return fire(free, message_id, event);
    return then(enqueue(free, event), (queued) => drain(queued, event));
  });
}

function enqueue(state: RunState, { message_id, origin, at }: EventOf<"submitted">): Step {
  const last = state.queue.at(-1);
  // A clock that steps back or stands still must not let a later message overtake.
  const queued_at = last === undefined ? at : Math.max(at, last.queued_at + 1);
  const entry: QueueEntry = { id: message_id, origin, queued_at };
  return {
    state: { ...state, queue: [...state.queue, entry] },
    effects: [{ type: "persist-queued", entry }],
  };
}

function refuseUnqueued(state: RunState, message_id: MessageId, fate: Fate): Refused {
  const isRunning = turnOf(state)?.message_id === message_id;
  if (fate === "fired" || isRunning) return refuse({ code: "already-fired", message_id });
  if (fate === "cancelled") return refuse({ code: "already-cancelled", message_id });
  return refuse({ code: "not-queued", message_id });
}

export function onCancelled(state: RunState, event: EventOf<"cancelled">): Step | Refused {
  const { message_id, at } = event;
  if (!isQueued(state, message_id)) return refuseUnqueued(state, message_id, event.fate);
  const queue = state.queue.filter(({ id }) => id !== message_id);
  const cancelled: Step = {
    state: { ...state, queue },
    effects: [{ type: "unqueue", message_id, at }],
  };
  return then(cancelled, liftEmptyHold);
}

export function onEdited(state: RunState, event: EventOf<"edited">): Step | Refused {
  const { message_id, fate } = event;
  return isQueued(state, message_id) ? unchanged(state) : refuseUnqueued(state, message_id, fate);
}

export function onMoved(state: RunState, event: EventOf<"moved">): Step | Refused {
  const { message_id, other_id, side } = event;
  const moving = state.queue.find(({ id }) => id === message_id);
  if (moving === undefined) return refuseUnqueued(state, message_id, event.fate);
  if (!isQueued(state, other_id)) return refuseUnqueued(state, other_id, "unknown");
  if (message_id === other_id) return unchanged(state);
  const rest = state.queue.filter(({ id }) => id !== message_id);
  const place = rest.findIndex(({ id }) => id === other_id) + (side === "after" ? 1 : 0);
  return reorder(state, rest.toSpliced(place, 0, moving));
}

/** The order keys stay where they are and the messages change places: no key is invented. */
function reorder(state: RunState, wanted: readonly QueueEntry[]): Step {
  const queue = state.queue.map(({ queued_at }, index): QueueEntry => {
    const entry = wanted[index];
    if (entry === undefined) throw new RangeError("a move kept the length of the queue");
    return entry.queued_at === queued_at ? entry : { ...entry, queued_at };
  });
  const entries = queue.filter((entry) => !state.queue.includes(entry));
  if (entries.length === 0) return unchanged(state);
  return { state: { ...state, queue }, effects: [{ type: "reorder", entries }] };
}
