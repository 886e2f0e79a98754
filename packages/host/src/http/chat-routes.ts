/**
 * The AI SDK's default transport, spoken to a session: an unmodified `useChat` works. A chat is the
 * session of its id, made when it first says something. Leaving the stream ends nothing; coming
 * back finds it from its first chunk.
 */
import { type MessageId, type SessionId, UiChunk } from "@galley/parts";
import { StoreError } from "@galley/persist";
import { TurnError } from "@galley/turn";
import { answeredBy, watchTurn } from "./await-turn.ts";
import { repliesIn } from "./chat-answers.ts";
import { ChatMessages, uiMessage } from "./chat-messages.ts";
import {
  ChatRequest,
  chatInput,
  lastOf,
  messageOfChat,
  sessionOfChat,
  type UiMessage,
} from "./chat-request.ts";
import { HttpError } from "./problem.ts";
import { checked } from "./requests.ts";
import type { Route } from "./route.ts";
import type { SubmitAnswer } from "./session-backend.ts";
import { bodyOf, JSON_TYPE, type SessionDeps } from "./session-deps.ts";
import type { SseSource } from "./sse-hub.ts";
import { after, chunkSource, framesOf } from "./sse-source.ts";
import type { WireChunk } from "./stored-answer.ts";
import { wholeTurn } from "./whole-turn.ts";

const STREAM = {
  says: "UI message chunks as the AI SDK reads them, and `data: [DONE]` at the end",
  type: "text/event-stream",
  schema: UiChunk,
} as const;

export const chatRoutes = (deps: SessionDeps): readonly Route[] => [
  {
    method: "POST",
    path: "/v1/chat",
    id: "chat",
    summary: "The AI SDK's default chat transport: the last message is handed in and answered",
    takes: ChatRequest,
    answers: STREAM,
    refuses: [404, 409, 503, 507],
    async handle(c) {
      const asked = checked(ChatRequest, await bodyOf(c, deps));
      const seat = deps.hub.admit();
      try {
        return seat.serve(c, await answer(asked, deps));
      } finally {
        seat.leave();
      }
    },
  },
  {
    method: "GET",
    path: "/v1/chat/:id/stream",
    id: "resumeChat",
    summary: "The running answer of a chat from its first chunk",
    answers: { ...STREAM, orNothing: "Nothing runs" },
    refuses: [503],
    async handle(c) {
      const id = sessionOfChat(c.req.param("id") ?? "");
      const turn = deps.backend.live.live(id);
      if (turn === undefined) return new Response(null, { status: 204 });
      const seat = deps.hub.admit();
      try {
        return seat.serve(c, await wholeTurn(id, turn, deps));
      } finally {
        seat.leave();
      }
    },
  },
  {
    method: "GET",
    path: "/v1/chat/:id",
    id: "chatMessages",
    summary: "The messages of a chat as the AI SDK's UI messages, to begin a page with",
    answers: { says: "The messages", type: JSON_TYPE, schema: ChatMessages },
    async handle(c) {
      const id = sessionOfChat(c.req.param("id") ?? "");
      const history = await deps.backend.store.messages.history(id);
      return Response.json({ messages: history.map(uiMessage) });
    },
  },
  {
    method: "POST",
    path: "/v1/chat/:id/stop",
    id: "stopChat",
    summary:
      "Ends the answer that runs, which leaving its stream does not; harmless when none does",
    answers: { says: "Nothing runs", status: 204 },
    refuses: [503, 507],
    async handle(c) {
      try {
        await deps.backend.live.abort(sessionOfChat(c.req.param("id") ?? ""));
      } catch (error) {
        const isIdle = TurnError.is(error, "nothing-running") || TurnError.is(error, "no-session");
        if (!isIdle) throw error;
      }
      return new Response(null, { status: 204 });
    },
  },
];

function answer(asked: ChatRequest, deps: SessionDeps): Promise<SseSource> {
  const session = sessionOfChat(asked.id);
  const last = lastOf(asked);
  if (last.role === "assistant") return goOn(session, last, deps);
  if (last.role !== "user") {
    throw HttpError.make("not_an_answer", { reason: "it is the system's" });
  }
  return asked.trigger === "regenerate-message"
    ? again(session, messageOfChat(last.id), deps)
    : submit(session, last, asked, deps);
}

async function submit(
  session: SessionId,
  last: UiMessage,
  { model }: ChatRequest,
  deps: SessionDeps,
): Promise<SseSource> {
  const input = chatInput(last);
  const id = messageOfChat(last.id);
  await begin(session, deps);
  const watch = watchTurn(session, id, deps);
  try {
    const submitted = await deps.backend.submit(session, {
      id,
      input,
      payload: last,
      ...(model !== undefined && { model }),
    });
    const told = framesOf([receipt(submitted)]);
    if (submitted.disposition !== "settled") return after(told, watch.source());
    watch.stop();
    return after(told, chunkSource([{ type: "start" }, { type: "finish" }]));
  } catch (error) {
    watch.stop();
    throw error;
  }
}

/** For the page's `onData`, and kept in no message: whether it waits, and what composing noted. */
const receipt = (data: SubmitAnswer): WireChunk => ({
  type: "data-galley-submitted",
  data,
  transient: true,
});

async function begin(id: SessionId, { backend: { live, store } }: SessionDeps): Promise<void> {
  if (await store.sessions.get(id)) return;
  try {
    await live.create({ id });
  } catch (error) {
    // Two first messages at once: either may have made it.
    if (!StoreError.is(error, "conflict")) throw error;
  }
}

async function again(session: SessionId, id: MessageId, deps: SessionDeps): Promise<SseSource> {
  const watch = watchTurn(session, id, deps);
  try {
    await deps.backend.live.resend(session, id);
    return watch.source();
  } catch (error) {
    watch.stop();
    throw error;
  }
}

async function goOn(session: SessionId, last: UiMessage, deps: SessionDeps): Promise<SseSource> {
  const { backend } = deps;
  if (!(await backend.store.sessions.get(session))) {
    throw TurnError.make("no-session", { id: session });
  }
  const { replies, answer_id } = await repliesIn(last, session, backend);
  const watch = watchTurn(session, await askedBy(answer_id, deps), deps);
  try {
    for (const reply of replies) {
      if (reply.kind === "answer") await backend.live.answer(session, reply.answer);
      else await backend.live.dismiss(session, reply.tool_call_id);
    }
    return watch.source({ has: answer_id });
  } catch (error) {
    watch.stop();
    throw error;
  }
}

async function askedBy(answer_id: MessageId, { backend }: SessionDeps): Promise<MessageId> {
  const found = await backend.store.messages.get(answer_id);
  const asked = found && answeredBy(found.message);
  if (asked === undefined) throw TurnError.make("no-message", { id: answer_id });
  return asked;
}
