/** A refusal of the run state, as the error that a caller of a live session is shown. */
import type { Refusal, Refused, Step } from "@galley/queue";
import { TurnError } from "./turn-error.ts";

export function done(result: Step | Refused): Step {
  if ("refused" in result) throw errorOf(result.refused);
  return result;
}

function errorOf(refusal: Refusal): Error {
  switch (refusal.code) {
    case "conflict":
      return TurnError.make("conflict", { id: refusal.message_id });
    case "already-cancelled":
      return TurnError.make("cancelled", { id: refusal.message_id });
    case "already-fired":
    case "not-queued":
    case "still-queued":
      return TurnError.make(refusal.code, { id: refusal.message_id });
    case "no-such-interaction":
      return TurnError.make("no-interaction", { tool_call_id: refusal.tool_call_id });
    case "nothing-running":
    case "nothing-to-retry":
    case "not-paused":
      return TurnError.make(refusal.code, {});
    case "busy":
      return TurnError.make("busy", { what: refusal.lease ?? refusal.status });
  }
}
