/** Sessions: made, listed, looked at, changed and deleted. */
import type { SessionId } from "@galley/parts";
import type { SessionPatch } from "@galley/persist";
import { type NewLiveSession, RESERVED_METADATA, TurnError } from "@galley/turn";
import type { z } from "zod";
import { checked, checkedQuery } from "./requests.ts";
import type { Route } from "./route.ts";
import {
  jsonText,
  SessionAnswer,
  SessionsAnswer,
  sessionAnswer,
  sessionJson,
} from "./session-answers.ts";
import type { SessionBackend } from "./session-backend.ts";
import { bodyOf, JSON_TYPE, optionalBodyOf, type SessionDeps } from "./session-deps.ts";
import { CreateSession, isSet, PatchSession, SessionsQuery } from "./session-requests.ts";
import { sessionIdOf, sessionOf } from "./session-scope.ts";

export const sessionRoutes = (deps: SessionDeps): readonly Route[] => [
  ...oneSession(deps),
  {
    method: "POST",
    path: "/v1/sessions",
    id: "createSession",
    summary: "Begins a session",
    takes: CreateSession,
    takesNothing: true,
    answers: { says: "The session", type: JSON_TYPE, schema: SessionAnswer, status: 201 },
    refuses: [409, 503, 507],
    async handle(c) {
      const asked = checked(CreateSession, await optionalBodyOf(c, deps));
      const row = await deps.backend.live.create(newSession(asked, deps.backend));
      return sessionAnswer(row, 201);
    },
  },
  {
    method: "GET",
    path: "/v1/sessions",
    id: "listSessions",
    summary: "Sessions, the most recently used first, a page at a time",
    query: SessionsQuery,
    answers: { says: "A page of them", type: JSON_TYPE, schema: SessionsAnswer },
    async handle(c) {
      const asked = checkedQuery(SessionsQuery, c.req.query());
      const { sessions, next_cursor } = await deps.backend.store.sessions.list({
        include_archived: isSet(asked.include_archived),
        include_ephemeral: isSet(asked.include_ephemeral),
        ...(asked.parent_id !== undefined && { parent_id: asked.parent_id }),
        ...(asked.workspace !== undefined && { workspace_root: asked.workspace }),
        ...(asked.cursor !== undefined && { cursor: asked.cursor }),
        ...(asked.limit !== undefined && { limit: Number(asked.limit) }),
      });
      const next = next_cursor === undefined ? "" : `,"next_cursor":${JSON.stringify(next_cursor)}`;
      return jsonText(`{"sessions":[${sessions.map(sessionJson).join(",")}]${next}}`);
    },
  },
];

const oneSession = (deps: SessionDeps): readonly Route[] => [
  {
    method: "GET",
    path: "/v1/sessions/:id",
    id: "getSession",
    summary: "One session",
    answers: { says: "The session", type: JSON_TYPE, schema: SessionAnswer },
    refuses: [404],
    handle: async (c) => sessionAnswer(await sessionOf(c, deps.backend)),
  },
  {
    method: "PATCH",
    path: "/v1/sessions/:id",
    id: "patchSession",
    summary: "Changes its title, model, metadata, archive mark or stop policy",
    takes: PatchSession,
    answers: { says: "The session as it is now", type: JSON_TYPE, schema: SessionAnswer },
    refuses: [404, 409, 503, 507],
    async handle(c) {
      const { id } = await sessionOf(c, deps.backend);
      await patch(id, checked(PatchSession, await bodyOf(c, deps)), deps.backend);
      return sessionAnswer(await sessionOf(c, deps.backend));
    },
  },
  {
    method: "DELETE",
    path: "/v1/sessions/:id",
    id: "deleteSession",
    summary: "Stops what runs in it, and deletes it with everything that belongs to it",
    answers: { says: "It is gone", status: 204 },
    refuses: [404, 503, 507],
    async handle(c) {
      const id = sessionIdOf(c);
      await deps.backend.live.delete(id);
      deps.feed.forget(id);
      return new Response(null, { status: 204 });
    },
  },
];

function newSession(
  { model, metadata, ...rest }: z.infer<typeof CreateSession>,
  backend: SessionBackend,
): NewLiveSession {
  return {
    ...rest,
    ...(model !== undefined && { model: backend.modelOf(model) }),
    ...(metadata !== undefined && { metadata }),
  };
}

/** What may be refused comes first, so that a refusal has changed nothing. */
async function patch(
  id: SessionId,
  { archived, stop_policy, ...row }: z.infer<typeof PatchSession>,
  backend: SessionBackend,
): Promise<void> {
  const { live, store } = backend;
  const patched = rowPatch(row, backend);
  if (archived !== undefined) await live.archive(id, archived);
  if (stop_policy !== undefined) await live.setStopPolicy(id, stop_policy);
  if (Object.keys(row).length > 0) await store.sessions.patch(id, patched);
}

type RowFields = Omit<z.infer<typeof PatchSession>, "archived" | "stop_policy">;

function rowPatch({ title, model, metadata }: RowFields, backend: SessionBackend): SessionPatch {
  if (metadata !== undefined) checkKeys(metadata);
  const choice = model == null ? null : JSON.stringify(backend.modelOf(model));
  const keys = Object.entries(metadata ?? {}).map(([key, value]) => [key, value ?? undefined]);
  return {
    at: backend.now(),
    ...(title !== undefined && { title }),
    ...(model !== undefined && { model_json: choice }),
    ...(metadata !== undefined && { metadata: Object.fromEntries(keys) }),
  };
}

/** Kept by the host: from outside they would undo what a session knows of itself. */
function checkKeys(metadata: Readonly<Record<string, unknown>>): void {
  const key = Object.keys(metadata).find((each) => RESERVED_METADATA.includes(each));
  if (key !== undefined) throw TurnError.make("reserved-metadata", { key });
}
