/**
 * What can happen to a session: facts, in the past tense. Requests come from people and triggers
 * and may be refused; reports come from the turn and the host, and one that does not fit is a bug.
 */
import type { MessageId } from "@galley/parts";
import type { Interaction, Origin, StopPolicy } from "./run-state.ts";

/** The clock and the next turn's id come in with the event: the reducer has neither. */
export type Stamp = {
  /** Epoch ms. */
  readonly at: number;
  /** Taken if this event starts a turn; unused otherwise. */
  readonly next_turn_id: string;
};

/** What the store knows of a submitted id: a client may send the same message twice. */
export type Admission = "new" | "same" | "conflict" | "cancelled";

/** What the store knows of an id that is not in the queue. */
export type Fate = "fired" | "cancelled" | "unknown";

type Segment = { readonly turn_id: string; readonly segment: number };

export type Request =
  | {
      readonly type: "submitted";
      readonly message_id: MessageId;
      readonly origin: Origin;
      readonly admission: Admission;
    }
  | { readonly type: "cancelled"; readonly message_id: MessageId; readonly fate: Fate }
  /** The parts of the row were replaced; its place was not. */
  | { readonly type: "edited"; readonly message_id: MessageId; readonly fate: Fate }
  | {
      readonly type: "moved";
      readonly message_id: MessageId;
      readonly side: "before" | "after";
      readonly other_id: MessageId;
      readonly fate: Fate;
    }
  /** `clear_queue` overrides the policy for this one stop; null leaves it to the policy. */
  | { readonly type: "stopped"; readonly clear_queue: boolean | null }
  | { readonly type: "answered"; readonly tool_call_id: string }
  | { readonly type: "dismissed"; readonly tool_call_id: string }
  /** null: the message that failed. An id: a message kept by a rewind, to be sent again. */
  | { readonly type: "retried"; readonly message_id: MessageId | null }
  | { readonly type: "resumed" }
  | { readonly type: "compaction-started"; readonly operation_id: string }
  | { readonly type: "leased"; readonly holder: string }
  | { readonly type: "policy-changed"; readonly stop_policy: StopPolicy };

export type Report =
  | ({ readonly type: "turn-finished"; readonly reason: "finish" | "abort" } & Segment)
  | ({ readonly type: "turn-blocked"; readonly open: readonly Interaction[] } & Segment)
  | ({ readonly type: "turn-failed"; readonly message: string } & Segment)
  | ({
      readonly type: "retry-scheduled";
      readonly attempt: number;
      readonly message: string;
      readonly until: number;
    } & Segment)
  | ({ readonly type: "retry-due" } & Segment)
  | { readonly type: "compaction-ended"; readonly operation_id: string }
  | {
      readonly type: "compaction-failed";
      readonly operation_id: string;
      readonly message: string;
    }
  | { readonly type: "compaction-aborted"; readonly operation_id: string }
  | { readonly type: "released"; readonly holder: string }
  /** The host came up again; `open` are the interactions that the store holds. */
  | { readonly type: "restarted"; readonly open: readonly Interaction[] };

export type Happening = Request | Report;

export type RunEvent = Happening & Stamp;

export type EventOf<T extends Happening["type"]> = Extract<Happening, { readonly type: T }> & Stamp;
