/** Fields that Chat Completions and Responses share, after the types of `openai` 7.53. */
import {
  choice,
  type Fields,
  flag,
  integer,
  list,
  nullable,
  number,
  object,
  optional,
  record,
  text,
} from "../check.ts";

/** Documented: "a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length of 64". */
export const toolName = text({ min: 1, max: 64, pattern: /^[a-zA-Z0-9_-]+$/ });

export const effort = optional(
  nullable(choice("none", "minimal", "low", "medium", "high", "xhigh", "max")),
);

export const cacheBreakpoint = {
  prompt_cache_breakpoint: optional(
    nullable(object({ mode: choice("explicit"), ttl: optional(choice("30m", "12h")) })),
  ),
};

export const grammarFormat = object(
  { type: choice("text", "grammar"), grammar: optional(record()) },
  { open: true },
);

export const SHARED_FIELDS: Fields = {
  // Documented: at most 16 pairs, keys to 64 characters, values to 512.
  metadata: optional(nullable(record(text({ max: 512 })))),
  moderation: optional(nullable(record())),
  prompt_cache_key: optional(nullable(text())),
  prompt_cache_options: optional(record()),
  prompt_cache_retention: optional(nullable(choice("in_memory", "24h"))),
  safety_identifier: optional(nullable(text({ max: 64 }))),
  store: optional(nullable(flag)),
  stream: optional(nullable(flag)),
  temperature: optional(nullable(number({ min: 0, max: 2 }))),
  top_logprobs: optional(nullable(integer({ min: 0, max: 20 }))),
  top_p: optional(nullable(number({ min: 0, max: 1 }))),
  user: optional(text()),
};

export const stopSequences = list(text(), { min: 1, max: 4 });
