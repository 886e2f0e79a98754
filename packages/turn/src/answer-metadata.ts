/**
 * What an answer's row says of the calls that made it, as steps follow one another.
 *
 * Tokens are summed and lists grow; everything else is what the last step said. Metadata that comes
 * twice in one step replaces itself, so nothing is counted twice.
 */
import type { UiChunk, Usage } from "@galley/parts";

export type AnswerMetadata = Readonly<Record<string, unknown>>;

export type StepsMetadata = {
  /** Of the steps before this one. */
  readonly before: AnswerMetadata;
  readonly step: AnswerMetadata;
};

export const NO_STEPS: StepsMetadata = { before: {}, step: {} };

/** The same object when the chunk says nothing about the answer as a whole. */
export function foldMetadata(steps: StepsMetadata, chunk: UiChunk): StepsMetadata {
  switch (chunk.type) {
    case "start-step":
      return nextStep(steps);
    case "message-metadata":
    case "start":
    case "finish":
      return learn(steps, ofModel(chunk.messageMetadata));
    case "error":
      return learn(steps, { error: chunk.errorText });
    case "abort":
      return learn(steps, chunk.reason === undefined ? {} : { abort_reason: chunk.reason });
    default:
      return steps;
  }
}

export const metadataOf = ({ before, step }: StepsMetadata): AnswerMetadata => ({
  ...before,
  ...added(before, step),
});

/** What the later keys amount to, on top of what was said earlier. */
export function added(earlier: AnswerMetadata, later: AnswerMetadata): AnswerMetadata {
  return Object.fromEntries(
    Object.entries(later).map(([key, value]) => [key, sum(key, earlier[key], value)]),
  );
}

function sum(key: string, earlier: unknown, later: unknown): unknown {
  if (key === "usage" && isObject(earlier) && isObject(later)) return addUsage(earlier, later);
  if (Array.isArray(earlier) && Array.isArray(later)) return [...earlier, ...later];
  return later;
}

function nextStep(steps: StepsMetadata): StepsMetadata {
  if (Object.keys(steps.step).length === 0) return steps;
  const before = metadataOf(steps);
  // How the step before ended says nothing about this one, which may be cut off; a key that is
  // undefined takes the stored one away.
  const step = "finish_reason" in before ? { finish_reason: undefined } : {};
  return { before, step };
}

function learn(steps: StepsMetadata, news: AnswerMetadata): StepsMetadata {
  if (Object.keys(news).length === 0) return steps;
  return { ...steps, step: { ...steps.step, ...news } };
}

/** The row's `model` is what was asked for; what the provider says it used stands beside it. */
function ofModel(metadata: unknown): AnswerMetadata {
  if (!isObject(metadata)) return {};
  const { model, ...rest } = metadata;
  const { usage } = rest;
  return {
    ...rest,
    ...(model !== undefined && { response_model: model }),
    // A step that was cut off may know nothing of its tokens; the last that did is the better word.
    ...(isObject(usage) && total(usage) > 0 && { last_usage: usage }),
  };
}

function addUsage(a: AnswerMetadata, b: AnswerMetadata): Usage {
  return {
    input: count(a.input) + count(b.input),
    output: count(a.output) + count(b.output),
    reasoning: count(a.reasoning) + count(b.reasoning),
    cache_read: count(a.cache_read) + count(b.cache_read),
    cache_write: count(a.cache_write) + count(b.cache_write),
  };
}

function total(usage: AnswerMetadata): number {
  const { input, output, reasoning, cache_read, cache_write } = addUsage(usage, {});
  return input + output + reasoning + cache_read + cache_write;
}

const count = (value: unknown): number => (typeof value === "number" ? value : 0);

const isObject = (value: unknown): value is AnswerMetadata =>
  typeof value === "object" && value !== null && !Array.isArray(value);
