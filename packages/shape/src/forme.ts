/**
 * The forme: a conversation locked up as bytes, ready to print.
 *
 * Appending a message costs that message. Old bytes are copied, never made again, so they cannot
 * change by accident and a request differs from the last one only where something is new.
 *
 *   head  item , item , … item  close  tail
 *         └───── the area: grows at its end ─┘
 */
import type { ContextMessage } from "@galley/assemble";
import { type ByteRange, defineErrors, type Outcome } from "@galley/parts";
import type { ModelProfile } from "./catalogue/model.ts";
import { byteLength, growingBytes } from "./growing-bytes.ts";
import type { EnvelopeInput, Protocol, WireItem } from "./protocol.ts";
import { glue, makeSegment, type Segment, targetOf } from "./segment.ts";

export type RequestInput = Omit<EnvelopeInput, "profile">;

export interface WireRequest {
  /** The exact bytes to send. */
  readonly body: Uint8Array;
  /** What became of every part of every message, with its bytes in `body`. */
  outcomes(): readonly Outcome[];
  /** Where each system layer stands in `body`. */
  layers(): readonly { readonly layer: string; readonly bytes: ByteRange }[];
  /** Where the cache markers stand in `body`, in order; those of the envelope are not counted. */
  readonly marks: readonly number[];
  /** Settings that were asked for and that this model does not take. */
  readonly leftOut: readonly string[];
}

export const FormeError = defineErrors("forme", {
  empty: (_data: Record<string, never>) => "there is no message to send",
});

export interface Forme {
  readonly length: number;
  append(message: ContextMessage): void;
  /** Takes back all messages from `length` on. */
  truncate(length: number): void;
  /** Throws `forme.empty` where no message stands: no provider takes such a request. */
  request(input: RequestInput): WireRequest;
}

/** What a message became, for one protocol and one profile; for whoever takes messages back. */
export type SegmentCache = WeakMap<ContextMessage, Segment>;

type Placed = {
  readonly message: ContextMessage;
  readonly segment: Segment;
  /** Where each item begins and ends in the area. */
  readonly spans: readonly ByteRange[];
  /** The area's length and last item once this message stands. */
  readonly end: number;
  readonly last: WireItem | undefined;
  /** Where a cache marker may stand: before the brace that closes the last item that takes one. */
  readonly mark: number | undefined;
};

export function createForme(
  protocol: Protocol,
  profile: ModelProfile,
  cache?: SegmentCache,
): Forme {
  const target = targetOf(protocol, profile);
  const area = growingBytes();
  let placed: Placed[] = [];

  function segmentOf(message: ContextMessage): Segment {
    const known = cache?.get(message);
    if (known) return known;
    const made = makeSegment(message, protocol, target);
    cache?.set(message, made);
    return made;
  }

  return {
    get length() {
      return placed.length;
    },
    append(message) {
      const segment = segmentOf(message);
      let last = placed.at(-1)?.last;
      let mark: number | undefined;
      const spans = segment.items.map((item): ByteRange => {
        area.write(glue(last, item.frame));
        const start = area.length;
        area.write(item.json);
        if (item.markable) mark = area.length - 1;
        last = item;
        return [start, area.length];
      });
      placed.push({ message, segment, spans, end: area.length, last, mark });
    },
    truncate(length) {
      // A new array: requests that are already out still read the old one, up to their own length.
      placed = placed.slice(0, length);
      area.cut(placed.at(-1)?.end ?? 0);
    },
    request: (input) => lockUp(protocol, { profile, ...input }, area.view(), placed),
  };
}

const encoder = new TextEncoder();

function lockUp(
  protocol: Protocol,
  input: EnvelopeInput,
  area: Uint8Array,
  placed: readonly Placed[],
): WireRequest {
  if (area.length === 0) throw FormeError.make("empty", {});
  // Providers refuse a blank block, and a blank layer has nothing to say.
  const layers = input.layers.filter(({ text }) => text.trim() !== "");
  const { head, tail, traces, leftOut = [] } = protocol.envelope({ ...input, layers });
  const marker = input.settings.cache === "auto" && protocol.marker ? protocol.marker : "";
  const marks = marker ? markOffsets(placed) : [];
  const front = encoder.encode(head);
  const back = encoder.encode((placed.at(-1)?.last?.frame?.close ?? "") + tail);
  const body = join(front, area, marks, encoder.encode(marker), back);
  const count = placed.length;
  const shift = (offset: number): number =>
    front.length + offset + marks.filter((mark) => mark < offset).length * marker.length;
  return {
    body,
    marks: marks.map(shift),
    leftOut,
    outcomes: () => placed.slice(0, count).flatMap((each) => outcomesOf(each, shift)),
    layers: () =>
      traces.map(({ layer, start, end }) => ({
        layer,
        bytes: [byteLength(head.slice(0, start)), byteLength(head.slice(0, end))] as ByteRange,
      })),
  };
}

/**
 * The end of the conversation, and the end of what stood before the newest user message: the one is
 * written for the next request, the other was written by the last one.
 */
function markOffsets(placed: readonly Placed[]): number[] {
  const newest = placed.findLastIndex(({ message }) => message.role === "user");
  const marks = [Math.max(0, newest), placed.length].flatMap(
    (upTo) => lastMark(placed, upTo) ?? [],
  );
  return marks.filter((mark, index) => marks.indexOf(mark) === index);
}

function lastMark(placed: readonly Placed[], upTo: number): number | undefined {
  for (let index = upTo - 1; index >= 0; index -= 1) {
    const mark = placed[index]?.mark;
    if (mark !== undefined) return mark;
  }
  return undefined;
}

function outcomesOf({ segment, message, spans }: Placed, shift: (at: number) => number): Outcome[] {
  const ranges = new Map<number, ByteRange[]>();
  segment.items.forEach((item, index) => {
    for (const { part, start, end } of tracesInBytes(item, spans[index] ?? [0, 0])) {
      const range: ByteRange = [shift(start), shift(end)];
      ranges.set(part, [...(ranges.get(part) ?? []), range]);
    }
  });
  return segment.outcomes.map(({ part, type, outcome, detail, note }) => ({
    part,
    ...(message.id !== undefined && { message_id: message.id }),
    type,
    outcome,
    bytes: ranges.get(part) ?? [],
    ...(detail !== undefined && { detail }),
    ...(note !== undefined && { note }),
  }));
}

/** An item's traces as bytes of the area. Characters are bytes as long as all of it is ASCII. */
function tracesInBytes({ json, traces }: WireItem, [from, to]: ByteRange) {
  const ascii = to - from === json.length;
  const at = (char: number): number =>
    from + (ascii ? char : char === json.length ? to - from : byteLength(json.slice(0, char)));
  return traces.map(({ part, start, end }) => ({ part, start: at(start), end: at(end) }));
}

function join(
  head: Uint8Array,
  area: Uint8Array,
  marks: readonly number[],
  marker: Uint8Array,
  tail: Uint8Array,
): Uint8Array {
  const size = head.length + area.length + marks.length * marker.length + tail.length;
  const body = new Uint8Array(size);
  body.set(head);
  let at = head.length;
  let from = 0;
  for (const mark of marks) {
    body.set(area.subarray(from, mark), at);
    body.set(marker, at + mark - from);
    at += mark - from + marker.length;
    from = mark;
  }
  body.set(area.subarray(from), at);
  body.set(tail, size - tail.length);
  return body;
}
