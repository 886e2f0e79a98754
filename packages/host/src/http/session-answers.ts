/**
 * How rows leave over HTTP: a session is its row with its JSON columns opened beside it; a message
 * has the shape in which it was sent, with its row's columns. Stored JSON is put in as it is, to the
 * byte, and not read and written again.
 */
import { MessageId, SessionId, SessionRow, SessionStatus } from "@galley/parts";
import type { MessageWithParts } from "@galley/persist";
import type { QueueReport } from "@galley/turn";
import { z } from "zod";
import { HostAction, Note } from "./answers.ts";

export const SessionAnswer = SessionRow.extend({
  model: z.string().nullable().describe("provider/model; null: the default"),
  metadata: z.looseObject({}).describe("metadata_json, opened"),
});
export const ImportAnswer = SessionAnswer.extend({
  notes: z.array(z.string()).optional().describe("what was not taken as the file says, and why"),
});
export const SessionsAnswer = z.looseObject({
  sessions: z.array(SessionAnswer).describe("the most recently used first"),
  next_cursor: z.string().optional().describe("absent on the last page"),
});

export const StoredMessageAnswer = z.looseObject({
  id: MessageId,
  session_id: SessionId,
  role: z.enum(["user", "assistant", "system"]),
  seq: z.int().nullable().describe("its place; null while it waits"),
  metadata: z.looseObject({}),
  parts: z.array(z.looseObject({ type: z.string() })).describe("as they were stored, to the byte"),
  created_at: z.int(),
  updated_at: z.int(),
  hidden_at: z.int().nullable(),
});
export const MessagesAnswer = z.looseObject({ messages: z.array(StoredMessageAnswer) });

export const SubmittedAnswer = z.looseObject({
  message_id: MessageId,
  disposition: z.enum(["fired", "queued", "settled"]).describe("settled: host actions, no turn"),
  position: z.int().min(1).optional().describe("1: the next to fire; while it waits"),
  notes: z.array(Note).optional().describe("what composing had to say"),
  actions: z.array(HostAction).optional(),
});

export const QueueAnswer = z.looseObject({
  entries: z.array(StoredMessageAnswer).describe("the next to fire first"),
  paused: z.enum(["hold", "error"]).nullable().describe("why the next does not fire by itself"),
  stop_policy: z.enum(["drain", "hold", "clear"]),
});

/** What the published description calls them. */
export const SESSION_SHAPES = {
  Session: SessionAnswer,
  SessionStatus,
  StoredMessage: StoredMessageAnswer,
  Submitted: SubmittedAnswer,
  SessionQueue: QueueAnswer,
} as const satisfies Record<string, z.ZodType>;

export const jsonText = (text: string, status = 200): Response =>
  new Response(text, { status, headers: { "content-type": "application/json" } });

export function sessionJson(row: SessionRow): string {
  const model = modelNameOf(row.model_json);
  return `${openEnd(row)},"model":${JSON.stringify(model)},"metadata":${row.metadata_json}}`;
}

export const sessionAnswer = (row: SessionRow, status = 200): Response =>
  jsonText(sessionJson(row), status);

export function importAnswer(row: SessionRow, notes: readonly string[]): Response {
  const session = sessionJson(row);
  if (notes.length === 0) return jsonText(session, 201);
  return jsonText(`${session.slice(0, -1)},"notes":${JSON.stringify(notes)}}`, 201);
}

function modelNameOf(model_json: string | null): string | null {
  if (model_json === null) return null;
  const { provider_id, model_id } = JSON.parse(model_json) as Record<string, unknown>;
  return `${provider_id}/${model_id}`;
}

export function messageJson({ message, parts }: MessageWithParts): string {
  const { metadata_json, payload_sha256: _, ...row } = message;
  const all = parts.map(({ data_json }) => data_json).join(",");
  return `${openEnd(row)},"metadata":${metadata_json},"parts":[${all}]}`;
}

export const listJson = (messages: readonly MessageWithParts[]): string =>
  `[${messages.map(messageJson).join(",")}]`;

export const queueJson = ({ entries, paused, stop_policy }: QueueReport): string =>
  `${openEnd({ paused, stop_policy })},"entries":${listJson(entries)}}`;

/** An object's text without its closing brace. */
const openEnd = (value: object): string => JSON.stringify(value).slice(0, -1);
