/** What others may see of a run state. Reading never starts work: these return data, not effects. */
import type { MessageId, SessionStatus } from "@galley/parts";
import {
  failureOf,
  isSlotFree,
  type QueueEntry,
  type RunState,
  type StopPolicy,
} from "./run-state.ts";

export type QueueView = {
  readonly entries: readonly QueueEntry[];
  /** Why the next one does not fire by itself; a status of `idle` cannot tell. */
  readonly paused: "hold" | "error" | null;
  readonly stop_policy: StopPolicy;
};

export type Disposition =
  | { readonly disposition: "fired" }
  /** 1: the next to fire. */
  | { readonly disposition: "queued"; readonly position: number };

export function statusOf({ phase }: RunState): SessionStatus {
  switch (phase.status) {
    case "idle":
      return { state: "idle" };
    case "busy": {
      const { message_id, segment, started_at } = phase.turn;
      return { state: "busy", started_at, ...(segment === 0 ? { message_id } : {}) };
    }
    case "compacting":
      return { state: "busy", operation: "compaction", started_at: phase.started_at };
    case "retrying": {
      const { turn, attempt, message, until } = phase;
      return { state: "retrying", attempt, message, started_at: turn.started_at, until };
    }
    case "waiting": {
      // Where both kinds are open, the approval is shown: the queue waits either way.
      const approval = phase.open.some(({ kind }) => kind === "approval");
      return { state: approval ? "waiting_on_approval" : "waiting_on_user_input" };
    }
    case "error": {
      const { message, message_id } = phase;
      return { state: "error", message, ...(message_id === null ? {} : { message_id }) };
    }
  }
}

export function queueOf(state: RunState): QueueView {
  const { queue: entries, held, stop_policy } = state;
  const paused = held ? "hold" : failureOf(state) === undefined ? null : "error";
  return { entries, paused, stop_policy };
}

/** What became of an admitted message: in the queue it waits, anywhere else it has fired. */
export function dispositionOf(state: RunState, message_id: MessageId): Disposition {
  const index = state.queue.findIndex(({ id }) => id === message_id);
  return index < 0 ? { disposition: "fired" } : { disposition: "queued", position: index + 1 };
}

/** From any message. A sidecar from the last settled message needs no free slot and asks nobody. */
export const mayFork = (state: RunState): boolean => isSlotFree(state);

/** Queued messages would never fire, and nobody would see them wait. */
export const mayArchive = (state: RunState): boolean =>
  isSlotFree(state) && state.queue.length === 0;
