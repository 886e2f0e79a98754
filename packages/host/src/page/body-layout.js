/**
 * A request body laid out for reading without changing a character of it: where lines may be
 * drawn, which characters each part became, what is a key, and which long runs are folded. Joining
 * the text of all runs, folded ones included, gives the body back.
 */

/** @import { Outcome } from "@galley/parts" */

/**
 * @typedef {object} Run
 * @property {string} text
 * @property {number | undefined} part the part that these characters came from
 * @property {"plain" | "key" | "fold"} kind
 */
/** @typedef {{ depth: number, runs: Run[] }} Line */
/** @typedef {{ start: number, end: number }} Span */

/** A list or an object up to this long stays on one line. */
const SHORT = 64;
/** What a run of base64 shows of itself at each end before the rest is folded. */
const SHOWN = 16;
const LONG = 128;
/** `+ / - _ =` */
const BASE64_SIGNS = [43, 47, 45, 95, 61];
const MOST_LINES = 4000;

/**
 * @param {string} body
 * @param {readonly Outcome[]} outcomes
 * @returns {Line[]}
 */
export function layOut(body, outcomes) {
  const owners = ownersOf(body, outcomes);
  const { breaks, keys } = structureOf(body);
  const folds = foldsOf(body);
  const cuts = new Set([0, body.length]);
  for (const { start, end } of [...owners, ...keys, ...folds]) cuts.add(start).add(end);
  for (const at of breaks.keys()) cuts.add(at);
  const points = [...cuts].sort((a, b) => a - b);
  const ownerAt = walker(owners);
  const keyAt = walker(keys);
  const foldAt = walker(folds);
  /** @type {Line[]} */
  const lines = [{ depth: 0, runs: [] }];
  for (let index = 0; index + 1 < points.length; index += 1) {
    const start = /** @type {number} */ (points[index]);
    const depth = breaks.get(start);
    if (depth !== undefined && lines.length < MOST_LINES) lines.push({ depth, runs: [] });
    const kind = foldAt(start) ? "fold" : keyAt(start) ? "key" : "plain";
    const text = body.slice(start, points[index + 1]);
    lines.at(-1)?.runs.push({ text, part: ownerAt(start)?.part, kind });
  }
  return lines;
}

/**
 * The parts' byte ranges as ranges of characters, in order.
 * @param {string} body
 * @param {readonly Outcome[]} outcomes
 * @returns {(Span & { part: number })[]}
 */
export function ownersOf(body, outcomes) {
  const ranges = outcomes
    .flatMap(({ part, bytes }) => bytes.map(([from, to]) => ({ part, from, to })))
    .sort((a, b) => a.from - b.from || b.to - a.to);
  const encoded = new TextEncoder().encode(body);
  const offsets = [...new Set(ranges.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b);
  const decoder = new TextDecoder();
  /** @type {Map<number, number>} */
  const characters = new Map();
  let [bytes, chars] = [0, 0];
  for (const offset of offsets) {
    chars += decoder.decode(encoded.subarray(bytes, offset)).length;
    bytes = offset;
    characters.set(offset, chars);
  }
  return ranges.map(({ part, from, to }) => ({
    part,
    start: characters.get(from) ?? 0,
    end: characters.get(to) ?? 0,
  }));
}

/**
 * Where lines begin, with their depth, and which strings are keys.
 * @param {string} body
 */
function structureOf(body) {
  /** @type {Map<number, number>} */
  const breaks = new Map();
  /** @type {Span[]} */
  const keys = [];
  const closings = closingsOf(body);
  let depth = 0;
  /** Up to here all is on one line. */
  let inlineTo = 0;
  for (let at = 0; at < body.length; at += 1) {
    const char = body[at];
    if (char === '"') {
      const end = endOfString(body, at);
      if (body[end] === ":") keys.push({ start: at, end });
      at = end - 1;
    } else if (at >= inlineTo && (char === "{" || char === "[")) {
      const close = closings.get(at) ?? body.length;
      if (close - at <= SHORT) inlineTo = close + 1;
      else breaks.set(at + 1, ++depth);
    } else if (at >= inlineTo && (char === "}" || char === "]")) {
      depth = Math.max(0, depth - 1);
      breaks.set(at, depth);
    } else if (at >= inlineTo && char === ",") {
      breaks.set(at + 1, depth);
    }
  }
  return { breaks, keys };
}

/** Each opening bracket with its closing one. @param {string} body */
function closingsOf(body) {
  /** @type {Map<number, number>} */
  const closings = new Map();
  /** @type {number[]} */
  const open = [];
  for (let at = 0; at < body.length; at += 1) {
    const char = body[at];
    if (char === '"') at = endOfString(body, at) - 1;
    else if (char === "{" || char === "[") open.push(at);
    else if (char === "}" || char === "]") closings.set(open.pop() ?? 0, at);
  }
  return closings;
}

/** The place behind the closing quote. @param {string} body @param {number} start */
function endOfString(body, start) {
  let at = start + 1;
  while (at < body.length && body[at] !== '"') at += body[at] === "\\" ? 2 : 1;
  return Math.min(at + 1, body.length);
}

/**
 * The middles of long runs. Walked by hand: a pattern runs out of stack on a megabyte of base64.
 * @param {string} body
 * @returns {Span[]}
 */
function foldsOf(body) {
  /** @type {Span[]} */
  const folds = [];
  let start = 0;
  for (let at = 0; at <= body.length; at += 1) {
    if (at < body.length && isBase64(body.charCodeAt(at))) continue;
    if (at - start >= LONG) folds.push({ start: start + SHOWN, end: at - SHOWN });
    start = at + 1;
  }
  return folds;
}

/** Both alphabets, and the padding. @param {number} code */
const isBase64 = (code) =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  (code >= 48 && code <= 57) ||
  BASE64_SIGNS.includes(code);

/**
 * Which span holds a place, asked in rising order; the innermost where they nest.
 * @template {Span} T
 * @param {readonly T[]} spans sorted by their start
 * @returns {(at: number) => T | undefined}
 */
function walker(spans) {
  let next = 0;
  /** @type {T[]} */
  let open = [];
  return (at) => {
    open = open.filter(({ end }) => end > at);
    for (let span = spans[next]; span && span.start <= at; span = spans[++next]) {
      if (span.end > at) open.push(span);
    }
    return open.at(-1);
  };
}
