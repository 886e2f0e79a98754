/** Events of the host's bus: doorbells, not payloads. What happened is in the store. */
import { z } from "zod";
import { MessageId, SessionId } from "./message.ts";
import { SessionStatus } from "./session.ts";

const base = { session_id: SessionId, at: z.int() };
const turn = { ...base, message_id: MessageId.optional(), turn_id: z.string().optional() };

export const HostEvent = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("turn-started"), ...turn }),
  z.looseObject({
    type: z.literal("turn-finished"),
    ...turn,
    reason: z.enum(["finish", "abort", "error"]),
    pending_approval: z.boolean(),
    /** What the turn waits for; null when it waits for nobody. */
    pending: z.enum(["approval", "user-input"]).nullable().optional(),
  }),
  z.looseObject({ type: z.literal("status-changed"), ...base, status: SessionStatus }),
  z.looseObject({ type: z.literal("queue-changed"), ...base }),
  z.looseObject({ type: z.literal("approval-requested"), ...base, tool_call_id: z.string() }),
  z.looseObject({ type: z.literal("input-requested"), ...base, tool_call_id: z.string() }),
  /** Everything of it is gone; nothing more is said of this session. */
  z.looseObject({ type: z.literal("session-deleted"), ...base }),
  z.looseObject({ type: z.literal("manifest"), ...base, turn: z.int().min(0) }),
]);
export type HostEvent = z.infer<typeof HostEvent>;
