/**
 * Where the index keeps its texts: one arena of folded bytes, beside it one byte a place that says
 * what the place is worth and whether folding changed the character, and a few words a text.
 *
 * A text lives in a slot. Slots are never used again and never move: a search that is under way
 * can go on while others add and remove. Whoever wants the room back builds a new store.
 */
import {
  BASENAME_START,
  bonusOf,
  CAMEL_HUMP,
  CHANGED,
  type CharClass,
  charClass,
  IN_BASENAME,
  LOWER,
  PATH_START,
  SLASH,
  UPPER,
} from "./bonus.ts";
import { foldPoint, MAX_BYTES_A_UNIT, unitsOf, writePoint } from "./fold.ts";
import { outline, PAIR_WORDS } from "./outline.ts";
import { BITS, EIGHTHS, summarize } from "./sieve.ts";

/** In `kinds`: the text was removed. The other bits are the number of its kind. */
export const GONE = 0x8000;
export const KIND = 0x7fff;

export type Store = {
  bytes: Uint8Array;
  marks: Uint8Array;
  /** Slot `s` holds the bytes from `starts[s]` to `starts[s + 1]`. */
  starts: Uint32Array;
  /** Where the last segment begins; the slash at the end of a directory does not end a segment. */
  basenames: Uint32Array;
  /** Of each text, in UTF-16 units. */
  lengths: Uint32Array;
  /** The first byte of the text and, eight bits up, that of its last segment. */
  openings: Uint16Array;
  /** What the sieve looks at: the characters of each text, and of each eighth of it. */
  wholes: Int32Array;
  eighths: Int32Array;
  /** The characters of each text that folding changed. */
  capitals: Int32Array;
  /** What the ceiling looks at: the characters that begin words, and who has which neighbour. */
  wordStarts: Int32Array;
  pairs: Int32Array;
  kinds: Uint16Array;
  texts: string[];
  gone: number;
};

export function createStore(slots = 16): Store {
  return {
    bytes: new Uint8Array(slots * 64),
    marks: new Uint8Array(slots * 64),
    starts: new Uint32Array(slots + 1),
    basenames: new Uint32Array(slots),
    lengths: new Uint32Array(slots),
    openings: new Uint16Array(slots),
    wholes: new Int32Array(slots),
    capitals: new Int32Array(slots),
    eighths: new Int32Array(slots * EIGHTHS),
    wordStarts: new Int32Array(slots),
    pairs: new Int32Array(slots * PAIR_WORDS),
    kinds: new Uint16Array(slots),
    texts: [],
    gone: 0,
  };
}

export function append(store: Store, text: string, kind: number): number {
  const slot = store.texts.length;
  const start = store.starts[slot] ?? 0;
  reserve(store, slot + 1, start + text.length * MAX_BYTES_A_UNIT);
  store.texts.push(text);
  store.kinds[slot] = kind;
  store.lengths[slot] = text.length;
  const end = encode(store, text, start, slot);
  store.starts[slot + 1] = end;
  if (end > start) store.openings[slot] = openingOf(store, start, slot);
  store.wholes[slot] = summarize(store, start, end, slot);
  store.capitals[slot] = capitalsOf(store, start, end);
  store.wordStarts[slot] = outline(store, start, end, slot);
  return slot;
}

export function forget(store: Store, slot: number): void {
  store.kinds[slot] = (store.kinds[slot] as number) | GONE;
  store.gone += 1;
}

export const isGone = ({ kinds }: Store, slot: number): boolean =>
  ((kinds[slot] as number) & GONE) !== 0;

/** Folds and appraises the text in one pass; answers where it ends. */
function encode(store: Store, text: string, start: number, slot: number): number {
  const { bytes, marks } = store;
  const basename = text.lastIndexOf("/", text.length - 2) + 1;
  let at = start;
  let before: CharClass = SLASH;
  let capitals = 0;
  store.basenames[slot] = start;
  for (let unit = 0; unit < text.length; ) {
    const code = text.charCodeAt(unit);
    const point = code < 0xd800 || code > 0xdfff ? code : (text.codePointAt(unit) ?? code);
    const folded = foldPoint(point);
    const self = charClass(point, folded);
    if (unit === basename) store.basenames[slot] = at;
    if (self === LOWER && capitals > 1) raise(marks, at - 1, humpBonus(unit > basename));
    capitals = self === UPPER ? capitals + 1 : 0;
    marks[at] = bonusOf(before, self, unit >= basename) | (folded === point ? 0 : CHANGED);
    const next = writePoint(folded, bytes, at);
    for (let tail = at + 1; tail < next; tail += 1) marks[tail] = 0;
    at = next;
    before = self;
    unit += unitsOf(point);
  }
  if (at > start) raise(marks, start, PATH_START);
  if (at > start) raise(marks, store.basenames[slot] as number, BASENAME_START);
  return at;
}

function capitalsOf({ bytes, marks }: Store, from: number, to: number): number {
  let found = 0;
  for (let at = from; at < to; at += 1) {
    if ((marks[at] as number) & CHANGED) found |= BITS[bytes[at] as number] as number;
  }
  return found;
}

function openingOf({ bytes, basenames }: Store, start: number, slot: number): number {
  return (bytes[start] as number) | ((bytes[basenames[slot] as number] as number) << 8);
}

const humpBonus = (inBasename: boolean): number => CAMEL_HUMP + (inBasename ? IN_BASENAME : 0);

/** Of the character that `at` is a byte of: its mark is on the first byte, the others have none. */
function raise(marks: Uint8Array, at: number, bonus: number): void {
  let first = at;
  while (first > 0 && marks[first] === 0) first -= 1;
  marks[first] = ((marks[first] as number) & CHANGED) | bonus;
}

function reserve(store: Store, slots: number, bytes: number): void {
  if (bytes > store.bytes.length) {
    const room = Math.max(bytes, Math.ceil(store.bytes.length * 1.5));
    store.bytes = grown(store.bytes, new Uint8Array(room));
    store.marks = grown(store.marks, new Uint8Array(room));
  }
  if (slots > store.kinds.length) {
    const room = Math.max(slots, Math.ceil(store.kinds.length * 1.5));
    store.starts = grown(store.starts, new Uint32Array(room + 1));
    store.basenames = grown(store.basenames, new Uint32Array(room));
    store.lengths = grown(store.lengths, new Uint32Array(room));
    store.openings = grown(store.openings, new Uint16Array(room));
    store.wholes = grown(store.wholes, new Int32Array(room));
    store.capitals = grown(store.capitals, new Int32Array(room));
    store.eighths = grown(store.eighths, new Int32Array(room * EIGHTHS));
    store.wordStarts = grown(store.wordStarts, new Int32Array(room));
    store.pairs = grown(store.pairs, new Int32Array(room * PAIR_WORDS));
    store.kinds = grown(store.kinds, new Uint16Array(room));
  }
}

type Words = Uint8Array | Uint16Array | Uint32Array | Int32Array;

function grown<T extends Words>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}
