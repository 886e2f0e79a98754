/** Calls about sessions: one request each. What outlives a connection is elsewhere. */
import type { MessageId, SessionId, UserPart } from "@galley/parts";
import type {
  Answer,
  Fork,
  MessageAnswer,
  MessagesAsked,
  NewMessage,
  NewSession,
  QueueAnswer,
  QueuePlace,
  RewindMode,
  Rewound,
  SessionAnswer,
  SessionChange,
  SessionPage,
  SessionsAsked,
  StatusAnswer,
  SubmitAnswer,
  Unrewound,
} from "./answers.ts";
import type { Call } from "./call.ts";

export const pathOf = (session: SessionId, rest = ""): string =>
  `/v1/sessions/${encodeURIComponent(session)}${rest}`;

const queuePath = (session: SessionId, message: MessageId): string =>
  pathOf(session, `/queue/${encodeURIComponent(message)}`);

export const sessionCalls = (call: Call) => ({
  create: (session: NewSession = {}) =>
    call.json<SessionAnswer>("POST", "/v1/sessions", { body: session }),
  /** A page, the most recently used first. */
  list: (asked: SessionsAsked = {}) =>
    call.json<SessionPage>("GET", "/v1/sessions", { query: asked }),
  get: (session: SessionId) => call.json<SessionAnswer>("GET", pathOf(session)),
  patch: (session: SessionId, change: SessionChange) =>
    call.json<SessionAnswer>("PATCH", pathOf(session), { body: change }),
  async delete(session: SessionId): Promise<void> {
    await call.json("DELETE", pathOf(session));
  },
});

export const messageCalls = (call: Call) => ({
  /** Stored when it resolves. A message with an id of the client's is taken in once. */
  submit: (session: SessionId, message: NewMessage, signal?: AbortSignal) =>
    call.json<SubmitAnswer>("POST", pathOf(session, "/messages"), { body: message, signal }),
  async list(
    session: SessionId,
    { signal, ...query }: MessagesAsked & { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<readonly MessageAnswer[]> {
    const path = pathOf(session, "/messages");
    const page = await call.json<{ messages: MessageAnswer[] }>("GET", path, { query, signal });
    return page.messages;
  },
});

export const queueCalls = (call: Call) => ({
  list: (session: SessionId, signal?: AbortSignal) =>
    call.json<QueueAnswer>("GET", pathOf(session, "/queue"), { signal }),
  async cancel(session: SessionId, message: MessageId): Promise<void> {
    await call.json("DELETE", queuePath(session, message));
  },
  /** Other parts, the same place. */
  async edit(session: SessionId, message: MessageId, parts: readonly UserPart[]): Promise<void> {
    await call.json("PATCH", queuePath(session, message), { body: { parts } });
  },
  async move(session: SessionId, message: MessageId, place: QueuePlace): Promise<void> {
    await call.json("PATCH", queuePath(session, message), { body: place });
  },
});

/** Back to an earlier message, and into a copy. */
export const branchCalls = (call: Call) => ({
  rewind: (session: SessionId, to_message_id: MessageId, mode: RewindMode) =>
    call.json<Rewound>("POST", pathOf(session, "/rewind"), { body: { to_message_id, mode } }),
  /** The latest rewind, or the named one. */
  unrewind: (session: SessionId, rewind_id?: string) =>
    call.json<Unrewound>("POST", pathOf(session, "/unrewind"), {
      body: rewind_id === undefined ? {} : { rewind_id },
    }),
  /** `metadata: { ephemeral: true }` makes a sidecar. */
  fork: (session: SessionId, fork: Fork = {}) =>
    call.json<SessionAnswer>("POST", pathOf(session, "/fork"), { body: fork }),
  promote: (session: SessionId) =>
    call.json<SessionAnswer>("POST", pathOf(session, "/promote"), { body: {} }),
});

/** What runs in a session, and what it waits for. */
export const runCalls = (call: Call) => ({
  status: (session: SessionId, signal?: AbortSignal) =>
    call.json<StatusAnswer>("GET", pathOf(session, "/status"), { signal }),
  async abort(session: SessionId, options: { clear_queue?: boolean } = {}): Promise<void> {
    await call.json("POST", pathOf(session, "/abort"), { body: options });
  },
  /** The failed message again. */
  retry: (session: SessionId) =>
    call.json<SubmitAnswer>("POST", pathOf(session, "/retry"), { body: {} }),
  /** The queue goes on after a failure or a stop that held it. */
  async resume(session: SessionId): Promise<void> {
    await call.json("POST", pathOf(session, "/resume"), { body: {} });
  },
  /** An approval or a question; the turn goes on. */
  async answer(session: SessionId, answer: Answer): Promise<void> {
    await call.json("POST", pathOf(session, "/answers"), { body: answer });
  },
  async dismiss(session: SessionId, tool_call_id: string): Promise<void> {
    await call.json("POST", pathOf(session, "/dismiss"), { body: { tool_call_id } });
  },
});
