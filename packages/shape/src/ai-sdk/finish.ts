/** How an AI SDK call ended and what it cost, in every spelling of the last three interfaces. */
import type { FinishReason, Usage } from "@galley/parts";
import { FINISH_REASONS } from "@galley/parts";
import { asObject, countOrNone } from "../json-value.ts";

export type Finish = {
  /** Undefined when the provider's stream broke off. */
  readonly reason: FinishReason | undefined;
  readonly raw?: string;
};

/** V4 and V3 say `{ unified, raw }`, V2 a word. */
export function readFinish(finish: unknown): Finish {
  const { unified, raw } =
    typeof finish === "object" && finish !== null
      ? (finish as { unified?: unknown; raw?: unknown })
      : { unified: finish, raw: undefined };
  const said = typeof raw === "string" ? { raw } : {};
  if (unified === "interrupted") return { reason: undefined, ...said };
  return { reason: FINISH_REASONS.find((reason) => reason === unified) ?? "other", ...said };
}

export const NO_USAGE: Usage = { input: 0, output: 0, reasoning: 0, cache_read: 0, cache_write: 0 };

/** V4 and V3 nest their counts, V2 has totals in one row. Totals include what is counted apart. */
export function usageOf(usage: unknown): Usage {
  const row = asObject(usage);
  const input = asObject(row.inputTokens);
  const output = asObject(row.outputTokens);
  const cache_read = countOrNone(input.cacheRead) ?? countOrNone(row.cachedInputTokens) ?? 0;
  const cache_write = countOrNone(input.cacheWrite) ?? 0;
  const reasoning = countOrNone(output.reasoning) ?? countOrNone(row.reasoningTokens) ?? 0;
  const allInput = countOrNone(input.total) ?? countOrNone(row.inputTokens) ?? 0;
  const allOutput = countOrNone(output.total) ?? countOrNone(row.outputTokens) ?? 0;
  return {
    input: countOrNone(input.noCache) ?? Math.max(0, allInput - cache_read - cache_write),
    output: countOrNone(output.text) ?? Math.max(0, allOutput - reasoning),
    reasoning,
    cache_read,
    cache_write,
  };
}
