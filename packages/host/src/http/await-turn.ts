/**
 * The answer to one message as a stream: its turn, however long the message still waits for it; or
 * what is stored, when the turn was over before anybody looked.
 */
import { isGalleyError, type MessageId, type SessionId } from "@galley/parts";
import type { MessageWithParts, StoredMessage } from "@galley/persist";
import type { LiveTurn } from "@galley/turn";
import type { SessionBackend } from "./session-backend.ts";
import type { SessionDeps } from "./session-deps.ts";
import type { SseSource } from "./sse-hub.ts";
import { chunkSource, laterSource } from "./sse-source.ts";
import { answerChunks, type WireChunk } from "./stored-answer.ts";
import { segment } from "./whole-turn.ts";

export interface TurnWatch {
  /** `has`: the client holds the beginning of this answer, so what is stored is not said again. */
  source(options?: { readonly has?: MessageId }): SseSource;
  /** For when there is nothing to follow after all. */
  stop(): void;
}

/** Begun before a message is handed in, so that no turn is too short to be seen. */
export function watchTurn(session: SessionId, message_id: MessageId, deps: SessionDeps): TurnWatch {
  const { live } = deps.backend;
  let turn: LiveTurn | undefined;
  let wake = () => {};
  const look = () => {
    const running = live.live(session);
    if (running?.message_id === message_id) turn ??= running;
  };
  const stop = live.listen((event) => {
    if (event.session_id !== session) return;
    look();
    wake();
  });

  async function find(has: MessageId | undefined, left: AbortSignal): Promise<SseSource> {
    while (!left.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      look();
      const over = turn ? undefined : await wordsIfOver(session, message_id, has, deps.backend);
      if (turn) return segment(turn, deps);
      if (over) return chunkSource(over);
      await promise;
    }
    return chunkSource([]);
  }

  return {
    stop,
    source: ({ has } = {}) =>
      laterSource(async (left) => {
        left.addEventListener("abort", () => wake(), { once: true });
        try {
          return await find(has, left);
        } catch (error) {
          if (!isGalleyError(error)) deps.report(error);
          return chunkSource([{ type: "error", errorText: said(error) }]);
        } finally {
          stop();
        }
      }, deps.isClosing),
  };
}

const said = (error: unknown): string =>
  isGalleyError(error) ? error.message : "Something broke inside Galley.";

/** Nothing while the message waits or its turn is about to be seen running. */
async function wordsIfOver(
  session: SessionId,
  message_id: MessageId,
  has: MessageId | undefined,
  { live, store }: SessionBackend,
): Promise<readonly WireChunk[] | undefined> {
  const found = await store.messages.get(message_id);
  if (found === undefined) {
    return [{ type: "start" }, { type: "abort", reason: "the session was deleted" }];
  }
  if (found.message.canceled_at !== null) {
    return [{ type: "start" }, { type: "abort", reason: "the message was cancelled" }];
  }
  if (found.message.seq === null) return undefined;
  const status = await live.status(session);
  const runs = status.state === "busy" || status.state === "retrying";
  if (runs && (status.message_id ?? message_id) === message_id) return undefined;
  if (has !== undefined) return [{ type: "start", messageId: has }, { type: "finish" }];
  const answers = await answersTo(session, found.message, store);
  if (answers.length > 0) return answers.flatMap(answerChunks);
  const failed = status.state === "error" && status.message_id === message_id;
  const errorText = status.message ?? "the turn failed";
  return [{ type: "start" }, failed ? { type: "error", errorText } : { type: "finish" }];
}

/** By what they say they answer: other messages may have been recorded meanwhile. */
async function answersTo(
  session: SessionId,
  { id, seq }: StoredMessage,
  store: SessionBackend["store"],
): Promise<readonly MessageWithParts[]> {
  const later = await store.messages.history(session, { after_seq: seq ?? 0 });
  return later.filter(({ message }) => answeredBy(message) === id);
}

/** The user message that an answer answers. */
export function answeredBy({ role, metadata_json }: StoredMessage): MessageId | undefined {
  if (role !== "assistant") return undefined;
  return (JSON.parse(metadata_json) as { in_reply_to?: MessageId }).in_reply_to;
}
