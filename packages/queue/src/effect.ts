/**
 * What is to be done about an event: orders, each idempotent by the ids it carries. A row is
 * written in the event's own transaction; what reaches outside is performed after its commit.
 * `fire` and `continue` are both: the claim is a row, and only a committed claim starts a turn.
 */
import type { HostEvent, MessageId } from "@galley/parts";
import type { QueueEntry, StopPolicy } from "./run-state.ts";

/** Why the drain is paused, kept on the session so that a restart does not undo it. */
export type Pause =
  | { readonly reason: "hold"; readonly at: number }
  | {
      readonly reason: "error";
      readonly message: string;
      readonly message_id: MessageId | null;
      readonly turn_id: string | null;
      readonly at: number;
    };

/** How a segment ended; `blocked` leaves the turn open, `restart` found it running and dead. */
export type Ending = "finish" | "abort" | "error" | "blocked" | "restart";

export type RunEffect =
  | {
      readonly type: "fire";
      readonly message_id: MessageId;
      readonly turn_id: string;
      readonly segment: 0;
      /** The failed turn whose partial answer this one takes the place of. */
      readonly retry_of: string | null;
      readonly at: number;
    }
  | {
      readonly type: "continue";
      readonly message_id: MessageId;
      readonly turn_id: string;
      readonly segment: number;
      readonly tool_call_ids: readonly string[];
      readonly at: number;
    }
  | { readonly type: "persist-queued"; readonly entry: QueueEntry }
  | { readonly type: "unqueue"; readonly message_id: MessageId; readonly at: number }
  /** Only the entries whose order key changed. */
  | { readonly type: "reorder"; readonly entries: readonly QueueEntry[] }
  | {
      readonly type: "close-turn";
      readonly message_id: MessageId;
      readonly turn_id: string;
      readonly segment: number;
      readonly ending: Ending;
      readonly at: number;
    }
  | {
      readonly type: "settle-interaction";
      readonly tool_call_id: string;
      readonly how: "answered" | "dismissed";
      readonly at: number;
    }
  | { readonly type: "set-pause"; readonly pause: Pause }
  | { readonly type: "clear-pause" }
  | { readonly type: "set-policy"; readonly stop_policy: StopPolicy }
  | { readonly type: "abort-turn"; readonly turn_id: string; readonly segment: number }
  | { readonly type: "start-compaction"; readonly operation_id: string; readonly at: number }
  | { readonly type: "abort-compaction"; readonly operation_id: string }
  | { readonly type: "publish-event"; readonly event: HostEvent }
  | { readonly type: "publish-status"; readonly event: HostEvent }
  | { readonly type: "publish-queue"; readonly event: HostEvent };

type Reach = { readonly row: boolean; readonly outside: boolean; readonly rank: number };

const ROW = { row: true, outside: false, rank: 0 } as const;
const NEWS = { row: false, outside: true, rank: 1 } as const;
const STATE_NEWS = { row: false, outside: true, rank: 2 } as const;
const ORDER = { row: false, outside: true, rank: 3 } as const;
const CLAIM = { row: true, outside: true, rank: 3 } as const;

/** By rank: rows, then the news, then what starts or stops work, so that no chunk outruns its turn. */
const REACH = {
  fire: CLAIM,
  continue: CLAIM,
  "persist-queued": ROW,
  unqueue: ROW,
  reorder: ROW,
  "close-turn": ROW,
  "settle-interaction": ROW,
  "set-pause": ROW,
  "clear-pause": ROW,
  "set-policy": ROW,
  "abort-turn": ORDER,
  "start-compaction": ORDER,
  "abort-compaction": ORDER,
  "publish-event": NEWS,
  "publish-status": STATE_NEWS,
  "publish-queue": STATE_NEWS,
} as const satisfies { readonly [T in RunEffect["type"]]: Reach };

type TypeWith<K extends "row" | "outside"> = {
  [T in RunEffect["type"]]: (typeof REACH)[T][K] extends true ? T : never;
}[RunEffect["type"]];

export type RowEffect = Extract<RunEffect, { readonly type: TypeWith<"row"> }>;
export type OutsideEffect = Extract<RunEffect, { readonly type: TypeWith<"outside"> }>;

export const isRow = (effect: RunEffect): effect is RowEffect => REACH[effect.type].row;
export const isOutside = (effect: RunEffect): effect is OutsideEffect => REACH[effect.type].outside;

/** Stable: two effects of one rank keep the order in which they were decided. */
export const inOrder = (effects: readonly RunEffect[]): readonly RunEffect[] =>
  effects.toSorted((a, b) => REACH[a.type].rank - REACH[b.type].rank);
