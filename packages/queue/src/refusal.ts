/** What a request may be told instead of being done, and the one way in which a report is a bug. */
import { defineErrors, type MessageId } from "@galley/parts";
import type { Happening } from "./event.ts";
import type { Phase, RunState } from "./run-state.ts";

/** Values, because a caller must handle them: the session is as it was. */
export type Refusal =
  /** The id is known with another payload. */
  | { readonly code: "conflict"; readonly message_id: MessageId }
  | { readonly code: "already-cancelled"; readonly message_id: MessageId }
  | { readonly code: "already-fired"; readonly message_id: MessageId }
  | { readonly code: "not-queued"; readonly message_id: MessageId }
  /** A queued message cannot be sent again: it has not been sent yet. */
  | { readonly code: "still-queued"; readonly message_id: MessageId }
  | { readonly code: "no-such-interaction"; readonly tool_call_id: string }
  | { readonly code: "nothing-running" }
  | { readonly code: "nothing-to-retry" }
  | { readonly code: "not-paused" }
  /** Something has the slot: a turn, a compaction, a person's answer, or a lease. */
  | { readonly code: "busy"; readonly status: Phase["status"]; readonly lease: string | null };

export type Refused = { readonly refused: Refusal };

export const refuse = (refused: Refusal): Refused => ({ refused });

export const refuseBusy = ({ phase, lease }: RunState): Refused =>
  refuse({ code: "busy", status: phase.status, lease });

export const QueueError = defineErrors("queue", {
  "out-of-place": (data: {
    readonly event: Happening["type"];
    readonly status: Phase["status"];
    readonly why: string;
  }) => `"${data.event}" cannot happen while ${data.status}: ${data.why}`,
  /** Only to undo a transaction; the driver turns it back into the value. */
  refused: (data: Refusal) => `refused: ${data.code}`,
});

export function outOfPlace(state: RunState, event: Happening, why: string): never {
  throw QueueError.make("out-of-place", { event: event.type, status: state.phase.status, why });
}
