/**
 * The offline model, one row for each protocol it speaks.
 *
 * Each takes what that protocol's real models take, so that a message rehearsed here is lowered as
 * it would be for them. The window is small enough to reach in a test.
 */
import { ANTHROPIC_ACCEPTS, anthropicLimits } from "./anthropic.ts";
import { GEMINI_ACCEPTS, GEMINI_LIMITS } from "./gemini.ts";
import type { MediaLimits, ModelProfile, ProtocolId } from "./model.ts";
import { OPENAI_ACCEPTS, OPENAI_LIMITS } from "./openai.ts";

const WINDOW = 200_000;

type Speech = {
  readonly accepts: readonly string[];
  readonly limits: MediaLimits;
  readonly toolResultMedia: boolean;
};

const SPEECH: { readonly [K in ProtocolId]: Speech } = {
  "anthropic-messages": {
    accepts: ANTHROPIC_ACCEPTS,
    // The rehearsal model refuses an image at 5 MB, the figure of the partner platforms.
    limits: { ...anthropicLimits(WINDOW), imageBytes: 3_932_160 },
    toolResultMedia: true,
  },
  "openai-responses": { accepts: OPENAI_ACCEPTS, limits: OPENAI_LIMITS, toolResultMedia: true },
  "openai-chat": { accepts: OPENAI_ACCEPTS, limits: OPENAI_LIMITS, toolResultMedia: false },
  "gemini-generate": { accepts: GEMINI_ACCEPTS, limits: GEMINI_LIMITS, toolResultMedia: true },
};

const row = (id: string, protocol: ProtocolId): ModelProfile => ({
  provider: "rehearsal",
  id,
  protocol,
  contextWindow: WINDOW,
  maxOutput: 8192,
  ...SPEECH[protocol],
  reasoning: true,
  // It never opens a socket of its own, so it fetches nothing.
  fileUrl: false,
  provenance: { source: "@galley/rehearsal", as_of: "2026-11-15" },
});

export const REHEARSAL_MODELS: readonly ModelProfile[] = [
  row("default", "anthropic-messages"),
  row("anthropic", "anthropic-messages"),
  row("openai", "openai-responses"),
  row("openai-chat", "openai-chat"),
  row("gemini", "gemini-generate"),
];
