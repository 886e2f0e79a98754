/**
 * Which failures of a model call pass by themselves, and how long to wait for that. Pure: chance
 * comes in, and waiting is left to the caller.
 */
import type { TurnLimits } from "./deps.ts";
import { SendError } from "./send.ts";

/** A try that came to nothing, with the sentence that a person reads. */
export type Fault = {
  readonly message: string;
  /** Whether the same bytes may get an answer later. */
  readonly transient: boolean;
  /** As the provider asks; absent when it does not say. */
  readonly retry_after_ms?: number;
};

export type Verdict =
  | { readonly type: "wait"; readonly ms: number }
  | { readonly type: "give-up"; readonly message: string };

/** Overload, time-outs and broken gateways; every other status means these bytes. */
const TRANSIENT = new Set([408, 429, 500, 502, 503, 504, 529]);

/** Of what `send` throws; undefined of anything else, which no second try can mend. */
export function faultOf(error: unknown): Fault | undefined {
  if (SendError.is(error, "unreachable")) return { message: error.message, transient: true };
  if (!SendError.is(error, "refused")) return undefined;
  const { status, retry_after_ms } = error.data;
  return {
    message: error.message,
    transient: TRANSIENT.has(status),
    ...(retry_after_ms !== undefined && { retry_after_ms }),
  };
}

type Pace = Pick<TurnLimits, "attempts" | "backoff_ms" | "longest_backoff_ms">;

/** `attempt`: the one that failed, from 1. `chance`: from 0 to below 1. */
export function afterFault(fault: Fault, attempt: number, pace: Pace, chance: number): Verdict {
  const { message, retry_after_ms } = fault;
  if (!fault.transient) return { type: "give-up", message };
  if (attempt >= pace.attempts) {
    const tried = attempt > 1 ? ` (tried ${attempt} times)` : "";
    return { type: "give-up", message: `${message}${tried}` };
  }
  if (retry_after_ms === undefined) return { type: "wait", ms: backOff(attempt, pace, chance) };
  if (retry_after_ms <= pace.longest_backoff_ms) return { type: "wait", ms: retry_after_ms };
  const seconds = Math.ceil(retry_after_ms / 1000);
  return { type: "give-up", message: `${message} (it asks to wait ${seconds} s)` };
}

/** Half of it is certain, the other half is spread, so that many sessions do not come back at once. */
function backOff(attempt: number, { backoff_ms, longest_backoff_ms }: Pace, chance: number) {
  const whole = Math.min(longest_backoff_ms, backoff_ms * 2 ** (attempt - 1));
  return Math.round(whole / 2 + (whole / 2) * chance);
}
