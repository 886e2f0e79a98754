/** Why a request that is too large cannot be made to fit, and the ways out that would help. */
import type { ManifestPin, Refusal } from "./manifest.ts";

export type Weights = {
  readonly estimate: number;
  readonly limit: number;
  readonly floor: number;
  /** Tokens of all messages before the one that is answered, of that one, and of the pins. */
  readonly history: number;
  readonly task: number;
  readonly pins: readonly ManifestPin[];
};

export function refusalOf({ estimate, limit, floor, ...weights }: Weights): Refusal {
  const { history, task, pins } = weights;
  const heaviest = pins.reduce<ManifestPin | undefined>(
    (most, pin) => (most && most.tokens >= pin.tokens ? most : pin),
    undefined,
  );
  return {
    estimate,
    limit,
    floor,
    ways_out: [
      ...(floor <= limit ? ["send a message to go on: what is old is left out then"] : []),
      ...(history > 0 ? ["compact the conversation"] : []),
      ...(heaviest ? [`unpin ${heaviest.id} (about ${heaviest.tokens} tokens)`] : []),
      ...(task > 0 && task >= history ? ["send less: shorten the message, attach less"] : []),
      "choose a model with a larger context window",
    ],
  };
}

export function refusalText({ estimate, limit, floor, ways_out }: Refusal): string {
  const needs = `the request needs about ${estimate} tokens and ${limit} fit`;
  const still = floor > limit ? "it would still need" : "it would need";
  return `${needs}; without all that may be left out ${still} about ${floor}: ${ways_out.join(", or ")}`;
}
