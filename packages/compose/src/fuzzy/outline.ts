/**
 * A text in a few words, for whoever must say what an alignment could reach in it: the characters
 * that begin a word, and a hash set of its neighbouring bytes.
 */
import { BONUS, CAMEL_HUMP } from "./bonus.ts";
import { BITS } from "./sieve.ts";

/** Words of the set of neighbours: 256 bits a text. */
export const PAIR_WORDS = 8;

export const pairOf = (one: number, other: number): number => (one * 37 + other) & 0xff;

type Room = {
  readonly bytes: Uint8Array;
  readonly marks: Uint8Array;
  readonly pairs: Int32Array;
};

/** Writes the neighbours of the text; answers the characters that begin a word. */
export function outline(
  { bytes, marks, pairs }: Room,
  from: number,
  to: number,
  slot: number,
): number {
  let starts = 0;
  let before = 0;
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at] as number;
    if (((marks[at] as number) & BONUS) >= CAMEL_HUMP) starts |= BITS[byte] as number;
    if (at > from) {
      const pair = pairOf(before, byte);
      const word = slot * PAIR_WORDS + (pair >> 5);
      pairs[word] = (pairs[word] as number) | (1 << (pair & 31));
    }
    before = byte;
  }
  return starts;
}
