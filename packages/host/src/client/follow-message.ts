/**
 * The chunks of the turn that answers one message, from its first to its last: now, when its time
 * in the queue comes, or off the store when it is over already.
 *
 * A turn that waits for a person ends here too; after the answer, the running turn goes on under
 * the same message. Leaving early ends nothing: the turn runs on.
 */
import type { MessageId, SessionId, UiChunk } from "@galley/parts";
import type { MessageAnswer, QueueAnswer, StatusAnswer } from "./answers.ts";
import type { Call } from "./call.ts";
import { ClientError } from "./client-error.ts";
import { followEvents, type Pulse } from "./follow-events.ts";
import { followTurn } from "./follow-turn.ts";
import { replayAnswer, type StoredAnswer } from "./replay.ts";

/** The calls of a session that following needs. */
export interface SessionCalls {
  status(session: SessionId, signal?: AbortSignal): Promise<StatusAnswer>;
  queue(session: SessionId, signal?: AbortSignal): Promise<QueueAnswer>;
  messages(session: SessionId, signal?: AbortSignal): Promise<readonly MessageAnswer[]>;
}

export type Watched = {
  readonly session: SessionId;
  readonly message: MessageId;
  /** Whether it is known to have left the queue. */
  readonly fired?: boolean;
  readonly signal?: AbortSignal | undefined;
};

export async function* followMessage(
  call: Call,
  calls: SessionCalls,
  watched: Watched,
): AsyncGenerator<UiChunk, void, undefined> {
  const { session, message, signal, fired } = watched;
  const following = {
    session,
    signal,
    find: () => answerTo(calls, watched),
    isMeant: async (answerId: string | undefined) =>
      // A turn that has fired and still runs is the one that runs; one that ended left its answer.
      (await answering(calls, watched)) === message ||
      (await answerTo(calls, watched))?.id === answerId,
  };
  if (fired && (yield* followTurn(call, following)) === "ended") return;
  const leaving = new AbortController();
  const either = AbortSignal.any(signal ? [leaving.signal, signal] : [leaving.signal]);
  const pulses = followEvents(call, { session_id: session, signal: either });
  try {
    for await (const pulse of pulses) {
      if (!concerns(pulse, message)) continue;
      const place = await placeOf(calls, watched);
      if (place === "queued") continue;
      if (place === "running" && (yield* followTurn(call, following)) === "ended") return;
      // It runs and has nothing to say yet, or was over while it was looked for.
      if (place === "running" && (await placeOf(calls, watched)) === "running") continue;
      return yield* fromStore(calls, watched);
    }
  } finally {
    leaving.abort();
    await pulses.return();
  }
}

/** The first look comes after the events are open, so that nothing is missed in between. */
function concerns(pulse: Pulse, message: MessageId): boolean {
  if (pulse.type !== "turn-started" && pulse.type !== "turn-finished") return true;
  return pulse.message_id === undefined || pulse.message_id === message;
}

async function placeOf(
  calls: SessionCalls,
  watched: Watched,
): Promise<"queued" | "running" | "over"> {
  const { session, message, signal } = watched;
  const { entries } = await calls.queue(session, signal);
  if (entries.some((entry) => entry.id === message)) return "queued";
  return (await answering(calls, watched)) === message ? "running" : "over";
}

/** The message whose turn runs, if one does. */
async function answering(
  calls: SessionCalls,
  { session, signal }: Watched,
): Promise<MessageId | undefined> {
  const { state, message_id, operation } = await calls.status(session, signal);
  if (operation !== undefined || (state !== "busy" && state !== "retrying")) return undefined;
  if (message_id !== undefined) return message_id;
  // Messages get their place when they fire: the last one is the one that runs.
  const messages = await calls.messages(session, signal);
  return messages.findLast(hasTurn)?.id;
}

const hasTurn = ({ role, disposition }: MessageAnswer): boolean =>
  role === "user" && disposition !== "settled";

export type LastTurn = {
  readonly message_id: MessageId;
  readonly fired: true;
  /** Undefined while nothing was said to it. */
  readonly answer: StoredAnswer | undefined;
};

/** The turn that fired last, whether it runs, waits or is over. */
export function lastTurn(messages: readonly MessageAnswer[]): LastTurn | undefined {
  const message = messages.findLast(hasTurn);
  return message && { message_id: message.id, fired: true, answer: answerIn(messages, message.id) };
}

async function answerTo(
  calls: SessionCalls,
  { session, message, signal }: Watched,
): Promise<StoredAnswer | undefined> {
  return answerIn(await calls.messages(session, signal), message);
}

function answerIn(
  messages: readonly MessageAnswer[],
  message: MessageId,
): StoredAnswer | undefined {
  const asked = messages.findIndex(({ id }) => id === message);
  if (asked < 0) throw ClientError.make("gone", { message_id: message });
  const rest = messages.slice(asked + 1);
  const next = rest.find((each) => each.role === "assistant" || hasTurn(each));
  return next?.role === "assistant" ? storedAnswer(next) : undefined;
}

export const storedAnswer = ({ id, parts, metadata }: MessageAnswer): StoredAnswer => ({
  id,
  // The rows of an answer hold what the recorder folded.
  parts: parts as StoredAnswer["parts"],
  metadata,
});

async function* fromStore(
  calls: SessionCalls,
  watched: Watched,
): AsyncGenerator<UiChunk, void, undefined> {
  const answer = await answerTo(calls, watched);
  const chunks = answer === undefined ? [] : replayAnswer(answer);
  yield* chunks;
  if (chunks.some(({ type }) => type === "error")) return;
  // A turn that failed before the first word left nothing but the session's state.
  const { state, message_id, message } = await calls.status(watched.session, watched.signal);
  if (state !== "error" || message_id !== watched.message) return;
  yield { type: "error", errorText: message ?? "the turn failed" };
}
