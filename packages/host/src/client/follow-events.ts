/**
 * Events of every session, as they happen. After a lost connection it connects again; what happened
 * in between is not told, so a listener is told that there was a gap, and looks for itself.
 */
import type { HostEvent, SessionId } from "@galley/parts";
import type { Call } from "./call.ts";
import { ClientError, isLost } from "./client-error.ts";
import { dataOf } from "./sse.ts";
import { tries } from "./tries.ts";

/** `connected` comes first, and again after each gap. */
export type Pulse = { readonly type: "connected" } | HostEvent;

export type EventsAsked = {
  /** Of one session alone. */
  readonly session_id?: SessionId;
  readonly signal?: AbortSignal | undefined;
};

export async function* followEvents(
  call: Call,
  { signal, ...query }: EventsAsked = {},
): AsyncGenerator<Pulse, void, undefined> {
  const left = tries(signal);
  for (;;) {
    try {
      const response = await call.open("GET", "/v1/events", { query, signal });
      yield { type: "connected" };
      for await (const data of dataOf(response, signal)) {
        left.worked();
        yield readEvent(data, response.url);
      }
      throw ClientError.make("cut", { url: response.url, reason: "the server closed it" });
    } catch (error) {
      if (!isLost(error)) throw error;
      await left.again(error);
    }
  }
}

function readEvent(data: string, url: string): HostEvent {
  try {
    // Kinds that are new are handed on as they came: a listener looks at those it knows.
    return JSON.parse(data) as HostEvent;
  } catch (error) {
    const reason = "an event is not JSON";
    throw ClientError.make("not_ours", { url, reason }, { cause: error });
  }
}
