/**
 * The best way to lay a term over a text, place by place: the rules of `align.ts` once more, with
 * the steps kept. It runs for the few texts that are shown, so it is written to be read.
 */
import { atLeast, GAP_OPENING, isTooLarge, MATCH } from "./align.ts";
import { BONUS } from "./bonus.ts";
import { standsAt } from "./contains.ts";
import type { Term } from "./query.ts";
import type { Store } from "./store.ts";

/** A character at a place, with the best way to come there. */
type Step = {
  readonly at: number;
  readonly end: number;
  readonly score: number;
  readonly run: number;
  readonly before: Step | undefined;
};

const SLASH = 47;

/** `earliest` is what `contains` wrote for this text; `to` is where the text ends. */
export function traceWay(store: Store, to: number, term: Term, earliest: Int32Array): Int32Array {
  const from = earliest[0] ?? 0;
  if (isTooLarge(from, to, term)) return earliest.slice();
  let row: readonly Step[] = [];
  for (let nth = 0; nth < term.length; nth += 1) row = nextRow(store, from, to, term, nth, row);
  let step = row.reduce<Step | undefined>(better, undefined);
  const way = new Int32Array(term.length);
  for (let nth = term.length - 1; nth >= 0; nth -= 1) {
    way[nth] = step?.at ?? 0;
    step = step?.before;
  }
  return way;
}

const better = (best: Step | undefined, step: Step): Step =>
  best === undefined || step.score > best.score ? step : best;

/** Steps for one character; `row` holds those of the character before, in order. */
function nextRow(
  store: Store,
  from: number,
  to: number,
  term: Term,
  nth: number,
  row: readonly Step[],
): readonly Step[] {
  const confined = term.segmented && term.bytes[term.at[nth - 1] ?? 0] !== SLASH;
  const width = (term.at[nth + 1] ?? 0) - (term.at[nth] ?? 0);
  const steps: Step[] = [];
  let next = 0;
  let reach: Step | undefined;
  for (let at = from; at < to; at += 1) {
    for (; (row[next]?.end ?? to) <= at; next += 1) reach = farther(reach, row[next]);
    if (standsAt(store, at, term, nth)) {
      const bonus = (store.marks[at] ?? 0) & BONUS;
      const best = nth === 0 ? first(bonus) : onward(reach, row[next - 1], at, bonus);
      if (best) steps.push({ at, end: at + width, ...best });
    }
    if (confined && store.bytes[at] === SLASH) reach = undefined;
  }
  return steps;
}

type Arrival = Pick<Step, "score" | "run" | "before">;

const first = (bonus: number): Arrival => ({
  score: MATCH + 2 * bonus,
  run: bonus,
  before: undefined,
});

/** Whichever leaves more for a character that comes after both. */
function farther(one: Step | undefined, other: Step | undefined): Step | undefined {
  if (one === undefined || other === undefined) return other ?? one;
  return other.score + other.end > one.score + one.end ? other : one;
}

function onward(
  reach: Step | undefined,
  latest: Step | undefined,
  at: number,
  bonus: number,
): Arrival | undefined {
  if (reach === undefined) return undefined;
  const score = reach.score - (at - reach.end) - GAP_OPENING + MATCH + bonus;
  if (latest?.end === at) {
    const run = Math.max(latest.run, bonus);
    const unbroken = latest.score + MATCH + atLeast(run);
    if (unbroken >= score) return { score: unbroken, run, before: latest };
  }
  return { score, run: bonus, before: reach };
}
