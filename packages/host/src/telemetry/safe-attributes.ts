/**
 * What may leave in a span: names, numbers and ends, by a list. Text that people, files or models
 * wrote is not on it, so no message and no secret can go along, whatever a caller hands over.
 */
import type { SpanValue } from "@galley/turn";

const TELLS = new Set([
  "session_id",
  "agent",
  "model_id",
  "provider_id",
  "turn_id",
  "turn_index",
  "segment",
  "message_id",
  "tokens",
  "input_tokens",
  "output_tokens",
  "reasoning_tokens",
  "cache_read",
  "cache_write",
  "duration_ms",
  "stop_reason",
  "steps",
  "attempts",
  "tool_id",
  "tool_call_id",
  "truncated",
  "action",
  "source",
  "auto",
]);

/** Longer ones are no names. */
const LONGEST = 200;

export type Attributes = Readonly<Record<string, SpanValue>>;

export const safeAttributes = (attributes: Attributes): Attributes =>
  Object.fromEntries(
    Object.entries(attributes)
      .filter(([key]) => TELLS.has(key))
      .map(([key, value]) => [key, typeof value === "string" ? value.slice(0, LONGEST) : value]),
  );
