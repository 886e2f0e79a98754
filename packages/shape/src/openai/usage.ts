/** Token counts of both protocols, which nest what we keep apart. */
import type { Usage } from "@galley/parts";
import { asCount, asObject } from "../json-value.ts";

export const NO_USAGE: Usage = { input: 0, output: 0, reasoning: 0, cache_read: 0, cache_write: 0 };

export function chatUsage(usage: unknown): Usage {
  const { prompt_tokens, completion_tokens, total_tokens, ...rest } = asObject(usage);
  return split({
    input: prompt_tokens,
    output: completion_tokens,
    total: total_tokens,
    inputDetails: rest.prompt_tokens_details,
    outputDetails: rest.completion_tokens_details,
  });
}

export function responsesUsage(usage: unknown): Usage {
  const { input_tokens, output_tokens, total_tokens, ...rest } = asObject(usage);
  return split({
    input: input_tokens,
    output: output_tokens,
    total: total_tokens,
    inputDetails: rest.input_tokens_details,
    outputDetails: rest.output_tokens_details,
  });
}

type Counts = Readonly<
  Record<"input" | "output" | "total" | "inputDetails" | "outputDetails", unknown>
>;

function split(counts: Counts): Usage {
  const inside = asObject(counts.inputDetails);
  const read = asCount(inside.cached_tokens);
  const written = asCount(inside.cache_write_tokens);
  const reasoning = asCount(asObject(counts.outputDetails).reasoning_tokens);
  const input = asCount(counts.input);
  const output = asCount(counts.output);
  // Some servers count reasoning beside the output instead of inside it; their total tells.
  const beside = asCount(counts.total) === input + output + reasoning;
  return {
    input: Math.max(0, input - read - written),
    output: beside ? output : Math.max(0, output - reasoning),
    reasoning,
    cache_read: read,
    cache_write: written,
  };
}
