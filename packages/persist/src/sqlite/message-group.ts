/** Messages on SQLite: begun, stamped, ended and read back. */
import type { SessionId } from "@galley/parts";
import { withMembers } from "../json-text.ts";
import type {
  Ending,
  HistoryQuery,
  Messages,
  MessageWithParts,
  NewMessage,
  StoredMessage,
} from "../port/messages.ts";
import { StoreError } from "../store-error.ts";
import { admit } from "./admit.ts";
import type { Group } from "./group.ts";
import {
  findMessage,
  insertMessage,
  needMessage,
  nextSeq,
  selectWithParts,
  updateMessage,
  withParts,
} from "./message-rows.ts";
import { rewind, unrewind } from "./rewind.ts";
import { rollUp, touch } from "./session-group.ts";
import type { Sql } from "./sql.ts";

const ENDED = { finish: "finished_at", abort: "aborted_at", error: "failed_at" } as const;
/** Waiting messages after those that fired, cancelled ones last. */
const EVERY = `m.seq IS NULL, m.seq, m.queue_order IS NULL, m.queue_order, m.created_at, m.id`;

export function messageGroup(sql: Sql): Group<Messages> {
  return {
    steps: {
      admit: (admission) => admit(sql, admission),
      begin: (message) => begin(sql, message),
      stamp: (id, metadata, at) => stamp(sql, id, metadata, at),
      end: (id, ending) => end(sql, id, ending),
      get: (id) => {
        const message = findMessage(sql, id);
        return message && withParts(sql, message);
      },
      history: (session, query) => history(sql, session, query ?? {}),
      all: (session) => selectWithParts(sql, "m.session_id = :session", EVERY, { session }),
      rewind: (order) => rewind(sql, order),
      unrewind: (order) => unrewind(sql, order),
      restore: (message) => insertNew(sql, message),
    },
    modes: {
      admit: "write",
      begin: "write",
      stamp: "write",
      end: "write",
      get: "read",
      history: "read",
      all: "read",
      rewind: "write",
      unrewind: "write",
      restore: "write",
    },
  };
}

function begin(sql: Sql, message: NewMessage): StoredMessage {
  touch(sql, message.session_id, message.at);
  const row: StoredMessage = {
    id: message.id,
    session_id: message.session_id,
    role: message.role,
    seq: nextSeq(sql, message.session_id),
    metadata_json: message.metadata_json,
    hidden_at: null,
    created_at: message.at,
    updated_at: message.at,
    hidden_by: null,
    hidden_base: null,
    queue_order: null,
    canceled_at: null,
    disposition: null,
    payload_sha256: null,
  };
  insertNew(sql, row);
  return row;
}

function insertNew(sql: Sql, row: StoredMessage): void {
  if (findMessage(sql, row.id)) {
    throw StoreError.make("conflict", { id: row.id, detail: "is already a message" });
  }
  insertMessage(sql, row);
}

function stamp(
  sql: Sql,
  id: string,
  metadata: Readonly<Record<string, unknown>>,
  at: number,
): StoredMessage {
  const message = needMessage(sql, id);
  const metadata_json = withMembers(message.metadata_json, metadata);
  const next: StoredMessage = { ...message, metadata_json, updated_at: at };
  updateMessage(sql, next);
  if ("usage" in metadata || "cost_usd" in metadata) rollUp(sql, message.session_id, at);
  return next;
}

function end(sql: Sql, id: string, ending: Ending): StoredMessage {
  const stamped = stamp(
    sql,
    id,
    { ...ending.metadata, [ENDED[ending.reason]]: ending.at },
    ending.at,
  );
  touch(sql, stamped.session_id, ending.at);
  return stamped;
}

function history(sql: Sql, session: SessionId, query: HistoryQuery): MessageWithParts[] {
  const bounds = [
    "m.session_id = :session AND m.seq IS NOT NULL",
    query.include_hidden ? "" : "AND m.hidden_at IS NULL",
    query.after_seq === undefined ? "" : "AND m.seq > :after",
    query.before_seq === undefined ? "" : "AND m.seq < :before",
  ].join(" ");
  // The newest so many are those from a certain number on: one look at the index finds it.
  const condition =
    query.last === undefined
      ? bounds
      : `${bounds} AND m.seq >= coalesce((SELECT min(seq) FROM (SELECT m.seq FROM chat_messages AS m
          WHERE ${bounds} ORDER BY m.seq DESC LIMIT :last)), 9e18)`;
  return selectWithParts(sql, condition, "m.seq", {
    session,
    after: query.after_seq ?? null,
    before: query.before_seq ?? null,
    last: query.last ?? null,
  });
}
