/**
 * The first look at a text, without its bytes: which characters it has at all, and which in each
 * eighth of it.
 *
 * A text that the sieve holds back does not have the term. One that it lets through may: inside
 * one eighth the order is not known.
 */
import type { Term } from "./query.ts";

export const EIGHTHS = 8;

function bitOf(byte: number): number {
  if (byte >= 97 && byte <= 122) return 1 << (byte - 97);
  if (byte >= 48 && byte <= 57) return 1 << 26;
  if (byte === 47) return 1 << 27;
  if (byte === 46) return 1 << 28;
  if (byte === 45 || byte === 95) return 1 << 29;
  return byte < 0x80 ? 1 << 30 : 1 << 31;
}

/** By a folded byte: the bit of its class. */
export const BITS: Int32Array = Int32Array.from({ length: 256 }, (_, byte) => bitOf(byte));

/** Writes the eighths of the text that runs from `from` to `to`; answers its characters. */
export function summarize(
  { bytes, eighths }: { readonly bytes: Uint8Array; readonly eighths: Int32Array },
  from: number,
  to: number,
  slot: number,
): number {
  const size = Math.ceil((to - from) / EIGHTHS);
  let whole = 0;
  let at = from;
  for (let nth = 0; nth < EIGHTHS; nth += 1) {
    const end = Math.min(to, at + size);
    let part = 0;
    for (; at < end; at += 1) part |= BITS[bytes[at] as number] as number;
    eighths[slot * EIGHTHS + nth] = part;
    whole |= part;
  }
  return whole;
}

/** Whether the term's characters can be had in order, each in the earliest eighth that has it. */
export function mayHold(eighths: Int32Array, slot: number, { bits, length }: Term): boolean {
  let eighth = slot * EIGHTHS;
  const end = eighth + EIGHTHS;
  let part = eighths[eighth] as number;
  for (let nth = 0; nth < length; nth += 1) {
    const bit = bits[nth] as number;
    while ((part & bit) === 0) {
      eighth += 1;
      if (eighth === end) return false;
      part = eighths[eighth] as number;
    }
  }
  return true;
}
