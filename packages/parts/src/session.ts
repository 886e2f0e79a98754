/** Rows as the store keeps them, and the run status that a session shows to the outside. */
import { z } from "zod";
import { ToolState } from "./assistant-part.ts";
import { MessageId, PartId, SessionId } from "./message.ts";

/** JSON columns stay strings: an export is the row, and a row survives to the byte. */
const JsonText = z.string();
const Epoch = z.int();

export const SessionRow = z.looseObject({
  id: SessionId,
  agent: z.string(),
  title: z.string().nullable(),
  workspace_root: z.string().nullable(),
  model_json: JsonText.nullable(),
  parent_id: SessionId.nullable(),
  parent_message_id: MessageId.nullable(),
  permissions_json: JsonText,
  metadata_json: JsonText,
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  reasoning_tokens: z.int(),
  cache_read: z.int(),
  cache_write: z.int(),
  total_tokens: z.int(),
  cost_usd: z.number(),
  created_at: Epoch,
  updated_at: Epoch,
  archived_at: Epoch.nullable(),
});
export type SessionRow = z.infer<typeof SessionRow>;

export const MessageRow = z.looseObject({
  id: MessageId,
  session_id: SessionId,
  role: z.enum(["user", "assistant", "system"]),
  /** Given when the message fires: the order of the transcript, whatever the clock did. */
  seq: z.int().nullable(),
  metadata_json: JsonText,
  hidden_at: Epoch.nullable(),
  created_at: Epoch,
  updated_at: Epoch,
});
export type MessageRow = z.infer<typeof MessageRow>;

export const PartRow = z.looseObject({
  id: PartId,
  message_id: MessageId,
  session_id: SessionId,
  index: z.int().min(0),
  type: z.string(),
  data_json: JsonText,
  tool_call_id: z.string().nullable(),
  tool_state: ToolState.nullable(),
  created_at: Epoch,
  updated_at: Epoch,
});
export type PartRow = z.infer<typeof PartRow>;

export const RUN_STATES = [
  "idle",
  "busy",
  "retrying",
  "waiting_on_approval",
  "waiting_on_user_input",
  "error",
] as const;

export const SessionStatus = z.looseObject({
  state: z.enum(RUN_STATES),
  attempt: z.int().min(1).optional(),
  message: z.string().optional(),
  started_at: Epoch.optional(),
  message_id: MessageId.optional(),
  operation: z.literal("compaction").optional(),
});
export type SessionStatus = z.infer<typeof SessionStatus>;
