/**
 * What a running turn streams: AI SDK UI message chunks, so that `useChat` reads them unchanged.
 * Only the chunks that we emit are here; a reader of foreign streams keeps the others as they came.
 */
import { z } from "zod";
import { Usage } from "./usage.ts";

const providerMetadata = z.record(z.string(), z.record(z.string(), z.json())).optional();
const id = z.string();
const toolCallId = z.string();

export const FINISH_REASONS = [
  "stop",
  "length",
  "content-filter",
  "tool-calls",
  "error",
  "other",
] as const;
export const FinishReason = z.enum(FINISH_REASONS);
export type FinishReason = z.infer<typeof FinishReason>;

/** Our key inside the metadata that `useChat` attaches to the message. */
export const StepMetadata = z.looseObject({
  usage: Usage.optional(),
  model: z.string().optional(),
  response_id: z.string().optional(),
  finish_reason: FinishReason.optional(),
});
export type StepMetadata = z.infer<typeof StepMetadata>;

const chunk = <T extends string, S extends z.core.$ZodLooseShape>(type: T, shape: S) =>
  z.looseObject({ type: z.literal(type), ...shape });

export const UiChunk = z.discriminatedUnion("type", [
  chunk("start", { messageId: z.string().optional(), messageMetadata: z.json().optional() }),
  chunk("start-step", {}),
  chunk("text-start", { id, providerMetadata }),
  chunk("text-delta", { id, delta: z.string(), providerMetadata }),
  chunk("text-end", { id, providerMetadata }),
  chunk("reasoning-start", { id, providerMetadata }),
  chunk("reasoning-delta", { id, delta: z.string(), providerMetadata }),
  chunk("reasoning-end", { id, providerMetadata }),
  chunk("tool-input-start", { toolCallId, toolName: z.string(), providerMetadata }),
  chunk("tool-input-delta", { toolCallId, inputTextDelta: z.string() }),
  chunk("tool-input-available", {
    toolCallId,
    toolName: z.string(),
    input: z.json(),
    providerMetadata,
  }),
  chunk("tool-input-error", {
    toolCallId,
    toolName: z.string(),
    input: z.json(),
    errorText: z.string(),
    providerMetadata,
  }),
  chunk("tool-approval-request", {
    approvalId: z.string(),
    toolCallId,
    /** Why a person is asked. */
    reason: z.string().optional(),
  }),
  chunk("tool-output-available", { toolCallId, output: z.json() }),
  chunk("tool-output-error", { toolCallId, errorText: z.string() }),
  chunk("tool-output-denied", { toolCallId }),
  chunk("file", { url: z.string(), mediaType: z.string(), providerMetadata }),
  chunk("source-url", { sourceId: z.string(), url: z.string(), title: z.string().optional() }),
  chunk("message-metadata", { messageMetadata: StepMetadata }),
  chunk("error", { errorText: z.string() }),
  chunk("finish-step", {}),
  chunk("finish", { finishReason: FinishReason.optional(), messageMetadata: z.json().optional() }),
  chunk("abort", { reason: z.string().optional() }),
]);
export type UiChunk = z.infer<typeof UiChunk>;
