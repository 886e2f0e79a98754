/**
 * Where OpenAI's own models and the many other servers of this protocol part ways.
 *
 * The model's name decides, not the provider: `openai-chat` is any server, and OpenAI's models are
 * also served by others under the same names.
 */
import type { ModelProfile } from "../catalogue/model.ts";

export type Dialect = {
  /** OpenAI's models that reason refuse the old name; other servers know only the old one. */
  readonly limit: "max_completion_tokens" | "max_tokens";
  /**
   * Whether the limit is sent when nobody set one. OpenAI's default is the model's own limit, and a
   * number counts against the account's rate whether it is used or not. Elsewhere the default may
   * be a few hundred tokens, so the model's limit is said.
   */
  readonly sayLimit: boolean;
  /** `prompt_cache_key` is OpenAI's; strict servers refuse a request with a field they do not know. */
  readonly cacheKey: boolean;
};

const OPENAI: Dialect = { limit: "max_completion_tokens", sayLimit: false, cacheKey: true };
const OTHERS: Dialect = { limit: "max_tokens", sayLimit: true, cacheKey: false };

/** `gpt-5.5`, `gpt-audio`, `chatgpt-4o-latest`, `o3`, fine-tuned ones; not `gpt-oss`, which is open. */
const OPENAI_MODELS = /^(ft:)?(gpt-\d|gpt-audio|chatgpt-|o\d)/;

/** A rehearsal stands for the models of the protocol's own maker. */
export const dialectOf = ({ provider, id }: Pick<ModelProfile, "provider" | "id">): Dialect =>
  provider === "rehearsal" || OPENAI_MODELS.test(id) ? OPENAI : OTHERS;
