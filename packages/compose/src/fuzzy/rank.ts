/**
 * The rank of a text for a whole query. First how literally each term stands in the last
 * segments (a tier), then how well its characters lie (an alignment).
 *
 * A tier outweighs every alignment. What a text can reach at most is known before it is aligned,
 * and most texts need not be.
 */
import { type Aligner, createAligner, layOut } from "./align.ts";
import { type Ceiling, createCeiling } from "./ceiling.ts";
import { contains, standsAt } from "./contains.ts";
import type { Query, Term } from "./query.ts";
import { mayHold } from "./sieve.ts";
import type { Store } from "./store.ts";
import type { Top } from "./top.ts";
import { traceWay } from "./trace.ts";

/** More than any alignment of a term that fits into a message. */
const TIER = 2 ** 28;
const [PREFIX, STEM, EXACT, WHOLE] = [1, 2, 3, 4];
const NO_TIER = 0;
const DOT = 46;
const SLASH = 47;

export interface Ranker {
  /** Never false for a text that holds every term. */
  sift(store: Store, slot: number): boolean;
  /** Whether the text cannot get among the best, whatever its bytes are. */
  isHopeless(store: Store, slot: number, top: Top): boolean;
  /** Puts the text among the best if it holds every term and belongs there. */
  offer(store: Store, slot: number, top: Top): void;
  /** Byte places of what is matched, of a text that holds every term; in order, each once. */
  trace(store: Store, slot: number): readonly number[];
}

export function createRanker({ terms }: Query): Ranker {
  /** Of each term: the earliest places of its characters, and those where it stands literally. */
  const earliest = terms.map(({ length }) => new Int32Array(length));
  const literal = terms.map(({ length }) => new Int32Array(length));
  const aligners = terms.map(createAligner);
  const ceilings = terms.map(createCeiling);
  const tiers = new Uint8Array(terms.length);

  function holds(store: Store, slot: number): boolean {
    const from = store.starts[slot] as number;
    const to = store.starts[slot + 1] as number;
    for (let nth = 0; nth < terms.length; nth += 1) {
      if (!contains(store, from, to, terms[nth] as Term, earliest[nth] as Int32Array)) return false;
    }
    return true;
  }

  function appraise(store: Store, slot: number): number {
    let sum = 0;
    for (let nth = 0; nth < terms.length; nth += 1) {
      const tier = literalTier(store, slot, terms[nth] as Term, literal[nth] as Int32Array);
      tiers[nth] = tier;
      sum += tier;
    }
    return sum * TIER;
  }

  /** The most that alignments can make of the text; less will do when it is below `enough`. */
  function highest(store: Store, slot: number, enough: number): number {
    if (terms.length === 1) return (ceilings[0] as Ceiling).of(store, slot, enough);
    let sum = 0;
    for (let nth = 0; nth < terms.length; nth += 1) {
      sum += (ceilings[nth] as Ceiling).of(store, slot, Number.NEGATIVE_INFINITY);
    }
    return sum;
  }

  /** The most that tiers can make of the text, told by its first bytes. */
  function highestTier(store: Store, slot: number): number {
    let sum = 0;
    for (let nth = 0; nth < terms.length; nth += 1) {
      if (mayBeLiteral(store, slot, terms[nth] as Term)) sum += WHOLE;
    }
    return sum * TIER;
  }

  function scoreOf(store: Store, slot: number, nth: number): number {
    const term = terms[nth] as Term;
    if ((tiers[nth] as number) > NO_TIER) return layOut(store, term, literal[nth] as Int32Array);
    const to = store.starts[slot + 1] as number;
    return (aligners[nth] as Aligner).score(store, to, earliest[nth] as Int32Array);
  }

  return {
    sift(store, slot) {
      for (let nth = 0; nth < terms.length; nth += 1) {
        if (!mayHold(store.eighths, slot, terms[nth] as Term)) return false;
      }
      return true;
    },
    isHopeless(store, slot, top) {
      const { least } = top;
      const tier = highestTier(store, slot);
      if (tier + TIER <= least) return true;
      if (tier > 0 || least < 0) return false;
      return !top.wouldTake(highest(store, slot, least), slot);
    },
    offer(store, slot, top) {
      let score = appraise(store, slot);
      const { least } = top;
      if (least > 0 && !top.wouldTake(score + highest(store, slot, least - score), slot)) return;
      if (!holds(store, slot)) return;
      for (let nth = 0; nth < terms.length; nth += 1) score += scoreOf(store, slot, nth);
      top.offer(score, slot);
    },
    trace(store, slot) {
      const places = new Set<number>();
      holds(store, slot);
      appraise(store, slot);
      const to = store.starts[slot + 1] as number;
      for (const [nth, term] of terms.entries()) {
        const isLiteral = (tiers[nth] as number) > NO_TIER;
        const way = isLiteral
          ? literal[nth]
          : traceWay(store, to, term, earliest[nth] as Int32Array);
        for (const place of way ?? []) places.add(place);
      }
      return [...places].sort((one, other) => one - other);
    },
  };
}

/** Writes the places of a term that spells out the last segments, from the start of one on. */
function literalTier(store: Store, slot: number, term: Term, places: Int32Array): number {
  const { bytes, starts } = store;
  const from = starts[slot] as number;
  const to = starts[slot + 1] as number;
  if (!mayBeLiteral(store, slot, term)) return NO_TIER;
  const at = literalStart(store, slot, term);
  const end = at + term.bytes.length;
  if (at < from || end > to) return NO_TIER;
  for (let nth = 0; nth < term.length; nth += 1) {
    const place = at + (term.at[nth] as number);
    if (!standsAt(store, place, term, nth)) return NO_TIER;
    places[nth] = place;
  }
  const last = bytes[to - 1] === SLASH && !term.endsInSlash ? to - 1 : to;
  if (end === last) return at === from ? WHOLE : EXACT;
  return bytes[end] === DOT ? STEM : PREFIX;
}

function mayBeLiteral(store: Store, slot: number, term: Term): boolean {
  const base = (store.openings[slot] as number) >> 8;
  return term.inner > 0 || base === term.bytes[0] || base === DOT;
}

/** Where a term of so many segments has to begin, or -1 when the text has fewer. */
function literalStart(store: Store, slot: number, term: Term): number {
  const { bytes } = store;
  const from = store.starts[slot] as number;
  let at = store.basenames[slot] as number;
  for (let inner = term.inner; inner > 0; inner -= 1) {
    if (at <= from) return -1;
    at -= 1;
    while (at > from && bytes[at - 1] !== SLASH) at -= 1;
  }
  // A hidden file is asked for without its dot as well.
  return bytes[at] === DOT && term.bytes[0] !== DOT ? at + 1 : at;
}
