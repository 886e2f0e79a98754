/**
 * The run-state machine of one session, as one pure step: state and event in, state and effects
 * out. It owns the order of turns; it does not know what a message says or how a turn is run.
 *
 *   idle ── submitted ──▶ busy ── turn-finished ──▶ the head of the queue fires, or idle
 *    │                   │ ▲ │
 *    │   retry-scheduled │ │ │ turn-blocked ──▶ waiting ── last answered ──▶ busy, next segment
 *    │                   ▼ │ │                          └─ all dismissed ──▶ the head, or idle
 *    │             retrying  └ turn-failed ──▶ error: the queue keeps its place until a person acts
 *    └ compaction-started ──▶ compacting ── ended, aborted ──▶ the head of the queue, or idle
 */
import type { Step } from "./drain.ts";
import { inOrder, type RunEffect } from "./effect.ts";
import type { EventOf, Happening, RunEvent } from "./event.ts";
import { onAnswered, onDismissed, onResumed, onRetried, onStopped } from "./on-person.ts";
import { onCancelled, onEdited, onMoved, onSubmitted } from "./on-queue.ts";
import {
  onCompactionFailed,
  onCompactionOver,
  onCompactionStarted,
  onLeased,
  onPolicyChanged,
  onReleased,
  onRestarted,
} from "./on-slot.ts";
import {
  onRetryDue,
  onRetryScheduled,
  onTurnBlocked,
  onTurnFailed,
  onTurnFinished,
} from "./on-turn.ts";
import { queueOf, statusOf } from "./project.ts";
import type { Refused } from "./refusal.ts";
import type { RunState } from "./run-state.ts";

type Handlers = {
  readonly [T in Happening["type"]]: (state: RunState, event: EventOf<T>) => Step | Refused;
};

const HANDLERS: Handlers = {
  submitted: onSubmitted,
  cancelled: onCancelled,
  edited: onEdited,
  moved: onMoved,
  stopped: onStopped,
  answered: onAnswered,
  dismissed: onDismissed,
  retried: onRetried,
  resumed: onResumed,
  "compaction-started": onCompactionStarted,
  leased: onLeased,
  "policy-changed": onPolicyChanged,
  "turn-finished": onTurnFinished,
  "turn-blocked": onTurnBlocked,
  "turn-failed": onTurnFailed,
  "retry-scheduled": onRetryScheduled,
  "retry-due": onRetryDue,
  "compaction-ended": onCompactionOver,
  "compaction-failed": onCompactionFailed,
  "compaction-aborted": onCompactionOver,
  released: onReleased,
  restarted: onRestarted,
};

export function reduce(state: RunState, event: RunEvent): Step | Refused {
  // The table pairs each type with its handler; the compiler cannot follow that through an index.
  const handle = HANDLERS[event.type] as (state: RunState, event: RunEvent) => Step | Refused;
  const done = handle(state, event);
  if ("refused" in done) return done;
  return {
    state: done.state,
    effects: inOrder([...done.effects, ...stateNews(state, done.state, event)]),
  };
}

/** Whoever looks on is told of every change of what can be seen, and of nothing else. */
function stateNews(before: RunState, after: RunState, event: RunEvent): RunEffect[] {
  const base = { session_id: after.session_id, at: event.at };
  const status = statusOf(after);
  const news: RunEffect[] = [];
  if (JSON.stringify(statusOf(before)) !== JSON.stringify(status)) {
    news.push({ type: "publish-status", event: { type: "status-changed", ...base, status } });
  }
  if (event.type === "edited" || isQueueChanged(before, after)) {
    news.push({ type: "publish-queue", event: { type: "queue-changed", ...base } });
  }
  return news;
}

function isQueueChanged(before: RunState, after: RunState): boolean {
  const [was, is] = [queueOf(before), queueOf(after)];
  return (
    was.entries !== is.entries || was.paused !== is.paused || was.stop_policy !== is.stop_policy
  );
}
