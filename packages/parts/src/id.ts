/**
 * Ids: a prefix, 14 hex digits of time and 12 base62 digits of chance. They sort by insertion where
 * the clock is sane, and are never the only order key.
 */
export type IdPrefix = "msg" | "ses" | "prt" | "req" | "turn";

export interface IdSource {
  /** Epoch ms. */
  now(): number;
  /** `count` uniformly random bytes. */
  random(count: number): Uint8Array;
}

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const TICKS_PER_MS = 4096n;

/** Minting is monotonic within one minter, also when the clock steps back. */
export function idMinter(source: IdSource): (prefix: IdPrefix) => string {
  let last = 0n;
  return (prefix) => {
    const stamp = BigInt(Math.trunc(source.now())) * TICKS_PER_MS;
    last = stamp > last ? stamp : last + 1n;
    return `${prefix}_${last.toString(16).padStart(14, "0")}${base62(source, 12)}`;
  };
}

function base62(source: IdSource, length: number): string {
  let digits = "";
  while (digits.length < length) {
    for (const byte of source.random(length * 2)) {
      // 248 is the largest multiple of 62 in a byte: beyond it the digits would not be equally likely.
      if (byte < 248 && digits.length < length) digits += BASE62[byte % 62];
    }
  }
  return digits;
}
