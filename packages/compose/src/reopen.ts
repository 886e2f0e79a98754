/**
 * A stored message back to a draft, for editing: text is typed again, everything else is the part
 * that it was, and commands are unsettled, so that they settle anew. Composing the draft without
 * touching it gives the message again.
 */
import type { PartOf, UserMessage, UserPart } from "@galley/parts";
import { unsettled } from "./command/structured.ts";
import type { Draft, DraftPart } from "./draft.ts";

/** Belongs to the row that the message was, not to the one that the draft will be. */
const OF_THE_ROW = new Set([
  "queued_at",
  "queue_enqueued_at",
  "queue_canceled_at",
  "snapshot_id",
  "trigger",
  "usage",
  "system_prompt_digest",
  "hidden_at",
  "turn",
  "unresolved_command",
  "verbatim_parts",
]);

export function reopen(message: UserMessage): Draft {
  const metadata = Object.fromEntries(
    Object.entries(message.metadata ?? {}).filter(([key]) => !OF_THE_ROW.has(key)),
  );
  const given = message.metadata?.verbatim_parts;
  const verbatim = new Set(Array.isArray(given) ? given : []);
  const parts: DraftPart[] = [];
  for (const [index, part] of message.parts.entries()) {
    const typedBefore = parts.at(-1)?.type === "typed";
    parts.push(verbatim.has(index) ? part : reopenPart(part, typedBefore));
  }
  return { ...(Object.keys(metadata).length > 0 && { metadata }), parts };
}

function reopenPart(part: UserPart, typedBefore: boolean): DraftPart {
  if (part.type === "command") return unsettled(part as PartOf<"command">);
  if (part.type !== "text" || part.text === "") return part;
  const { type: _, text, literal, source, ...others } = part as PartOf<"text">;
  if (Object.keys(others).length > 0) return part;
  if (source === "paste" && literal === undefined) return { type: "pasted", text };
  // Two typed texts in a row would become one part.
  if (source !== undefined || typedBefore) return part;
  return { type: "typed", text: typeof literal === "string" ? literal : text };
}

/** What was typed, read off the parts: the literal where there is one, else the text. */
export function literalText(parts: readonly UserPart[]): string {
  return parts.map(literalOf).join("");
}

function literalOf(part: UserPart): string {
  if (typeof part.literal === "string") return part.literal;
  return part.type === "text" && typeof part.text === "string" ? part.text : "";
}
