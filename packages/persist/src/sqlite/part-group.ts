/** Parts of answers on SQLite: the hot path of a stream. */
import type { PartRow } from "@galley/parts";
import { answerPartColumns } from "../hoisted.ts";
import { readJson } from "../json-text.ts";
import type { Parts, PartWrite } from "../port/messages.ts";
import { StoreError } from "../store-error.ts";
import { holdInstead } from "./blob-refs.ts";
import type { Group } from "./group.ts";
import { findMessage, insertPart, needMessage, PART_COLUMNS } from "./message-rows.ts";
import type { Sql } from "./sql.ts";

const GROWN = `SET type = excluded.type, data_json = excluded.data_json,
  tool_call_id = excluded.tool_call_id, tool_state = excluded.tool_state,
  updated_at = excluded.updated_at`;
const UPSERT = `INSERT INTO chat_parts
  (id, message_id, session_id, "index", type, data_json, tool_call_id, tool_state, created_at, updated_at)
  SELECT :id, m.id, m.session_id, :index, :type, :data_json, :tool_call_id, :tool_state, :at, :at
  FROM chat_messages AS m WHERE m.id = :message_id AND m.role <> 'user'
  ON CONFLICT (message_id, tool_call_id) WHERE tool_call_id IS NOT NULL DO UPDATE ${GROWN}
  ON CONFLICT (id) DO UPDATE ${GROWN} WHERE message_id = excluded.message_id
  RETURNING id, session_id`;

export function partGroup(sql: Sql): Group<Parts> {
  return {
    steps: {
      upsert: (writes) => {
        for (const write of writes) upsert(sql, write);
      },
      toolCalls: (session, states) =>
        sql.all<PartRow>(
          `SELECT ${PART_COLUMNS.map((name) => `p."${name}"`).join(", ")}
            FROM chat_parts AS p JOIN chat_messages AS m ON m.id = p.message_id
            WHERE p.session_id = :session AND m.hidden_at IS NULL
              AND p.tool_state IN (SELECT value FROM json_each(:states))
            ORDER BY m.seq, p."index"`,
          { session, states: JSON.stringify(states) },
        ),
      restore: (part) => restore(sql, part),
    },
    modes: { upsert: "stream", toolCalls: "read", restore: "write" },
  };
}

function upsert(sql: Sql, write: PartWrite): void {
  const columns = answerPartColumns(write.data_json);
  const kept = sql.get<{ id: string; session_id: string }>(UPSERT, { ...write, ...columns });
  if (!kept) throw refusal(sql, write);
  holdInstead(sql, kept.id, kept.session_id, write.data_json);
}

function refusal(sql: Sql, write: PartWrite) {
  const message = findMessage(sql, write.message_id);
  if (!message) return StoreError.make("missing", { kind: "message", id: write.message_id });
  const detail =
    message.role === "user"
      ? "belongs to a user message, whose parts do not grow"
      : "is already a part of another message";
  return StoreError.make("conflict", { id: write.id, detail });
}

function restore(sql: Sql, part: PartRow): void {
  readJson(part.data_json, `part ${part.id}`);
  if (needMessage(sql, part.message_id).session_id !== part.session_id) {
    const detail = "names another session than its message does";
    throw StoreError.make("conflict", { id: part.id, detail });
  }
  insertPart(sql, part);
}
