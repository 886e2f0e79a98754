/** Tokens of one model call, in five buckets that do not overlap: their sum is what was billed. */
import { z } from "zod";

export const Usage = z.looseObject({
  /** Input that was neither read from nor written to the provider's cache. */
  input: z.int().min(0),
  /** Output without reasoning. */
  output: z.int().min(0),
  reasoning: z.int().min(0),
  cache_read: z.int().min(0),
  cache_write: z.int().min(0),
});
export type Usage = z.infer<typeof Usage>;
