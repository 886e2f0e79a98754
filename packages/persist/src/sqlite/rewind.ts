/**
 * Going back, and going back from that.
 *
 * What is visible is one branch. A rewind cuts it after a message, its base, and hides the rest under
 * the rewind's id; undoing it swaps that rest with whatever grew on the base since. It needs the base
 * to be visible: then the whole way to it is, and branches are never mixed.
 */
import type { MessageId } from "@galley/parts";
import { withMembers } from "../json-text.ts";
import type { Rewind, StoredMessage, Unrewind } from "../port/messages.ts";
import { StoreError } from "../store-error.ts";
import { needMessage, selectMessages, updateMessage } from "./message-rows.ts";
import { rollUp } from "./session-group.ts";
import type { Sql } from "./sql.ts";

const VISIBLE = "m.session_id = :session AND m.seq IS NOT NULL AND m.hidden_at IS NULL";

export function rewind(sql: Sql, { session_id, ...order }: Rewind): readonly MessageId[] {
  const target = needMessage(sql, order.to_message_id);
  if (target.session_id !== session_id || target.seq === null || target.hidden_at !== null) {
    const issue = `${target.id} is not a visible message of ${session_id}`;
    throw StoreError.make("invalid", { what: "the rewind", issue });
  }
  const from = order.inclusive ? target.seq : target.seq + 1;
  unused(sql, session_id, order.id);
  const hidden = hideFrom(sql, session_id, from, order.id, order.at);
  rollUp(sql, session_id, order.at);
  return hidden;
}

export function unrewind(sql: Sql, order: Unrewind): readonly MessageId[] {
  const { session_id: session, rewind_id, swap_id, at } = order;
  const back = hiddenBy(sql, session, rewind_id);
  const base = back[0]?.hidden_base;
  if (base === undefined) throw StoreError.make("missing", { kind: "rewind", id: rewind_id });
  unused(sql, session, swap_id);
  hideFrom(sql, session, seqAfter(sql, base, rewind_id), swap_id, at);
  for (const message of back) show(sql, message, at);
  rollUp(sql, session, at);
  return back.map(({ id }) => id);
}

function seqAfter(sql: Sql, base: MessageId | null, rewind_id: string): number {
  if (base === null) return 0;
  const message = needMessage(sql, base);
  if (message.hidden_at !== null || message.seq === null) {
    throw StoreError.make("not-restorable", { id: rewind_id });
  }
  return message.seq + 1;
}

function hideFrom(sql: Sql, session: string, from: number, id: string, at: number): MessageId[] {
  const rows = selectMessages(sql, `WHERE ${VISIBLE} AND m.seq >= :from ORDER BY m.seq`, {
    session,
    from,
  });
  const [base] = selectMessages(
    sql,
    `WHERE ${VISIBLE} AND m.seq < :from ORDER BY m.seq DESC LIMIT 1`,
    { session, from },
  );
  for (const row of rows) {
    updateMessage(sql, {
      ...row,
      metadata_json: withMembers(row.metadata_json, { hidden_at: at }),
      hidden_at: at,
      hidden_by: id,
      hidden_base: base?.id ?? null,
      updated_at: at,
    });
  }
  return rows.map((row) => row.id);
}

function show(sql: Sql, message: StoredMessage, at: number): void {
  updateMessage(sql, {
    ...message,
    metadata_json: withMembers(message.metadata_json, { hidden_at: undefined }),
    hidden_at: null,
    hidden_by: null,
    hidden_base: null,
    updated_at: at,
  });
}

function hiddenBy(sql: Sql, session: string, id: string): StoredMessage[] {
  const where = "WHERE m.session_id = :session AND m.hidden_by = :id ORDER BY m.seq";
  return selectMessages(sql, where, { session, id });
}

function unused(sql: Sql, session: string, id: string): void {
  if (hiddenBy(sql, session, id).length === 0) return;
  throw StoreError.make("conflict", { id, detail: "is already the id of a rewind" });
}
