/**
 * How deep a JSON text nests, told from its bytes before anything is built of them.
 *
 * Parsers and validators recurse; a few thousand brackets would cost a stack. The meter is fed with
 * chunks as they arrive, so that a body is refused at its first bracket too many.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `[` and `{`, `]` and `}` differ in one bit: with it set, each pair is one number. */
const PAIR_BIT = 0x20;
const OPEN = 0x7b;
const CLOSE = 0x7d;

export interface NestingMeter {
  /** Takes the next bytes; false once the text has been deeper than the limit. */
  push(bytes: Uint8Array): boolean;
}

export function nestingMeter(limit: number): NestingMeter {
  let depth = 0;
  let inString = false;
  let escaped = false;
  return {
    push(bytes) {
      const quote = finder(bytes, QUOTE);
      const backslash = finder(bytes, BACKSLASH);
      for (let at = 0; at < bytes.length; at += 1) {
        if (escaped) escaped = false;
        else if (inString) {
          // Attachments are strings of megabytes: they are leapt over, not walked through.
          at = Math.min(quote(at), backslash(at));
          escaped = bytes[at] === BACKSLASH;
          inString = escaped || at === bytes.length;
        } else {
          const byte = bytes[at] ?? 0;
          if (byte === QUOTE) inString = true;
          else if ((byte | PAIR_BIT) === OPEN) depth += 1;
          else if ((byte | PAIR_BIT) === CLOSE) depth -= 1;
          if (depth > limit) return false;
        }
      }
      return true;
    },
  };
}

/** The next place of a byte, asked in rising order; it remembers, so that no byte is seen twice. */
function finder(bytes: Uint8Array, wanted: number): (from: number) => number {
  let known = -1;
  return (from) => {
    if (known < from) {
      const found = bytes.indexOf(wanted, from);
      known = found === -1 ? bytes.length : found;
    }
    return known;
  };
}
