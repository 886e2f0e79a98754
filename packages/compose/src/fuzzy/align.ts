/**
 * The score of the best way to lay a term over a text that holds it, in one pass over the bytes.
 *
 * For each character of the term the pass remembers its latest place, with the best score of any
 * way to come there, and the best score from which the next character can be reached over a gap.
 * A gap costs its opening and its length; because the length counts linearly, that is one running
 * maximum and no search back. `trace.ts` finds the way itself.
 */
import { BONUS } from "./bonus.ts";
import { standsAt } from "./contains.ts";
import type { Term } from "./query.ts";
import type { Store } from "./store.ts";

export const MATCH = 32;
/** The least that a character right after its predecessor earns beside its match. */
export const CONSECUTIVE = 10;
export const GAP_OPENING = 14;
const NONE = -0x3fffffff;
const SLASH = 47;

/** Longer texts times longer terms are laid out as they were found first. */
const MOST_CELLS = 1 << 15;

export const isTooLarge = (from: number, to: number, term: Term): boolean =>
  (to - from) * term.length > MOST_CELLS;

export interface Aligner {
  /** `earliest` is what `contains` wrote for this text; `to` is where the text ends. */
  score(store: Store, to: number, earliest: Int32Array): number;
}

// Indexes stay inside their arrays by construction. `as number` says so to the compiler without a
// check at every byte of every path.

export function createAligner(term: Term): Aligner {
  const { length, segmented, simple } = term;
  const { heads, nexts, slashes, widths } = occurrences(term);
  const scores = new Int32Array(length);
  /** The best bonus in the unbroken run that ends at the latest place. */
  const runs = new Int32Array(length);
  /** Where the latest place ends. */
  const ends = new Int32Array(length);
  /** The best of score plus end over all places so far. */
  const reach = new Int32Array(length);

  function put(nth: number, at: number, bonus: number): void {
    let score = MATCH + 2 * bonus;
    let run = bonus;
    if (nth > 0) {
      const over = reach[nth - 1] as number;
      if (over === NONE) return;
      score = over - at - GAP_OPENING + MATCH + bonus;
      if (ends[nth - 1] === at) {
        const before = runs[nth - 1] as number;
        const inherited = before > bonus ? before : bonus;
        const unbroken = (scores[nth - 1] as number) + MATCH + atLeast(inherited);
        if (unbroken >= score) {
          score = unbroken;
          run = inherited;
        }
      }
    }
    const end = at + (widths[nth] as number);
    scores[nth] = score;
    runs[nth] = run;
    ends[nth] = end;
    if (score + end > (reach[nth] as number)) reach[nth] = score + end;
  }

  /** Only after a slash may the way lead into another segment. */
  function leaveSegment(): void {
    for (let nth = 0; nth < length; nth += 1) if (slashes[nth] === 0) reach[nth] = NONE;
  }

  return {
    score(store, to, earliest) {
      const from = earliest[0] as number;
      if (isTooLarge(from, to, term)) return layOut(store, term, earliest);
      const { bytes, marks } = store;
      const last = length - 1;
      let best = NONE;
      for (let nth = 0; nth < length; nth += 1) reach[nth] = ends[nth] = NONE;
      for (let at = from; at < to; at += 1) {
        const byte = bytes[at] as number;
        let nth = heads[byte] as number;
        // The later character first: it builds on what the earlier one was before this place.
        for (; nth >= 0; nth = nexts[nth] as number) {
          if (!simple && !standsAt(store, at, term, nth)) continue;
          put(nth, at, (marks[at] as number) & BONUS);
          if (nth === last && ends[last] === at + (widths[last] as number)) {
            const score = scores[last] as number;
            if (score > best) best = score;
          }
        }
        if (segmented && byte === SLASH) leaveSegment();
      }
      return best;
    },
  };
}

export const atLeast = (run: number): number => (run > CONSECUTIVE ? run : CONSECUTIVE);

/** By the first byte of a character: the last such character of the term, and the one before. */
function occurrences({ at, bytes, length }: Term) {
  const heads = new Int32Array(256).fill(-1);
  const nexts = new Int32Array(length);
  const slashes = new Uint8Array(length);
  const widths = new Uint8Array(length);
  for (let nth = 0; nth < length; nth += 1) {
    const byte = bytes[at[nth] as number] as number;
    nexts[nth] = heads[byte] as number;
    heads[byte] = nth;
    widths[nth] = (at[nth + 1] as number) - (at[nth] as number);
    if (byte === SLASH) slashes[nth] = 1;
  }
  return { heads, nexts, slashes, widths };
}

/** The score of one given way. */
export function layOut(store: Store, term: Term, places: Int32Array): number {
  let score = 0;
  let run = 0;
  for (let nth = 0; nth < term.length; nth += 1) {
    const at = places[nth] as number;
    const bonus = (store.marks[at] as number) & BONUS;
    score += MATCH;
    if (nth === 0) {
      score += 2 * bonus;
      run = bonus;
      continue;
    }
    const width = (term.at[nth] as number) - (term.at[nth - 1] as number);
    const gap = at - (places[nth - 1] as number) - width;
    run = gap === 0 ? Math.max(run, bonus) : bonus;
    score += gap === 0 ? atLeast(run) : bonus - GAP_OPENING - gap;
  }
  return score;
}
