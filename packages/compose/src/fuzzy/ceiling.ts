/**
 * What an alignment of a term can reach at most in a text, told by the text's outline.
 *
 * Two characters of the term that are nowhere neighbours pay for a gap, and a character that begins
 * no word brings no bonus of its own. Never too low, and mostly low enough to be done.
 */
import { atLeast, GAP_OPENING, MATCH } from "./align.ts";
import {
  BASENAME_START,
  CAMEL_HUMP,
  IN_BASENAME,
  PATH_START,
  SEPARATOR,
  WORD_START,
} from "./bonus.ts";
import { PAIR_WORDS, pairOf } from "./outline.ts";
import type { Term } from "./query.ts";
import { BITS } from "./sieve.ts";
import type { Store } from "./store.ts";

const SHORTEST_GAP = GAP_OPENING + 1;
const SLASH = 47;

const LETTERS = 0x03ffffff | (1 << 31);

/** The most that a character earns which begins no word. */
function lowOf(byte: number): number {
  if (byte === SLASH) return SEPARATOR;
  return (BITS[byte] as number) & LETTERS ? IN_BASENAME : CAMEL_HUMP - 1;
}

export interface Ceiling {
  /** Once it is known to be below `enough`, any number below `enough` will do. */
  of(store: Store, slot: number, enough: number): number;
}

export function createCeiling(term: Term): Ceiling {
  const { at, bits, bytes, length } = term;
  const firsts = Uint8Array.from(bits, (_, nth) => bytes[at[nth] as number] as number);
  const lows = firsts.map(lowOf);
  const pairs = firsts.map((first, nth) =>
    nth === 0 ? 0 : pairOf(bytes[(at[nth] as number) - 1] as number, first),
  );
  const isOpening = new Uint8Array(256);
  for (const first of firsts) isOpening[first] = 1;
  /** Of the text at hand: what each character earns beside its match, and whether after a gap. */
  const earned = new Int32Array(length);
  const gaps = new Uint8Array(length);
  /** What `dear` found last. */
  let gained = 0;
  let paid = 0;

  /** The two dearest places of a text left aside. */
  function ordinary(store: Store, slot: number, enough: number): number {
    const begins = store.wordStarts[slot] as number;
    const neighbours = store.pairs;
    // What is missing to the most that any text could have.
    let sum = length * MATCH + (length + 1) * WORD_START;
    let run = 0;
    for (let nth = 0; nth < length && sum >= enough; nth += 1) {
      const own = begins & (bits[nth] as number) ? WORD_START : (lows[nth] as number);
      const pair = pairs[nth] as number;
      const word = neighbours[slot * PAIR_WORDS + (pair >> 5)] as number;
      const gap = nth > 0 && (word & (1 << (pair & 31))) === 0;
      run = gap || own > run ? own : run;
      const earns = nth === 0 ? 2 * run : gap ? run - SHORTEST_GAP : atLeast(run);
      earned[nth] = earns;
      gaps[nth] = gap ? 1 : 0;
      sum += earns - (nth === 0 ? 2 * WORD_START : WORD_START);
    }
    return sum;
  }

  /** What it adds when the characters from `nth` on stand at `place`, as far as they do. */
  function dear(store: Store, place: number, nth: number, bonus: number): void {
    const offset = place - (at[nth] as number);
    let byte = at[nth] as number;
    let next = nth;
    let gain = 0;
    while (next < length && store.bytes[offset + byte] === bytes[byte]) {
      byte += 1;
      if (byte < (at[next + 1] as number)) continue;
      gain += (next === 0 ? 2 * bonus : bonus) - (earned[next] as number);
      next += 1;
    }
    // Before the run there is a gap, unless a slash is; after it too, and it may be counted.
    let cost = nth > 0 && firsts[nth - 1] !== SLASH ? SHORTEST_GAP : 0;
    if (next < length && gaps[next] === 0) cost += SHORTEST_GAP;
    gained = gain;
    paid = cost;
  }

  return {
    of(store, slot, enough) {
      const opening = store.openings[slot] as number;
      const opensPath = (opening & 0xff) === firsts[0];
      if (!opensPath && isOpening[opening >> 8] === 0) return ordinary(store, slot, enough);
      const sum = ordinary(store, slot, Number.NEGATIVE_INFINITY);
      gained = paid = 0;
      if (opensPath) dear(store, store.starts[slot] as number, 0, PATH_START);
      const [pathGain, pathCost] = [gained, paid];
      let best = Math.max(0, pathGain - pathCost);
      for (let nth = 0; nth < length; nth += 1) {
        if (firsts[nth] !== opening >> 8) continue;
        dear(store, store.basenames[slot] as number, nth, BASENAME_START);
        // The two runs may end at the same gap.
        const both = pathGain + gained - Math.max(pathCost, paid);
        best = Math.max(best, gained - paid, both);
      }
      return sum + best;
    },
  };
}
