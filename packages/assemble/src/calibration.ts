/**
 * What a provider counts, learned from its own counts: one weight a class of characters, for one
 * provider and model.
 *
 * A pure step over plain JSON; who keeps the state is the host's business. Each count tells of all
 * classes at once, so the step is a Kalman filter: what a count cannot tell apart it leaves open,
 * and a class that was not seen yet keeps its weight until it is.
 */
import type { Usage } from "@galley/parts";
import { type Measure, sumOf, TOKEN_CLASSES } from "./estimate.ts";

export type Calibration = {
  readonly turns: number;
  readonly weights: Measure;
  /** How open each weight still is, and together with which: a covariance, class by class. */
  readonly spread: readonly (readonly number[])[];
};

export type Count = {
  /** The request by class, as it was measured, without weights. */
  readonly estimated: Measure;
  /** What the provider says that the same request was. */
  readonly counted: number;
};

/** How far a weight may be off before anything is known; squared, as all three. */
const UNKNOWN = 0.25 ** 2;
/** How far it may move from one turn to the next. */
const DRIFT = 0.02 ** 2;
/** What no weights explain: the share of a request by which counts scatter. */
const SCATTER = 0.01 ** 2;

const LEAST = 0.4;
const MOST = 2.5;

export const UNCALIBRATED: Calibration = {
  turns: 0,
  weights: { prose: 1, code: 1, cjk: 1, base64: 1, other: 1, media: 1 },
  spread: TOKEN_CLASSES.map((_, row) => TOKEN_CLASSES.map((_, at) => (at === row ? UNKNOWN : 0))),
};

/** The input of a request, read from the cache or not: what the estimate is an estimate of. */
export const countedInput = (usage: Pick<Usage, "input" | "cache_read" | "cache_write">): number =>
  usage.input + usage.cache_read + usage.cache_write;

export function calibrate(state: Calibration, { estimated, counted }: Count): Calibration {
  const total = sumOf(estimated);
  // A provider that does not count says nothing, and there is nothing to learn from an empty request.
  if (!(counted > 0) || !(total > 0) || !Number.isFinite(counted + total)) return state;
  // Relative to the count, so that a long conversation does not outvote all short ones.
  const scale = clamp(counted, total * LEAST, total * MOST);
  const share = TOKEN_CLASSES.map((name) => estimated[name] / scale);
  const open = state.spread.map((row, at) => row.map((each, to) => each + (at === to ? DRIFT : 0)));
  const pull = open.map((row) => dot(row, share));
  const certainty = dot(share, pull) + SCATTER;
  const gain = pull.map((each) => each / certainty);
  const weights = TOKEN_CLASSES.map((name) => state.weights[name]);
  const error = 1 - dot(weights, share);
  const learned = weights.map((weight, at) => clamp(weight + (gain[at] ?? 0) * error, LEAST, MOST));
  return {
    turns: state.turns + 1,
    weights: Object.fromEntries(TOKEN_CLASSES.map((name, at) => [name, learned[at]])) as Measure,
    spread: open.map((row, at) => row.map((each, to) => each - (gain[at] ?? 0) * (pull[to] ?? 0))),
  };
}

/** How many tokens the provider would count; `tokens` are those of the measure, rounded. */
export function calibrated(
  measure: Measure,
  tokens: number,
  { weights }: Pick<Calibration, "weights"> = UNCALIBRATED,
): number {
  const total = sumOf(measure);
  if (total === 0) return tokens;
  const weighed = TOKEN_CLASSES.reduce((sum, name) => sum + measure[name] * weights[name], 0);
  return Math.round((tokens * weighed) / total);
}

const dot = (one: readonly number[], other: readonly number[]): number =>
  one.reduce((sum, each, at) => sum + each * (other[at] ?? 0), 0);

const clamp = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, value));
