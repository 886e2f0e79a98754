/**
 * The models the rehearsal knows, with the limits it holds them to.
 *
 * This is not the catalogue: the host hands in what it wants enforced. A model that is not in the
 * list is accepted (unless told otherwise) under the widest limits any current model has, so that an
 * unknown limit never refuses what the real model would take.
 */
export type RehearsalModel = {
  readonly id: string;
  readonly contextWindow: number;
  readonly maxOutput: number;
  /** MIME types; absent: all that the protocol takes. */
  readonly accepts?: readonly string[];
  /** Anthropic: the largest image, in bytes of its base64. */
  readonly imageBytesMax?: number;
  /** Anthropic: whether a final assistant message may be continued. Newer models refuse it. */
  readonly prefill?: boolean;
  /** Whether `temperature`, `top_p` and `top_k` are taken. Reasoning models refuse them. */
  readonly sampling?: boolean;
  /** Anthropic: whether `thinking: { type: "enabled" }` is taken. Newer models only adapt. */
  readonly manualThinking?: boolean;
  /** Anthropic: whether `role: "system"` may stand inside `messages`. */
  readonly systemRole?: boolean;
  /** OpenAI: reasoning models take `max_completion_tokens` and refuse `max_tokens`. */
  readonly reasoning?: boolean;
  /** Gemini 3 and later refuse a function call that comes back without its thought signature. */
  readonly thoughtSignatures?: "required" | "optional";
};

const REHEARSAL_LIMITS = { contextWindow: 200_000, maxOutput: 8_192 };

export const REHEARSAL_MODELS: readonly RehearsalModel[] = [
  "default",
  "anthropic",
  "openai",
  "openai-chat",
  "gemini",
].map((id) => ({ id, ...REHEARSAL_LIMITS }));

const WIDEST = { contextWindow: 1_048_576, maxOutput: 128_000 };

export function modelFinder(
  models: readonly RehearsalModel[],
  acceptAny: boolean,
): (id: string) => RehearsalModel | undefined {
  const known = new Map(models.map((model) => [model.id, model]));
  return (id) => known.get(id) ?? (acceptAny ? { id, ...WIDEST } : undefined);
}
