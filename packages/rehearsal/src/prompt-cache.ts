/**
 * A model of prompt caching, just good enough to see whether a prefix stayed byte-equal.
 *
 * Anthropic: a request writes the prefix that ends at each of its markers, and reads the longest
 * prefix, up to its last marker, that an earlier request wrote. OpenAI and Gemini cache by themselves:
 * every prefix is written, and one of at least 1,024 tokens is read. Markers are no part of what is
 * compared. Simplified: nothing expires, Anthropic's minimum length does not apply.
 */
import { createHash } from "node:crypto";
import { type Heard, type Segment, segmentsOf } from "./heard.ts";
import type { CountTokens } from "./tokens.ts";

export type Cached = { readonly read: number; readonly write: number };

export interface PromptCache {
  account(heard: Heard): Cached;
}

/** Documented for OpenAI's automatic caching. */
const IMPLICIT_MINIMUM = 1_024;

export function promptCache(count: CountTokens, prefixesKept: number): PromptCache {
  const written = new Set<string>();

  const write = (hash: string) => {
    written.delete(hash);
    written.add(hash);
    const [oldest] = written;
    if (written.size > prefixesKept && oldest !== undefined) written.delete(oldest);
  };

  return {
    account(heard) {
      const prefixes = prefixesOf(segmentsOf(heard, count), `${heard.protocol} ${heard.model}`);
      const explicit = heard.protocol === "anthropic-messages";
      const last = explicit ? prefixes.findLastIndex(({ marked }) => marked) : prefixes.length - 1;
      const cacheable = prefixes.slice(0, last + 1);
      const hit = cacheable.findLast(({ hash }) => written.has(hash))?.tokens ?? 0;
      for (const prefix of cacheable) if (!explicit || prefix.marked) write(prefix.hash);
      if (!explicit) return { read: hit >= IMPLICIT_MINIMUM ? hit : 0, write: 0 };
      return { read: hit, write: (cacheable.at(-1)?.tokens ?? 0) - hit };
    },
  };
}

type Prefix = { readonly hash: string; readonly tokens: number; readonly marked: boolean };

/** Each prefix is hashed from the one before it, so a long prompt costs one pass. */
function prefixesOf(segments: readonly Segment[], root: string): Prefix[] {
  let hash = root;
  let tokens = 0;
  return segments.map((segment) => {
    hash = createHash("sha256").update(hash).update(segment.key).digest("hex");
    tokens += segment.tokens;
    return { hash, tokens, marked: segment.marked };
  });
}
