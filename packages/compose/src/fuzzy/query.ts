/**
 * What a person typed, read once: terms between spaces, each as folded bytes with what the search
 * asks of every text before it looks at any byte.
 *
 * A capital in a term makes the whole term exact about case. A slash in a term means segments:
 * what stands between two slashes is found inside one segment.
 */
import { CHANGED } from "./bonus.ts";
import { foldPoint, MAX_BYTES_A_UNIT, writePoint } from "./fold.ts";
import { BITS } from "./sieve.ts";

export type Term = {
  readonly bytes: Uint8Array;
  /** Of each character: where its bytes begin in `bytes`; one more entry for the end. */
  readonly at: Uint32Array;
  /** Of each character: its mark in the store, `CHANGED` or 0. */
  readonly changed: Uint8Array;
  /** Of each character: its bit in the sieve. */
  readonly bits: Int32Array;
  readonly length: number;
  readonly exactCase: boolean;
  readonly segmented: boolean;
  /** Slashes that stand between segments, so not one at the end. */
  readonly inner: number;
  readonly endsInSlash: boolean;
  /** One byte a character, any case: the inner loops then compare a byte and nothing else. */
  readonly simple: boolean;
};

export type Query = {
  readonly terms: readonly Term[];
  /** Characters that a text must have, as the sieve knows them. */
  readonly needs: number;
  /** And those it must have as capitals. */
  readonly needsCapitals: number;
};

const SLASH = 47;

export function readQuery(typed: string): Query {
  const words = [...new Set(typed.split(/\s+/).filter((word) => word !== ""))];
  const terms = words.map(readTerm);
  let [needs, needsCapitals] = [0, 0];
  for (const { bits, changed } of terms) {
    for (const [nth, bit] of bits.entries()) {
      needs |= bit;
      if (changed[nth] === CHANGED) needsCapitals |= bit;
    }
  }
  return { terms, needs, needsCapitals };
}

function readTerm(word: string): Term {
  const points = Array.from(word, (character) => character.codePointAt(0) ?? 0);
  const room = new Uint8Array(word.length * MAX_BYTES_A_UNIT);
  const at = new Uint32Array(points.length + 1);
  const changed = new Uint8Array(points.length);
  const bits = new Int32Array(points.length);
  let end = 0;
  for (const [nth, point] of points.entries()) {
    const folded = foldPoint(point);
    if (folded !== point) changed[nth] = CHANGED;
    end = writePoint(folded, room, end);
    bits[nth] = BITS[room[at[nth] as number] as number] as number;
    at[nth + 1] = end;
  }
  const slashes = points.filter((point) => point === SLASH).length;
  const endsInSlash = points.at(-1) === SLASH;
  const exactCase = changed.includes(CHANGED);
  return {
    bytes: room.slice(0, end),
    at,
    changed,
    bits,
    length: points.length,
    exactCase,
    segmented: slashes > 0,
    inner: slashes - (endsInSlash ? 1 : 0),
    endsInSlash,
    simple: end === points.length && !exactCase,
  };
}
