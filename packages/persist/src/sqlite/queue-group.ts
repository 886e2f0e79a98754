/** The queue on SQLite. A message waits while it has a `queue_order`; every change asks for that. */
import type { MessageId } from "@galley/parts";
import { withMembers } from "../json-text.ts";
import type { MessageWithParts, StoredMessage } from "../port/messages.ts";
import type { Queue, QueueEdit, QueueMove } from "../port/queue.ts";
import { replaceHeld } from "./blob-refs.ts";
import type { Group } from "./group.ts";
import {
  findMessage,
  insertUserParts,
  nextSeq,
  selectMessages,
  selectWithParts,
  updateMessage,
  withParts,
} from "./message-rows.ts";
import { touch } from "./session-group.ts";
import type { Sql } from "./sql.ts";

const TAKE = `INSERT INTO host (only, id, taken_at) VALUES (1, :host, :at)
  ON CONFLICT DO UPDATE SET id = excluded.id, taken_at = excluded.taken_at`;
const WAITING = "m.session_id = :session AND m.queue_order IS NOT NULL";

export function queueGroup(sql: Sql): Group<Queue> {
  return {
    steps: {
      take: (host, at) => void sql.run(TAKE, { host, at }),
      holder: () => sql.get<{ id: string }>("SELECT id FROM host")?.id,
      list: (session) => selectWithParts(sql, WAITING, "m.queue_order", { session }),
      sessions: () =>
        sql
          .all<{ session_id: string }>(
            `SELECT DISTINCT session_id FROM chat_messages WHERE queue_order IS NOT NULL
              ORDER BY session_id`,
          )
          .map(({ session_id }) => session_id),
      fire: (id, at) => fire(sql, id, at),
      cancel: (id, at) => cancel(sql, id, at),
      edit: (id, change) => edit(sql, id, change),
      move: (id, order) => move(sql, id, order),
    },
    modes: {
      take: "write",
      holder: "read",
      list: "read",
      sessions: "read",
      fire: "write",
      cancel: "write",
      edit: "write",
      move: "write",
    },
  };
}

function waiting(sql: Sql, id: MessageId): StoredMessage | undefined {
  const message = findMessage(sql, id);
  return message && message.queue_order !== null ? message : undefined;
}

function fire(sql: Sql, id: MessageId, at: number): StoredMessage | undefined {
  const message = waiting(sql, id);
  if (!message) return undefined;
  const fired: StoredMessage = {
    ...message,
    seq: nextSeq(sql, message.session_id),
    queue_order: null,
    metadata_json: withMembers(message.metadata_json, { queued_at: undefined }),
    updated_at: at,
  };
  updateMessage(sql, fired);
  touch(sql, message.session_id, at);
  return fired;
}

function cancel(sql: Sql, id: MessageId, at: number): StoredMessage | undefined {
  const message = waiting(sql, id);
  if (!message) return undefined;
  const changes = { queued_at: undefined, queue_canceled_at: at, hidden_at: at };
  const canceled: StoredMessage = {
    ...message,
    queue_order: null,
    canceled_at: at,
    hidden_at: at,
    metadata_json: withMembers(message.metadata_json, changes),
    updated_at: at,
  };
  updateMessage(sql, canceled);
  return canceled;
}

function edit(sql: Sql, id: MessageId, change: QueueEdit): MessageWithParts | undefined {
  const message = waiting(sql, id);
  if (!message) return undefined;
  const edited: StoredMessage = {
    ...message,
    metadata_json: withMembers(message.metadata_json, change.metadata ?? {}),
    updated_at: change.at,
  };
  updateMessage(sql, edited);
  const before = withParts(sql, message).parts.map((part) => part.id);
  replaceHeld(sql, before, () => {
    sql.run("DELETE FROM chat_parts WHERE message_id = :id", { id });
    insertUserParts(sql, edited, change.parts, change.at);
  });
  return withParts(sql, edited);
}

function move(sql: Sql, id: MessageId, order: QueueMove): readonly MessageId[] | undefined {
  const message = waiting(sql, id);
  if (!message) return undefined;
  const rows = selectMessages(sql, `WHERE ${WAITING} ORDER BY m.queue_order`, {
    session: message.session_id,
  });
  const others = rows.map((row) => row.id).filter((other) => other !== id);
  const neighbour = others.indexOf("before" in order ? order.before : order.after);
  if (neighbour < 0) return undefined;
  const ids = others.toSpliced("before" in order ? neighbour : neighbour + 1, 0, id);
  renumber(sql, ids, rows, order.at);
  return ids;
}

/** Past every number in use, so that no two messages share one on the way. */
function renumber(
  sql: Sql,
  ids: readonly MessageId[],
  rows: readonly StoredMessage[],
  at: number,
): void {
  const last = Math.max(...rows.map((row) => row.queue_order ?? 0));
  for (const [place, id] of ids.entries()) {
    sql.run("UPDATE chat_messages SET queue_order = :order, updated_at = :at WHERE id = :id", {
      order: last + 1 + place,
      at,
      id,
    });
  }
}
