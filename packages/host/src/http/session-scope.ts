/**
 * The ids in a path, checked before they go anywhere: what has not the shape of an id names nothing.
 * An id of a message counts only in the session that it belongs to.
 */
import { MessageId, SessionId, type SessionRow } from "@galley/parts";
import type { MessageWithParts } from "@galley/persist";
import { plainName } from "@galley/shape";
import { TurnError } from "@galley/turn";
import type { Context } from "hono";
import type { Env } from "./route.ts";
import type { SessionBackend } from "./session-backend.ts";

const MOST_SHOWN = 80;

/** Of an id that may be anything: no more than a line can hold. */
export const shownId = (id: string): string => plainName(id.slice(0, MOST_SHOWN));

export function sessionIdOf(c: Context<Env>): SessionId {
  const id = c.req.param("id") ?? "";
  if (!SessionId.safeParse(id).success) throw TurnError.make("no-session", { id: shownId(id) });
  return id;
}

export async function sessionOf(
  c: Context<Env>,
  { store }: Pick<SessionBackend, "store">,
): Promise<SessionRow> {
  const id = sessionIdOf(c);
  const row = await store.sessions.get(id);
  if (row === undefined) throw TurnError.make("no-session", { id });
  return row;
}

export async function messageIn(
  session: SessionId,
  id: string,
  { store }: Pick<SessionBackend, "store">,
): Promise<MessageWithParts> {
  const found = MessageId.safeParse(id).success ? await store.messages.get(id) : undefined;
  if (found?.message.session_id !== session) {
    throw TurnError.make("no-message", { id: shownId(id) });
  }
  return found;
}
