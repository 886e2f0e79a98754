/**
 * The contexts of one segment, round by round. The first decides what is left out to fit; the ones
 * after it repeat that and only append, so that a tool loop never loses the provider's cache.
 */
import {
  type Assembly,
  assemble,
  type BudgetState,
  type Calibration,
  type ContextMessage,
  type Layer,
  type Manifest,
  type Pin,
} from "@galley/assemble";
import type { AssistantPart, MessageId } from "@galley/parts";
import { acceptsMedia, type ModelProfile } from "@galley/shape";
import type { Tool } from "./tool.ts";

export type RoundsInput = {
  readonly profile: ModelProfile;
  readonly layers: readonly Layer[];
  readonly history: readonly ContextMessage[];
  readonly tools: readonly Tool[];
  readonly pins: readonly Pin[];
  readonly answer_id: MessageId;
  /** What was left out before. */
  readonly budget: BudgetState;
  readonly calibration?: Calibration | undefined;
  /** Of the request before, in an earlier segment or turn. */
  readonly previous?: Manifest | undefined;
};

export type Round = Pick<Assembly, "context" | "manifest"> & {
  /** To be kept; only where this round decided something. */
  readonly budget?: BudgetState;
};

export interface Rounds {
  /** With the answer so far. */
  next(parts: readonly AssistantPart[]): Round;
}

export function openRounds(input: RoundsInput): Rounds {
  const { profile, layers, history, pins, calibration } = input;
  // Asked in every round: a tool that was found in the one before is offered from then on. An
  // endpoint that knows no tools refuses a request that names some.
  const tools = () =>
    profile.tools === "none" ? [] : input.tools.map(({ definition }) => definition);
  let { budget: state, previous } = input;
  let decides = true;
  return {
    next(parts) {
      const answer = { role: "assistant", id: input.answer_id, parts } as const;
      const { context, manifest, budget } = assemble({
        layers,
        messages: parts.length > 0 ? [...history, answer] : history,
        tools: tools(),
        contextWindow: profile.contextWindow,
        maxOutput: profile.maxOutput,
        shows: (mime) => acceptsMedia(profile, mime),
        pins,
        budget: { state, decides },
        ...(calibration && { calibration }),
        ...(previous && { previous }),
      });
      const decided = budget && budget !== state ? { budget } : {};
      decides = false;
      state = budget ?? state;
      previous = manifest;
      return { context, manifest, ...decided };
    },
  };
}
