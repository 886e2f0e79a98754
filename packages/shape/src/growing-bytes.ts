/** Bytes that grow at the end, at a cost that is on average the cost of what is written. */

export interface GrowingBytes {
  readonly length: number;
  write(text: string): void;
  /** Forgets everything from `length` on. */
  cut(length: number): void;
  /** The bytes up to now. They stay as they are, whatever is written or forgotten later. */
  view(): Uint8Array;
}

/** A UTF-16 unit takes at most three bytes. */
const WORST = 3;
const LEAST = 64 * 1024;
const encoder = new TextEncoder();

export function growingBytes(): GrowingBytes {
  let store = new Uint8Array(LEAST);
  let length = 0;
  return {
    get length() {
      return length;
    },
    write(text) {
      const room = length + text.length * WORST;
      if (room > store.length) {
        const larger = new Uint8Array(Math.max(store.length * 2, room));
        larger.set(store.subarray(0, length));
        store = larger;
      }
      length += encoder.encodeInto(text, store.subarray(length)).written;
    },
    cut(to) {
      if (to >= length) return;
      // A copy: what is written next may not reach into a view that is out.
      store = store.slice(0, Math.max(to, LEAST));
      length = to;
    },
    view: () => store.subarray(0, length),
  };
}

export const byteLength = (text: string): number => encoder.encode(text).length;
