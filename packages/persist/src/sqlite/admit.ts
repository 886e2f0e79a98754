/**
 * Takes a user message in once.
 *
 * The id that the client minted is the key: the same payload again is answered as the first time and
 * writes nothing, another payload is a conflict, and a cancelled id stays cancelled.
 */

import { turnMetadata } from "../hoisted.ts";
import { readJson, readObject, withMembers } from "../json-text.ts";
import { payloadText } from "../payload-text.ts";
import type { Admission, Admitted, StoredMessage } from "../port/messages.ts";
import { StoreError } from "../store-error.ts";
import { findMessage, insertMessage, insertUserParts, nextSeq } from "./message-rows.ts";
import { touch } from "./session-group.ts";
import { sha256 } from "./sha256.ts";
import type { Sql } from "./sql.ts";

export function admit(sql: Sql, admission: Admission): Admitted {
  const payload_sha256 = sha256(payloadText(admission.payload ?? payloadOf(admission)));
  const known = findMessage(sql, admission.id);
  if (known) {
    if (known.session_id === admission.session_id && known.payload_sha256 === payload_sha256) {
      return answer(sql, known, true);
    }
    const detail = "was already submitted with another payload; send the new one under a new id";
    throw StoreError.make("conflict", { id: admission.id, detail });
  }
  touch(sql, admission.session_id, admission.at);
  const message = newRow(sql, admission, payload_sha256);
  insertMessage(sql, message);
  insertUserParts(sql, message, admission.parts, admission.at);
  return answer(sql, message, false);
}

function payloadOf(admission: Admission) {
  const metadata = readObject(admission.metadata_json, "the message's metadata_json");
  return {
    parts: admission.parts.map(({ data_json }) => readJson(data_json, "a part")),
    metadata: turnMetadata(metadata),
  };
}

function newRow(sql: Sql, admission: Admission, payload_sha256: string): StoredMessage {
  const { id, session_id, disposition, at } = admission;
  readObject(admission.metadata_json, "the message's metadata_json");
  const waits = disposition === "queued";
  return {
    id,
    session_id,
    role: "user",
    seq: waits ? null : nextSeq(sql, session_id),
    metadata_json: waits
      ? withMembers(admission.metadata_json, { queued_at: at, queue_enqueued_at: at })
      : admission.metadata_json,
    hidden_at: null,
    created_at: at,
    updated_at: at,
    hidden_by: null,
    hidden_base: null,
    queue_order: waits ? nextOrder(sql, session_id) : null,
    canceled_at: null,
    disposition,
    payload_sha256,
  };
}

function nextOrder(sql: Sql, session: string): number {
  const text = `SELECT coalesce(max(queue_order), 0) + 1 AS next FROM chat_messages
    WHERE session_id = :session AND queue_order IS NOT NULL`;
  return sql.get<{ next: number }>(text, { session })?.next ?? 1;
}

function answer(sql: Sql, message: StoredMessage, known: boolean): Admitted {
  const disposition = message.disposition ?? "fired";
  const position = positionOf(sql, message);
  return {
    known,
    disposition,
    message,
    state: stateOf(message, disposition),
    ...(position !== undefined && { position }),
  };
}

function stateOf(message: StoredMessage, disposition: Admitted["disposition"]): Admitted["state"] {
  if (message.canceled_at !== null) return "canceled";
  if (message.queue_order !== null) return "queued";
  return disposition === "settled" ? "settled" : "fired";
}

function positionOf(sql: Sql, message: StoredMessage): number | undefined {
  if (message.queue_order === null) return undefined;
  const text = `SELECT count(*) AS before FROM chat_messages
    WHERE session_id = :session AND queue_order < :order`;
  const values = { session: message.session_id, order: message.queue_order };
  return sql.get<{ before: number }>(text, values)?.before;
}
