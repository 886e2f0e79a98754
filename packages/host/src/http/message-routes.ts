/** The messages of a session: handed in, read back, and the running answer as it grows. */
import { UiChunk } from "@galley/parts";
import type { HistoryQuery } from "@galley/persist";
import { checked, checkedQuery, inputOf } from "./requests.ts";
import type { Route } from "./route.ts";
import { jsonText, listJson, MessagesAnswer, SubmittedAnswer } from "./session-answers.ts";
import { bodyOf, JSON_TYPE, type SessionDeps } from "./session-deps.ts";
import { isSet, MessagesQuery, SubmitRequest } from "./session-requests.ts";
import { messageIn, sessionIdOf, sessionOf } from "./session-scope.ts";
import { wholeTurn } from "./whole-turn.ts";

export const messageRoutes = (deps: SessionDeps): readonly Route[] => [
  {
    method: "POST",
    path: "/v1/sessions/:id/messages",
    id: "submit",
    summary: "Hands a message in: it is stored, and fires now or when its turn comes",
    takes: SubmitRequest,
    answers: { says: "It is taken", type: JSON_TYPE, schema: SubmittedAnswer, status: 202 },
    refuses: [404, 409, 503, 507],
    async handle(c) {
      const id = sessionIdOf(c);
      const payload = checked(SubmitRequest, await bodyOf(c, deps));
      const { id: message_id, model, ...words } = payload;
      const submitted = await deps.backend.submit(id, {
        input: inputOf(words),
        payload,
        ...(message_id !== undefined && { id: message_id }),
        ...(model !== undefined && { model }),
      });
      return Response.json(submitted, { status: 202 });
    },
  },
  {
    method: "GET",
    path: "/v1/sessions/:id/messages",
    id: "listMessages",
    summary: "Messages with their parts, in the order in which they fired",
    query: MessagesQuery,
    answers: { says: "The messages", type: JSON_TYPE, schema: MessagesAnswer },
    refuses: [404],
    async handle(c) {
      const { id } = await sessionOf(c, deps.backend);
      const { after, last, include_hidden } = checkedQuery(MessagesQuery, c.req.query());
      const start = after === undefined ? undefined : await messageIn(id, after, deps.backend);
      const query: HistoryQuery = {
        include_hidden: isSet(include_hidden),
        // After a message that still waits there is nothing yet.
        ...(start && { after_seq: start.message.seq ?? Number.MAX_SAFE_INTEGER }),
        ...(last !== undefined && { last: Number(last) }),
      };
      const messages = await deps.backend.store.messages.history(id, query);
      return jsonText(`{"messages":${listJson(messages)}}`);
    },
  },
  {
    method: "GET",
    path: "/v1/sessions/:id/stream",
    id: "stream",
    summary: "The running turn from its first chunk, then as it grows; leaving does not end it",
    answers: {
      says: "One UI message chunk a `data:` line, and `data: [DONE]` at the end",
      type: "text/event-stream",
      schema: UiChunk,
      orNothing: "Nothing runs",
    },
    refuses: [404, 503],
    async handle(c) {
      const { id } = await sessionOf(c, deps.backend);
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
];
