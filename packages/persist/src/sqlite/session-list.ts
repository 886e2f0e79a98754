/** Pages of sessions, the most recently used first; a cursor is where the last page ended. */
import type { SessionRow } from "@galley/parts";
import type { SessionPage, SessionQuery } from "../port/sessions.ts";
import { StoreError } from "../store-error.ts";
import type { Sql } from "./sql.ts";

const LIMIT = 50;
const MOST = 500;

export function listSessions(sql: Sql, select: string, query: SessionQuery): SessionPage {
  const limit = Math.max(1, Math.min(query.limit ?? LIMIT, MOST));
  const from = query.cursor === undefined ? undefined : readCursor(query.cursor);
  const conditions = [
    query.include_archived ? [] : ["archived_at IS NULL"],
    query.include_ephemeral || query.parent_id ? [] : ["ephemeral = 0"],
    query.parent_id ? ["parent_id = :parent_id"] : [],
    query.workspace_root === undefined ? [] : ["workspace_root = :workspace_root"],
    from ? ["(updated_at, id) < (:updated_at, :id)"] : [],
  ].flat();
  const where = conditions.length > 0 ? `WHERE ${conditions.join(" AND ")}` : "";
  const rows = sql.all<SessionRow>(
    `${select} ${where} ORDER BY updated_at DESC, id DESC LIMIT :limit`,
    {
      limit: limit + 1,
      parent_id: query.parent_id ?? null,
      workspace_root: query.workspace_root ?? null,
      updated_at: from?.updated_at ?? null,
      id: from?.id ?? null,
    },
  );
  const sessions = rows.slice(0, limit);
  const last = sessions.at(-1);
  return rows.length > limit && last
    ? { sessions, next_cursor: `${last.updated_at}.${last.id}` }
    : { sessions };
}

function readCursor(cursor: string): { updated_at: number; id: string } {
  const [, updated_at, id] = /^(-?\d{1,16})\.(ses_.+)$/.exec(cursor) ?? [];
  if (updated_at && id) return { updated_at: Number(updated_at), id };
  const issue = "it is not one that a list gave; begin again without it";
  throw StoreError.make("invalid", { what: "the cursor", issue });
}
