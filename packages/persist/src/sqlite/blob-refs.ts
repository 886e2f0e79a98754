/** Who holds which blob. The last holder that goes takes the blob along. */
import type { SessionId } from "@galley/parts";
import { contentIdsIn } from "../hoisted.ts";
import type { Sql } from "./sql.ts";

type Held = { readonly content_id: string };

const HOLD = `INSERT INTO blob_refs (owner, content_id, session_id)
  VALUES (:owner, :content_id, :session_id) ON CONFLICT DO NOTHING`;
/** In `unclaimed`: 0 for bytes that go with their last holder, 1 until the first holds them. */
export const LENT = 2;
const CLAIM = `UPDATE blobs SET unclaimed = 0 WHERE content_id = :content_id AND unclaimed < ${LENT}`;
// Bytes that were put again and are not held yet belong to a message on its way.
const FREE = `DELETE FROM blobs WHERE content_id = :content_id AND unclaimed = 0
  AND NOT EXISTS (SELECT 1 FROM blob_refs WHERE content_id = :content_id)`;

export function hold(sql: Sql, owner: string, session_id: SessionId, text: string): void {
  for (const content_id of contentIdsIn(text)) {
    sql.run(HOLD, { owner, content_id, session_id });
    sql.run(CLAIM, { content_id });
  }
}

/** For a text that replaces an older one under the same owner. */
export function holdInstead(sql: Sql, owner: string, session_id: SessionId, text: string): void {
  replaceHeld(sql, [owner], () => hold(sql, owner, session_id, text));
}

/** Frees what was held before only after the new holders have theirs. */
export function replaceHeld(sql: Sql, owners: readonly string[], write: () => void): void {
  const before = owners.flatMap((owner) => heldByOwner(sql, owner));
  if (before.length > 0) {
    for (const owner of owners) sql.run("DELETE FROM blob_refs WHERE owner = :owner", { owner });
  }
  write();
  free(sql, before);
}

export function releaseSession(sql: Sql, id: SessionId, remove: () => number): number {
  const before = sql.all<Held>("SELECT DISTINCT content_id FROM blob_refs WHERE session_id = :id", {
    id,
  });
  const removed = remove();
  free(sql, before);
  return removed;
}

function heldByOwner(sql: Sql, owner: string): Held[] {
  return sql.all<Held>("SELECT content_id FROM blob_refs WHERE owner = :owner", { owner });
}

function free(sql: Sql, held: readonly Held[]): void {
  for (const { content_id } of held) sql.run(FREE, { content_id });
}
