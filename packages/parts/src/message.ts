/** A message and its identity: what every surface emits and every store keeps. */
import { z } from "zod";
import { AssistantPart } from "./assistant-part.ts";
import { UserPart } from "./part.ts";
import { Usage } from "./usage.ts";

export const MessageId = z.string().regex(/^msg_[A-Za-z0-9_-]{1,128}$/, "msg_ and an id");
export type MessageId = z.infer<typeof MessageId>;

export const SessionId = z.string().regex(/^ses_[A-Za-z0-9_-]{1,128}$/, "ses_ and an id");
export type SessionId = z.infer<typeof SessionId>;

export const PartId = z.string().regex(/^prt_[A-Za-z0-9_-]{1,128}$/, "prt_ and an id");
export type PartId = z.infer<typeof PartId>;

/** The version that this kit writes; `upgrade.ts` reads every earlier one. */
export const SCHEMA_VERSION = 1;

export const ModelChoice = z.looseObject({
  provider_id: z.string().min(1),
  model_id: z.string().min(1),
  variant: z.string().optional(),
});
export type ModelChoice = z.infer<typeof ModelChoice>;

/** What fired a message that no person typed; absent on human messages. */
export const Trigger = z.looseObject({
  source: z.enum(["schedule", "webhook", "api", "self-schedule", "mcp-event"]),
  fired_at: z.int(),
  schedule_id: z.string().optional(),
  delivery_id: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  auth_subject: z.string().optional(),
});
export type Trigger = z.infer<typeof Trigger>;

export const MessageMetadata = z.looseObject({
  /** Absent means 1: the first messages carried none. */
  schema_version: z.int().min(1).optional(),
  model: ModelChoice.optional(),
  agent: z.string().optional(),
  /** Epoch ms; present while the message waits for its turn, and only then. */
  queued_at: z.int().optional(),
  queue_enqueued_at: z.int().optional(),
  queue_canceled_at: z.int().optional(),
  snapshot_id: z.string().optional(),
  trigger: Trigger.optional(),
  usage: Usage.optional(),
  system_prompt_digest: z.string().optional(),
  hidden_at: z.int().optional(),
});
export type MessageMetadata = z.infer<typeof MessageMetadata>;

export const UserMessage = z.looseObject({
  role: z.literal("user"),
  id: MessageId.optional(),
  metadata: MessageMetadata.optional(),
  parts: z.array(UserPart).min(1, "a message has at least one part"),
});
export type UserMessage = z.infer<typeof UserMessage>;

export const AssistantMessage = z.looseObject({
  role: z.literal("assistant"),
  id: MessageId.optional(),
  metadata: MessageMetadata.optional(),
  parts: z.array(AssistantPart),
});
export type AssistantMessage = Omit<z.infer<typeof AssistantMessage>, "parts"> & {
  parts: AssistantPart[];
};

export const Message = z.discriminatedUnion("role", [UserMessage, AssistantMessage]);
export type Message = UserMessage | AssistantMessage;
