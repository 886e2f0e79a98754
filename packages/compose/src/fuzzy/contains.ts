/**
 * Whether a text holds a term, and the earliest place of each of its characters.
 *
 * Earliest is enough to decide: a character that can be had early never keeps a later one from
 * being had. With segments the unit that moves is the piece between two slashes.
 */
import { CHANGED } from "./bonus.ts";
import type { Term } from "./query.ts";
import type { Store } from "./store.ts";

const SLASH = 47;

// Indexes below stay inside their arrays by construction. `as number` says so to the compiler
// without a check at every byte of every path.

/** Writes the places to `places`, which has room for each character of the term. */
export function contains(
  store: Store,
  from: number,
  to: number,
  term: Term,
  places: Int32Array,
): boolean {
  if (term.segmented) return containsPieces(store, from, to, term, places);
  if (!term.simple) return containsCharacters(store, from, to, term, places);
  const { bytes } = store;
  const wanted = term.bytes;
  const length = wanted.length;
  let nth = 0;
  let want = wanted[0] as number;
  for (let at = from; at < to; at += 1) {
    if (bytes[at] !== want) continue;
    places[nth] = at;
    nth += 1;
    if (nth === length) return true;
    want = wanted[nth] as number;
  }
  return false;
}

/** Whether the character `nth` of the term stands at `at`. */
export function standsAt(store: Store, at: number, term: Term, nth: number): boolean {
  const { bytes, marks } = store;
  const wanted = term.bytes;
  const first = term.at[nth] as number;
  const end = term.at[nth + 1] as number;
  for (let byte = first; byte < end; byte += 1) {
    if (bytes[at + byte - first] !== wanted[byte]) return false;
  }
  return !term.exactCase || ((marks[at] as number) & CHANGED) === (term.changed[nth] as number);
}

function containsCharacters(
  store: Store,
  from: number,
  to: number,
  term: Term,
  places: Int32Array,
): boolean {
  let nth = 0;
  for (let at = from; at < to; at += 1) {
    if (!standsAt(store, at, term, nth)) continue;
    places[nth] = at;
    nth += 1;
    if (nth === term.length) return true;
  }
  return false;
}

/** A piece that a segment does not hold whole starts again in the next segment. */
function containsPieces(
  store: Store,
  from: number,
  to: number,
  term: Term,
  places: Int32Array,
): boolean {
  const { bytes } = store;
  let nth = 0;
  let piece = 0;
  for (let at = from; at < to; at += 1) {
    const found = standsAt(store, at, term, nth);
    if (bytes[at] === SLASH) {
      if (!found) {
        nth = piece;
        continue;
      }
      piece = nth + 1;
    } else if (!found) continue;
    places[nth] = at;
    nth += 1;
    if (nth === term.length) return true;
  }
  return false;
}
