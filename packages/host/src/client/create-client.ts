/**
 * The HTTP API as typed calls, for Node and browsers alike. A call is one request and fails with a
 * `client.*` error; `stream`, `follow`, `prompt` and `events` outlive their connection.
 */
import type { HostEvent, MessageId, SessionId, UiChunk } from "@galley/parts";
import { type Call, type ClientInput, caller } from "./call.ts";
import type { Heard } from "./catch-up.ts";
import { followEvents } from "./follow-events.ts";
import { followMessage, storedAnswer, type Watched } from "./follow-message.ts";
import { followTurn } from "./follow-turn.ts";
import { type PromptOptions, promptMessage, submitSurely } from "./prompt.ts";
import { blobCalls, pipelineCalls, recordCalls } from "./record-calls.ts";
import { branchCalls, messageCalls, queueCalls, runCalls, sessionCalls } from "./session-calls.ts";

export type Client = ReturnType<typeof createClient>;

export function createClient(input: ClientInput) {
  const call = caller(input);
  const sessions = sessionCalls(call);
  const messages = messageCalls(call);
  const queue = queueCalls(call);
  const blobs = blobCalls(call);
  const running = followCalls(call);
  return {
    sessions,
    messages,
    queue,
    blobs,
    ...runCalls(call),
    ...branchCalls(call),
    ...running,
    ...recordCalls(call),
    ...pipelineCalls(call),
    /** Submits the message and gives the chunks of its own turn, also when that comes later. */
    async *prompt(
      session: SessionId,
      text: string,
      options: PromptOptions = {},
    ): AsyncGenerator<UiChunk, void, undefined> {
      const { signal, onSubmitted } = options;
      const message = promptMessage(text, options);
      const submit = () => messages.submit(session, message, signal);
      const submitted = await submitSurely(submit, signal);
      onSubmitted?.(submitted);
      if (submitted.disposition === "settled") return;
      const fired = submitted.disposition === "fired";
      yield* running.follow(session, submitted.message_id, { signal, fired });
    },
  };
}

function followCalls(call: Call) {
  const { status } = runCalls(call);
  const { list } = messageCalls(call);
  const calls = {
    status,
    queue: queueCalls(call).list,
    messages: (session: SessionId, signal?: AbortSignal) => list(session, { signal }),
  };
  return {
    /** The turn that runs, from its first chunk; nothing when none does. */
    async *stream(
      session: SessionId,
      signal?: AbortSignal,
    ): AsyncGenerator<UiChunk, void, undefined> {
      const find = async (heard: Heard) => {
        const all = await calls.messages(session, signal);
        const answer = all.find(({ id }) => id === heard.answerId());
        return answer && storedAnswer(answer);
      };
      yield* followTurn(call, { session, signal, find });
    },
    /** The turn that answers this message: now, in its time, or off the store. */
    follow: (
      session: SessionId,
      message: MessageId,
      options: Pick<Watched, "fired" | "signal"> = {},
    ) => followMessage(call, calls, { session, message, ...options }),
    /** Events of every session from now on; first, the status of those that are not idle. */
    async *events(signal?: AbortSignal): AsyncGenerator<HostEvent, void, undefined> {
      for await (const pulse of followEvents(call, { signal })) {
        if (pulse.type !== "connected") yield pulse;
      }
    },
  };
}
