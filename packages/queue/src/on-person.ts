/** What a person does to a turn: stop it, answer or dismiss what it asks, retry or resume. */
import {
  applyPolicy,
  clearQueue,
  drain,
  fire,
  lift,
  type Step,
  startedNews,
  then,
  unchanged,
} from "./drain.ts";
import type { EventOf } from "./event.ts";
import { dismissal } from "./on-turn.ts";
import { type Refused, refuse, refuseBusy } from "./refusal.ts";
import {
  failureOf,
  IDLE,
  isQueued,
  isSlotFree,
  type RunState,
  type StopPolicy,
  type Waiting,
} from "./run-state.ts";

function policyFor({ stop_policy }: RunState, clear_queue: boolean | null): StopPolicy {
  if (clear_queue === true) return "clear";
  return clear_queue === false && stop_policy === "clear" ? "drain" : stop_policy;
}

/** A running turn is told and ends by its own report, so that its partial answer is kept first. */
export function onStopped(state: RunState, event: EventOf<"stopped">): Step | Refused {
  const { phase } = state;
  const { at } = event;
  const policy = policyFor(state, event.clear_queue);
  switch (phase.status) {
    case "idle":
    case "error":
      if (policy !== "clear" || state.queue.length === 0)
        return refuse({ code: "nothing-running" });
      return clearQueue(state, at);
    case "waiting":
      return then(applyPolicy(state, policy, at), (applied) => {
        const effects = phase.open.map((each) => dismissal(each, at));
        const rested: Step = { state: { ...applied, phase: IDLE }, effects };
        return then(rested, (free) => drain(free, event));
      });
    case "busy":
    case "retrying":
    case "compacting":
      return then(stopRunning(state, phase), (told) => applyPolicy(told, policy, at));
  }
}

function stopRunning(
  state: RunState,
  phase: Extract<RunState["phase"], { status: "busy" | "retrying" | "compacting" }>,
): Step {
  if (phase.status !== "retrying" && phase.stopping) return unchanged(state);
  if (phase.status === "compacting") {
    const { operation_id } = phase;
    return {
      state: { ...state, phase: { ...phase, stopping: true } },
      effects: [{ type: "abort-compaction", operation_id }],
    };
  }
  const { turn } = phase;
  const { turn_id, segment } = turn;
  return {
    state: { ...state, phase: { status: "busy", turn, stopping: true } },
    effects: [{ type: "abort-turn", turn_id, segment }],
  };
}

/** The interaction is matched by its exact call; ordinary text never comes here. */
function closing(state: RunState, tool_call_id: string): Waiting | Refused {
  const { phase } = state;
  const isOpen =
    phase.status === "waiting" && phase.open.some((each) => each.tool_call_id === tool_call_id);
  return isOpen ? phase : refuse({ code: "no-such-interaction", tool_call_id });
}

function withoutCall(phase: Waiting, closed: string): Waiting {
  return { ...phase, open: phase.open.filter(({ tool_call_id }) => tool_call_id !== closed) };
}

export function onAnswered(state: RunState, event: EventOf<"answered">): Step | Refused {
  const { tool_call_id, at } = event;
  const found = closing(state, tool_call_id);
  if ("refused" in found) return found;
  const answered = [...found.answered, tool_call_id];
  return then(
    {
      state: { ...state, phase: { ...withoutCall(found, tool_call_id), answered } },
      effects: [{ type: "settle-interaction", tool_call_id, how: "answered", at }],
    },
    (settled) => goOn(settled, event),
  );
}

export function onDismissed(state: RunState, event: EventOf<"dismissed">): Step | Refused {
  const { tool_call_id, at } = event;
  const found = closing(state, tool_call_id);
  if ("refused" in found) return found;
  return then(
    {
      state: { ...state, phase: withoutCall(found, tool_call_id) },
      effects: [{ type: "settle-interaction", tool_call_id, how: "dismissed", at }],
    },
    (settled) => goOn(settled, event),
  );
}

/** No model takes half of its calls: the turn goes on when the last closes, if any was answered. */
function goOn(state: RunState, event: EventOf<"answered" | "dismissed">): Step {
  const { phase } = state;
  if (phase.status !== "waiting" || phase.open.length > 0) return unchanged(state);
  const { answered, turn: before } = phase;
  if (answered.length === 0) return drain({ ...state, phase: IDLE }, event);
  const turn = { ...before, segment: before.segment + 1, started_at: event.at };
  const { message_id, turn_id, segment } = turn;
  const { at } = event;
  return {
    state: { ...state, phase: { status: "busy", turn, stopping: false } },
    effects: [
      { type: "continue", message_id, turn_id, segment, tool_call_ids: answered, at },
      startedNews(state, turn, at),
    ],
  };
}

/** The same user row again, at once: the queue keeps its place behind it. */
export function onRetried(state: RunState, event: EventOf<"retried">): Step | Refused {
  if (!isSlotFree(state)) return refuseBusy(state);
  const failure = failureOf(state);
  const message_id = event.message_id ?? failure?.message_id ?? null;
  if (message_id === null) return refuse({ code: "nothing-to-retry" });
  if (isQueued(state, message_id)) return refuse({ code: "still-queued", message_id });
  const retry_of = message_id === failure?.message_id ? failure.turn_id : null;
  return then(lift(state), (free) => fire(free, message_id, event, retry_of));
}

export function onResumed(state: RunState, event: EventOf<"resumed">): Step | Refused {
  if (!state.held && failureOf(state) === undefined) return refuse({ code: "not-paused" });
  return then(lift(state), (free) => drain(free, event));
}
