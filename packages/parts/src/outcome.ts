/**
 * What became of a part on its way to the model.
 *
 * "Dropped" is not among the words: a part is shown, replaced or resolved before the model, and
 * each of these is recorded with the bytes of the request that it became.
 */
import { z } from "zod";

export const OUTCOMES = [
  /** In the provider's own form. */
  "native",
  /** As text that holds its content. */
  "text",
  /** As a line that names it; its bytes stay behind. */
  "descriptor",
  /** Settled before the model: nothing of it belongs in the request. */
  "resolved-out",
  /** Could not be had; a line in its place says so. */
  "placeholder",
  /** Left out to fit the budget; a line in its place says so. */
  "elided",
] as const;

/** Half-open, counted in bytes of the request body. */
export const ByteRange = z.tuple([z.int().min(0), z.int().min(0)]);
export type ByteRange = z.infer<typeof ByteRange>;

export const Outcome = z.looseObject({
  part: z.int().min(0),
  message_id: z.string().optional(),
  type: z.string(),
  outcome: z.enum(OUTCOMES),
  bytes: z.array(ByteRange),
  /** What it became, in a word or two: a media type, a range. */
  detail: z.string().optional(),
  /** Why the model is shown less, or something else, than what came in. */
  note: z.string().optional(),
});
export type Outcome = z.infer<typeof Outcome>;
export type OutcomeKind = (typeof OUTCOMES)[number];
