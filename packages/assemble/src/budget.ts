/**
 * Decides what is left out when a context is too large: old tool results, then old attachments,
 * then nothing: the send is refused.
 *
 * What was left out stays out, with the line that was put in its place, so that bytes do not flip
 * from turn to turn; and more is left out than needed at once, down to a low-water mark, so that it
 * does not happen every turn. The state is plain JSON, in and out.
 */
import { type Calibration, calibrated } from "./calibration.ts";
import type { ElisionStage } from "./elision-line.ts";
import {
  addMeasure,
  type Measure,
  measureText,
  type Tally,
  tallyInto,
  tokensOf,
} from "./estimate.ts";

export type Elision = {
  /** Of what is left out, counted when it was. */
  readonly tokens: number;
  /** What stands in its place. */
  readonly line: string;
};

/** What is left out, by block. Keep one for each session and model. */
export type BudgetState = { readonly elided: Readonly<Record<string, Elision>> };

export const NOTHING_ELIDED: BudgetState = { elided: {} };

export type BudgetPolicy = {
  /** Of model calls with tools: the results of so many last ones stay. */
  readonly rounds: number;
  /** The share of the limit down to which is left out. */
  readonly lowWater: number;
  /** Tools whose results stay, whatever their age: what the model was told to go by. */
  readonly keeps: readonly string[];
  /** Whether more may be left out than was before; a continuation only repeats. */
  readonly decides: boolean;
};

export const DEFAULT_BUDGET_POLICY: BudgetPolicy = {
  rounds: 2,
  lowWater: 0.8,
  keeps: ["skill"],
  decides: true,
};

/** A block that may be left out. Those of a stage go in the order in which they are given. */
export type Candidate = {
  readonly id: string;
  readonly stage: ElisionStage;
  /** Of the block as it stands. */
  readonly measure: Measure;
  /** What would be put in its place now. */
  readonly elision: Elision;
  /** Of what then stays: that line, and the call of a tool result. */
  readonly left: Measure;
};

export type Load<C extends Candidate = Candidate> = Sum & {
  readonly limit: number;
  readonly candidates: readonly C[];
};

/** Of a whole request. */
export type Sum = { readonly measure: Measure; readonly tokens: number };

/** A block that is left out, with the line and the rest as they are. */
export type LeftOut<C extends Candidate = Candidate> = C & {
  /** Decided by this send, not by an earlier one. */
  readonly fresh: boolean;
};

export type Fit<C extends Candidate = Candidate> = {
  readonly leftOut: readonly LeftOut<C>[];
  /** Of what then stays. */
  readonly sum: Sum;
  readonly state: BudgetState;
  /** The estimate of all that may not be left out. */
  readonly floor: number;
  readonly refused: boolean;
};

/** Below this a line in its place saves nothing worth a changed request. */
const LEAST_GAIN = 20;

export function fit<C extends Candidate>(
  load: Load<C>,
  state: BudgetState,
  policy: Pick<BudgetPolicy, "lowWater"> & Partial<BudgetPolicy> = DEFAULT_BUDGET_POLICY,
  calibration?: Calibration,
): Fit<C> {
  const { limit, candidates } = load;
  const { lowWater, decides = true } = policy;
  const estimate = ({ measure, tokens }: Sum): number => calibrated(measure, tokens, calibration);
  const leftOut: LeftOut<C>[] = [];
  const open: C[] = [];
  for (const each of candidates) {
    const kept = asKept(each, state);
    if (kept) leftOut.push(kept);
    else if (isWorth(each)) open.push(each);
  }
  const sum = without(load, leftOut);
  const floor = estimate(without(sum, open));
  const refused = floor > limit;
  // A send that is refused decides nothing: the next one may be smaller.
  if (decides && !refused && estimate(sum) > limit) {
    for (const each of STAGES.flatMap((stage) => open.filter((one) => one.stage === stage))) {
      if (estimate(sum) <= limit * lowWater) break;
      takeOut(sum, each);
      leftOut.push({ ...each, fresh: true });
    }
  }
  return { leftOut, sum, state: nextState(state, leftOut), floor, refused };
}

const STAGES: readonly ElisionStage[] = ["tool-result", "attachment"];

/** As it was decided, which a change of wording or of measuring does not change. */
function asKept<C extends Candidate>(each: C, { elided }: BudgetState): LeftOut<C> | undefined {
  const elision = Object.hasOwn(elided, each.id) ? elided[each.id] : undefined;
  if (!elision) return undefined;
  if (elision.line === each.elision.line) return { ...each, elision, fresh: false };
  const rest = addMeasure(each.left, measureText(each.elision.line), -1);
  const left = addMeasure(rest, measureText(elision.line));
  return { ...each, elision, left, fresh: false };
}

const isWorth = ({ measure, left }: Candidate): boolean =>
  tokensOf(measure) - tokensOf(left) >= LEAST_GAIN;

type Running = { readonly measure: Tally; tokens: number };

function without(sum: Sum, all: readonly Candidate[]): Running {
  const running: Running = { measure: { ...sum.measure }, tokens: sum.tokens };
  for (const each of all) takeOut(running, each);
  return running;
}

function takeOut(sum: Running, { measure, left }: Candidate): void {
  tallyInto(sum.measure, measure, -1);
  tallyInto(sum.measure, left);
  sum.tokens += tokensOf(left) - tokensOf(measure);
}

/** Decisions are only added: one about a block that is not here, or not old now, may hold again. */
function nextState(state: BudgetState, leftOut: readonly LeftOut[]): BudgetState {
  const fresh = leftOut.filter((each) => each.fresh);
  if (fresh.length === 0) return state;
  const added = Object.fromEntries(fresh.map(({ id, elision }) => [id, elision]));
  return { elided: { ...state.elided, ...added } };
}
