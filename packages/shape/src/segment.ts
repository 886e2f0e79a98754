/**
 * A segment: what one message became on the wire, serialized once.
 *
 * It holds native JSON items and what became of each part. It knows nothing of its neighbours: the
 * forme decides which frames are shared and where bytes stand.
 */
import type { ContextMessage } from "@galley/assemble";
import { acceptsMedia } from "./catalogue/lookup.ts";
import type { ModelProfile } from "./catalogue/model.ts";
import { INLINE_TEXT_BYTES, lowerUser, type PartOutcome } from "./lower.ts";
import { type AnswerTarget, lowerAssistant } from "./lower-assistant.ts";
import { overLimit } from "./media-limits.ts";
import type { Frame, Protocol, WireItem } from "./protocol.ts";

export type Segment = {
  readonly items: readonly WireItem[];
  readonly outcomes: readonly PartOutcome[];
};

export function targetOf(protocol: Protocol, profile: ModelProfile): AnswerTarget {
  return {
    namespace: protocol.namespace,
    inlineTextBytes: INLINE_TEXT_BYTES,
    toolResultMedia: profile.toolResultMedia,
    answerMedia: (mime) => protocol.answerMedia(mime),
    signed: (metadata) => protocol.signed(metadata),
    refuses: (mime, size, base64) =>
      protocol.encodes(mime) && acceptsMedia(profile, mime)
        ? overLimit(profile.limits, mime, size, base64)
        : `the model does not take ${mime}`,
  };
}

export function makeSegment(
  message: ContextMessage,
  protocol: Protocol,
  target: AnswerTarget,
): Segment {
  if (message.role === "user") {
    const { blocks, outcomes } = lowerUser(message, target);
    return { items: protocol.encodeUser(blocks), outcomes };
  }
  const { steps, outcomes } = lowerAssistant(message, target);
  return { items: steps.flatMap((step) => protocol.encodeStep(step)), outcomes };
}

/** The item before, of which only the frame matters. */
export type Last = { readonly frame: Frame | undefined };

/** What stands before an item: a comma alone where it shares a frame with the one before. */
export function glue(before: Last | undefined, after: Frame | undefined): string {
  if (!before) return after?.open ?? "";
  if (before.frame && after && before.frame.key === after.key) return ",";
  return `${before.frame?.close ?? ""},${after?.open ?? ""}`;
}
