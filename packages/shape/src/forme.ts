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
import type { PartOutcome } from "./lower.ts";
import type { EnvelopeInput, Protocol, Trace } from "./protocol.ts";
import { glue, type Last, makeSegment, type Segment, targetOf } from "./segment.ts";

export type RequestInput = Omit<EnvelopeInput, "profile">;

export interface WireRequest {
  /** The exact bytes to send, in one piece; joined when first asked for. */
  readonly body: Uint8Array;
  /** The same bytes in pieces, of which the old conversation is one: nothing is copied. */
  readonly chunks: readonly Uint8Array[];
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

/** An item that stands in the area. Its text is not kept: the area has it. */
type Laid = {
  readonly traces: readonly Trace[];
  /** How many characters `start` to `end` are. */
  readonly chars: number;
  readonly start: number;
  readonly end: number;
};

type Placed = {
  readonly message: ContextMessage;
  readonly items: readonly Laid[];
  readonly outcomes: readonly PartOutcome[];
  /** The area's length, and the frame that is open, once this message stands. */
  readonly end: number;
  readonly last: Last | undefined;
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
      const items = segment.items.map(({ frame, json, traces, markable }): Laid => {
        area.write(glue(last, frame));
        const start = area.length;
        area.write(json);
        if (markable) mark = area.length - 1;
        last = { frame };
        return { traces, chars: json.length, start, end: area.length };
      });
      placed.push({ message, items, outcomes: segment.outcomes, end: area.length, last, mark });
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
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

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
  const chunks = [front, ...markedPieces(area, marks, encoder.encode(marker)), back];
  let joined: Uint8Array | undefined;
  const count = placed.length;
  const shift = (offset: number): number =>
    front.length + offset + marks.filter((mark) => mark < offset).length * marker.length;
  return {
    get body() {
      joined ??= join(chunks);
      return joined;
    },
    chunks,
    marks: marks.map(shift),
    leftOut,
    outcomes: () => placed.slice(0, count).flatMap((each) => outcomesOf(each, area, shift)),
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

function outcomesOf(
  { items, outcomes, message }: Placed,
  area: Uint8Array,
  shift: (at: number) => number,
): Outcome[] {
  const ranges = new Map<number, ByteRange[]>();
  for (const { part, start, end } of items.flatMap((item) => tracesInBytes(item, area))) {
    const range: ByteRange = [shift(start), shift(end)];
    ranges.set(part, [...(ranges.get(part) ?? []), range]);
  }
  return outcomes.map(({ part, type, outcome, detail, note }) => ({
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
function tracesInBytes({ traces, chars, start: from, end: to }: Laid, area: Uint8Array): Trace[] {
  const isAscii = to - from === chars;
  const json = isAscii ? "" : decoder.decode(area.subarray(from, to));
  const at = (char: number): number =>
    from + (isAscii ? char : char === chars ? to - from : byteLength(json.slice(0, char)));
  return traces.map(({ part, start, end }) => ({ part, start: at(start), end: at(end) }));
}

/** The area cut where markers stand, with the markers between. */
function markedPieces(
  area: Uint8Array,
  marks: readonly number[],
  marker: Uint8Array,
): readonly Uint8Array[] {
  const edges = [0, ...marks, area.length];
  return edges.slice(1).flatMap((edge, index) => {
    const piece = area.subarray(edges[index], edge);
    return index < marks.length ? [piece, marker] : [piece];
  });
}

function join(chunks: readonly Uint8Array[]): Uint8Array {
  const body = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.length;
  }
  return body;
}
