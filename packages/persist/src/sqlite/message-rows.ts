/** Message and part rows: read with their parts, written with what is lifted out of their JSON. */
import type { MessageId, PartRow, SessionId } from "@galley/parts";
import { countsOf, userPartColumns } from "../hoisted.ts";
import { readObject } from "../json-text.ts";
import type { MessageWithParts, NewPart, StoredMessage } from "../port/messages.ts";
import { StoreError } from "../store-error.ts";
import { hold } from "./blob-refs.ts";
import type { Sql, Values } from "./sql.ts";

export const MESSAGE_COLUMNS = [
  "id",
  "session_id",
  "role",
  "seq",
  "metadata_json",
  "hidden_at",
  "created_at",
  "updated_at",
  "hidden_by",
  "hidden_base",
  "queue_order",
  "canceled_at",
  "disposition",
  "payload_sha256",
] as const satisfies readonly (keyof StoredMessage)[];

export const PART_COLUMNS = [
  "id",
  "message_id",
  "session_id",
  "index",
  "type",
  "data_json",
  "tool_call_id",
  "tool_state",
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof PartRow)[];

const COUNT_COLUMNS = [
  "usage_input",
  "usage_output",
  "usage_reasoning",
  "usage_cache_read",
  "usage_cache_write",
  "cost_usd",
];
const quoted = (names: readonly string[], table: string) =>
  names.map((name) => `${table}."${name}"`).join(", ");
const inserted = (table: string, names: readonly string[]) =>
  `INSERT INTO ${table} (${names.map((name) => `"${name}"`).join(", ")})
    VALUES (${names.map((name) => `:${name}`).join(", ")})`;

const WRITTEN = [...MESSAGE_COLUMNS, ...COUNT_COLUMNS];
const INSERT_MESSAGE = inserted("chat_messages", WRITTEN);
const INSERT_PART = inserted("chat_parts", PART_COLUMNS);
const UPDATE_MESSAGE = `UPDATE chat_messages SET
  ${WRITTEN.map((name) => `${name} = :${name}`).join(", ")} WHERE id = :id`;

const SELECT_MESSAGES = `SELECT ${quoted(MESSAGE_COLUMNS, "m")} FROM chat_messages AS m`;
const SELECT_PARTS = `SELECT ${quoted(PART_COLUMNS, "p")} FROM chat_messages AS m
  JOIN chat_parts AS p ON p.message_id = m.id`;

export function findMessage(sql: Sql, id: MessageId): StoredMessage | undefined {
  return sql.get<StoredMessage>(`${SELECT_MESSAGES} WHERE m.id = :id`, { id });
}

export function needMessage(sql: Sql, id: MessageId): StoredMessage {
  const message = findMessage(sql, id);
  if (!message) throw StoreError.make("missing", { kind: "message", id });
  return message;
}

export function selectMessages(sql: Sql, where: string, values: Values): StoredMessage[] {
  return sql.all<StoredMessage>(`${SELECT_MESSAGES} ${where}`, values);
}

export function withParts(sql: Sql, message: StoredMessage): MessageWithParts {
  const where = `WHERE m.id = :id ORDER BY p."index"`;
  return { message, parts: sql.all<PartRow>(`${SELECT_PARTS} ${where}`, { id: message.id }) };
}

/** Two statements, however many messages: the parts come in the order of their messages. */
export function selectWithParts(
  sql: Sql,
  condition: string,
  order: string,
  values: Values,
): MessageWithParts[] {
  const messages = selectMessages(sql, `WHERE ${condition} ORDER BY ${order}`, values);
  const byMessage = new Map(messages.map(({ id }) => [id, [] as PartRow[]]));
  const where = `WHERE ${condition} ORDER BY ${order}, p."index"`;
  for (const part of sql.all<PartRow>(`${SELECT_PARTS} ${where}`, values)) {
    byMessage.get(part.message_id)?.push(part);
  }
  return messages.map((message) => ({ message, parts: byMessage.get(message.id) ?? [] }));
}

export function insertMessage(sql: Sql, message: StoredMessage): void {
  sql.run(INSERT_MESSAGE, columnsOf(message));
}

export function updateMessage(sql: Sql, message: StoredMessage): void {
  sql.run(UPDATE_MESSAGE, columnsOf(message));
}

function columnsOf(message: StoredMessage): Values {
  const metadata = readObject(message.metadata_json, "a message's metadata_json");
  const columns = MESSAGE_COLUMNS.map((name) => [name, message[name]] as const);
  return { ...Object.fromEntries(columns), ...countsOf(metadata) };
}

export function insertPart(sql: Sql, part: PartRow): void {
  sql.run(INSERT_PART, Object.fromEntries(PART_COLUMNS.map((name) => [name, part[name]])));
  hold(sql, part.id, part.session_id, part.data_json);
}

export function insertUserParts(
  sql: Sql,
  message: StoredMessage,
  parts: readonly NewPart[],
  at: number,
): void {
  for (const [index, { id, data_json }] of parts.entries()) {
    insertPart(sql, {
      id,
      message_id: message.id,
      session_id: message.session_id,
      index,
      data_json,
      ...userPartColumns(data_json),
      created_at: at,
      updated_at: at,
    });
  }
}

/** Order numbers only grow: a hidden message keeps its own. */
export function nextSeq(sql: Sql, session: SessionId): number {
  const text = "SELECT coalesce(max(seq), 0) + 1 AS next FROM chat_messages WHERE session_id = :id";
  return sql.get<{ next: number }>(text, { id: session })?.next ?? 1;
}
