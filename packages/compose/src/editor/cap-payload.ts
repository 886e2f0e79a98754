/**
 * A payload cut to a size. What is left is JSON of the same form, the same input always gives the
 * same cut, and the payload itself says that it was cut, where and by how much.
 *
 * One number decides: how many entries a list or an object keeps, and with it how long a string may
 * be. The largest number that fits is taken, so long texts and long lists give way together and
 * short strings, which are mostly names and ids, stay whole.
 */
import type { Json } from "../draft.ts";
import type { JsonObject } from "./sample.ts";
import { headOf, utf8Bytes } from "./text-size.ts";

export type Capped = { readonly payload: JsonObject; readonly cut: boolean };

/** Room for the note at least, however small the cap is set. */
const SMALLEST_CAP = 1024;
/** Code units below which a string is never cut. */
const SHORT_STRING = 256;
const CHARS_AN_ENTRY = 8;
/** Levels; what lies deeper is `null`. It bounds recursion, here and in all that reads the part. */
const DEEPEST = 64;
const PLACES = 4;
const PLACE_CHARS = 100;

/** `keep` names entries of the payload that stay whole whatever their size. */
export function capPayload(
  payload: JsonObject,
  maxBytes: number,
  keep: readonly string[] = [],
): Capped {
  const cap = Math.max(maxBytes, SMALLEST_CAP);
  const total = measure(payload);
  if (total.bytes <= cap && !total.deep) return { payload, cut: false };
  const sorted = keysInOrder();
  const probe = (entries: number) => trimmed(payload, entries, cap, keep, sorted, total.bytes);
  let best = probe(0);
  let low = 0;
  let high = cap;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const tried = probe(middle);
    if (tried.fits) {
      best = tried;
      low = middle;
    } else high = middle - 1;
  }
  return { payload: best.payload, cut: true };
}

type Measured = { bytes: number; deep: boolean };

/** Bytes of the canonical JSON, without writing it. */
function measure(value: Json): Measured {
  const sum = { bytes: 0, deep: false };
  addTo(sum, value, 0);
  return sum;
}

function addTo(sum: Measured, value: Json, depth: number): void {
  if (typeof value !== "object" || value === null) {
    sum.bytes += utf8Bytes(JSON.stringify(value));
  } else if (depth >= DEEPEST) {
    sum.bytes += 4;
    sum.deep = true;
  } else if (Array.isArray(value)) {
    sum.bytes += 2 + Math.max(0, value.length - 1);
    for (const item of value) addTo(sum, item, depth + 1);
  } else {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    sum.bytes += 2 + Math.max(0, entries.length - 1);
    for (const [key, item] of entries) {
      sum.bytes += keyBytes(key);
      addTo(sum, item, depth + 1);
    }
  }
}

/** A key in quotes, and its colon. */
const keyBytes = (key: string): number => utf8Bytes(JSON.stringify(key)) + 1;

type Sorted = (object: JsonObject) => readonly string[];

/** Each object is sorted once, not once a probe. */
function keysInOrder(): Sorted {
  const known = new Map<JsonObject, readonly string[]>();
  return (object) => {
    const before = known.get(object);
    if (before) return before;
    const keys = Object.keys(object).filter((key) => object[key] !== undefined);
    keys.sort();
    known.set(object, keys);
    return keys;
  };
}

type Trimming = {
  /** Below zero: it does not fit, and what is made from then on is thrown away. */
  left: number;
  cuts: number;
  readonly places: string[];
  readonly entries: number;
  readonly chars: number;
  readonly sorted: Sorted;
};

type Trimmed = { readonly payload: JsonObject; readonly fits: boolean };

function trimmed(
  payload: JsonObject,
  entries: number,
  cap: number,
  keep: readonly string[],
  sorted: Sorted,
  total: number,
): Trimmed {
  const state: Trimming = {
    left: cap,
    cuts: 0,
    places: [],
    entries,
    chars: SHORT_STRING + entries * CHARS_AN_ENTRY,
    sorted,
  };
  const kept = Object.fromEntries(
    keep.flatMap((key) => (payload[key] === undefined ? [] : [[key, payload[key]]])),
  );
  const rest = Object.fromEntries(Object.entries(payload).filter(([key]) => !keep.includes(key)));
  const cut = trim(rest, state, "", 0) as JsonObject;
  const shown = measure({ ...kept, ...cut }).bytes;
  const more = state.cuts - state.places.length;
  const note = { shown, total, unit: "bytes", cut: state.places, ...(more > 0 && { more }) };
  const result = { ...kept, ...cut, [freeKey(payload)]: note };
  return { payload: result, fits: state.left >= 0 && measure(result).bytes <= cap };
}

/** A host may use the word itself. */
function freeKey(payload: JsonObject): string {
  let key = "truncated";
  while (payload[key] !== undefined) key += "_";
  return key;
}

function trim(value: Json, state: Trimming, place: string, depth: number): Json {
  if (state.left < 0) return null;
  if (typeof value === "string") return trimString(value, state, place);
  if (typeof value !== "object" || value === null) {
    state.left -= JSON.stringify(value).length;
    return value;
  }
  if (depth >= DEEPEST) {
    mark(state, place);
    state.left -= 4;
    return null;
  }
  state.left -= 2;
  return Array.isArray(value)
    ? trimList(value, state, place, depth)
    : trimObject(value as JsonObject, state, place, depth);
}

function trimString(value: string, state: Trimming, place: string): string {
  const head = headOf(value, state.chars);
  if (head.length < value.length) mark(state, place);
  // A character is a byte at least.
  state.left -= head.length > state.left ? head.length + 1 : utf8Bytes(JSON.stringify(head));
  return head;
}

function trimList(list: readonly Json[], state: Trimming, place: string, depth: number): Json {
  if (list.length > state.entries) mark(state, place);
  const kept: Json[] = [];
  for (const item of list.slice(0, Math.min(state.entries, state.left + 1))) {
    state.left -= kept.length > 0 ? 1 : 0;
    kept.push(trim(item, state, `${place}/${kept.length}`, depth + 1));
    if (state.left < 0) break;
  }
  return kept;
}

function trimObject(object: JsonObject, state: Trimming, place: string, depth: number): Json {
  const keys = state.sorted(object);
  if (keys.length > state.entries) mark(state, place);
  const kept: [string, Json][] = [];
  for (const key of keys.slice(0, state.entries)) {
    state.left -= keyBytes(key) + (kept.length > 0 ? 1 : 0);
    if (state.left < 0) break;
    kept.push([key, trim(object[key] ?? null, state, `${place}/${pointer(key)}`, depth + 1)]);
  }
  return Object.fromEntries(kept);
}

const pointer = (key: string): string =>
  headOf(key, PLACE_CHARS + 1).replace(/[~/]/g, (char) => (char === "~" ? "~0" : "~1"));

/** The first few places, as JSON pointers; the rest are counted. */
function mark(state: Trimming, place: string): void {
  state.cuts += 1;
  if (state.places.length < PLACES && place.length <= PLACE_CHARS) state.places.push(place);
}
