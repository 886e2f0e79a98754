/**
 * The chunks of the turn that runs in a session, from its first to its last, whatever happens to
 * the connection on the way. The server replays from the first chunk; what was heard is left out.
 * Where the turn ended meanwhile, its stored answer gives the rest.
 */
import type { SessionId, UiChunk } from "@galley/parts";
import type { Call } from "./call.ts";
import { createHeard, type Heard } from "./catch-up.ts";
import { ClientError, isLost } from "./client-error.ts";
import { createPlace, type Place } from "./place.ts";
import type { StoredAnswer } from "./replay.ts";
import { pathOf } from "./session-calls.ts";
import { dataOf } from "./sse.ts";
import { type Tries, tries } from "./tries.ts";

export type Following = {
  readonly session: SessionId;
  readonly signal?: AbortSignal | undefined;
  /** Whether the answer that a stream begins with is the one that is meant; any, when absent. */
  readonly isMeant?: (answerId: string | undefined) => Promise<boolean>;
  /** Where the answer is found when its stream is gone. */
  readonly find: (heard: Heard) => Promise<StoredAnswer | undefined>;
};

/** `nothing`: no such turn ran, and nothing was said. */
export type Followed = "ended" | "nothing";

type Thread = {
  readonly call: Call;
  readonly following: Following;
  readonly place: Place;
  readonly heard: Heard;
  readonly tries: Tries;
  began: boolean;
};

export async function* followTurn(
  call: Call,
  following: Following,
): AsyncGenerator<UiChunk, Followed, undefined> {
  const thread: Thread = {
    call,
    following,
    place: createPlace(),
    heard: createHeard(),
    tries: tries(following.signal),
    began: false,
  };
  for (;;) {
    try {
      if ((yield* once(thread)) === "done") return "ended";
      if (!thread.began) return "nothing";
      const answer = await following.find(thread.heard);
      if (answer) yield* thread.heard.missing(answer);
      return "ended";
    } catch (error) {
      if (!isLost(error)) throw error;
      await thread.tries.again(error);
    }
  }
}

/** One connection. `gone`: the turn that is meant does not run. */
async function* once(thread: Thread): AsyncGenerator<UiChunk, "done" | "gone", undefined> {
  const { call, place, heard } = thread;
  const { session, signal } = thread.following;
  const response = await call.open("GET", pathOf(session, "/stream"), { signal });
  if (response.status === 204) return "gone";
  let isFirst = true;
  place.replay();
  for await (const data of dataOf(response, signal)) {
    if (data === "[DONE]") return isFirst ? "gone" : "done";
    const chunk = readChunk(data, response.url);
    if (isFirst && !(await isSame(chunk, thread))) return "gone";
    isFirst = false;
    thread.began = true;
    thread.tries.worked();
    const fresh = place.fresh(chunk);
    if (fresh === undefined) continue;
    heard.note(fresh);
    yield fresh;
  }
  const reason = "it stopped without its last line";
  throw ClientError.make("cut", { url: response.url, reason });
}

/** A turn is known by the answer with which its stream begins. */
async function isSame(first: UiChunk, { began, heard, following }: Thread): Promise<boolean> {
  const answerId = first.type === "start" ? first.messageId : undefined;
  if (began) return answerId === heard.answerId();
  return following.isMeant === undefined || following.isMeant(answerId);
}

function readChunk(data: string, url: string): UiChunk {
  try {
    // Chunks of a kind that this client does not know are handed on as they came.
    return JSON.parse(data) as UiChunk;
  } catch (error) {
    const reason = "an event of its stream is not JSON";
    throw ClientError.make("not_ours", { url, reason }, { cause: error });
  }
}
