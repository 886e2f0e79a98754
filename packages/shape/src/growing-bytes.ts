/** Bytes that grow at the end, at a cost that is on average the cost of what is written. */

export interface GrowingBytes {
  readonly length: number;
  write(text: string): void;
  /** Forgets everything from `length` on. */
  cut(length: number): void;
  /** A view, good until the next write. */
  view(): Uint8Array;
}

/** A UTF-16 unit takes at most three bytes. */
const WORST = 3;
const encoder = new TextEncoder();

export function growingBytes(): GrowingBytes {
  let store = new Uint8Array(64 * 1024);
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
      length = Math.min(length, to);
    },
    view: () => store.subarray(0, length),
  };
}

export const byteLength = (text: string): number => encoder.encode(text).length;
