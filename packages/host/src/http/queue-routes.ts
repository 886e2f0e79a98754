/** The messages that wait in a session: listed, changed, moved and cancelled. */
import type { MessageId, SessionId, UserPart } from "@galley/parts";
import type { Context } from "hono";
import { checked } from "./requests.ts";
import type { Env, Route } from "./route.ts";
import { jsonText, QueueAnswer, queueJson } from "./session-answers.ts";
import { bodyOf, JSON_TYPE, type SessionDeps } from "./session-deps.ts";
import { QueuePatch } from "./session-requests.ts";
import { messageIn, sessionIdOf } from "./session-scope.ts";

const QUEUE = { says: "The queue as it is now", type: JSON_TYPE, schema: QueueAnswer } as const;

export function queueRoutes(deps: SessionDeps): readonly Route[] {
  const { live } = deps.backend;
  const queue = async (id: SessionId) => jsonText(queueJson(await live.queue(id)));
  /** A message that nobody knows is told from one that no longer waits. */
  const waiting = async (c: Context<Env>): Promise<[SessionId, MessageId]> => {
    const id = sessionIdOf(c);
    const { message } = await messageIn(id, c.req.param("message_id") ?? "", deps.backend);
    return [id, message.id];
  };
  return [
    {
      method: "GET",
      path: "/v1/sessions/:id/queue",
      id: "queue",
      summary: "What waits, the next to fire first, and why it does not fire by itself",
      answers: QUEUE,
      refuses: [404],
      handle: (c) => queue(sessionIdOf(c)),
    },
    {
      method: "PATCH",
      path: "/v1/sessions/:id/queue/:message_id",
      id: "changeQueued",
      summary: "Gives a waiting message other parts, or another place",
      takes: QueuePatch,
      answers: QUEUE,
      refuses: [404, 409, 503, 507],
      async handle(c) {
        const { parts, before, after } = checked(QueuePatch, await bodyOf(c, deps));
        const [id, message_id] = await waiting(c);
        const neighbour = before ?? after;
        if (neighbour !== undefined) await messageIn(id, neighbour, deps.backend);
        if (parts !== undefined) await live.edit(id, message_id, parts as UserPart[]);
        if (before !== undefined) await live.move(id, message_id, { before });
        if (after !== undefined) await live.move(id, message_id, { after });
        return queue(id);
      },
    },
    {
      method: "DELETE",
      path: "/v1/sessions/:id/queue/:message_id",
      id: "cancelQueued",
      summary: "Cancels a message that waits; it stays cancelled",
      answers: { says: "It will not fire", status: 204 },
      refuses: [404, 409, 503, 507],
      async handle(c) {
        await live.cancel(...(await waiting(c)));
        return new Response(null, { status: 204 });
      },
    },
  ];
}
