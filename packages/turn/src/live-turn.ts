/**
 * The chunks of a running segment, kept for everybody who listens or comes late.
 *
 * A cursor counts characters of plain deltas and one for every other chunk. So the deltas far back
 * can be joined, which keeps a long answer small, and every cursor still points between the same two
 * characters.
 */
import type { MessageId, UiChunk } from "@galley/parts";
import type { LiveBatch, WritableLiveTurn } from "./recording.ts";

export type LiveTurnInput = {
  readonly turn_id: string;
  readonly segment: number;
  readonly message_id: MessageId;
  /** Told what a listener threw, once for each listener. */
  report(error: unknown): void;
};

type Stretch = LiveBatch & { readonly from: number };
type Listener = { readonly changed: () => void; failed: boolean };

/** So many of the newest batches stay as they came: those who keep up read them, encoded once. */
const RECENT = 64;
/** A joined batch grows up to one of these. */
const JOINED_CHUNKS = 1024;
const JOINED_WEIGHT = 65_536;

export function createLiveTurn(input: LiveTurnInput): WritableLiveTurn {
  const { turn_id, segment, message_id, report } = input;
  const stretches: Stretch[] = [];
  const listeners = new Set<Listener>();
  /** How many of the first stretches are joined. */
  let joined = 0;
  let ended = false;

  const head = () => stretches.at(-1)?.next ?? 0;

  function tell() {
    for (const listener of [...listeners]) {
      // One listener may have stopped another.
      if (!listeners.has(listener)) continue;
      try {
        listener.changed();
      } catch (error) {
        if (!listener.failed) report(error);
        listener.failed = true;
      }
    }
  }

  function compact() {
    if (stretches.length - joined < RECENT * 2) return;
    const last = joined > 0 ? stretches[joined - 1] : undefined;
    const room = last !== undefined && hasRoom(last);
    const at = room ? joined - 1 : joined;
    const count = joined + RECENT - at;
    stretches.splice(at, count, join(stretches.slice(at, at + count)));
    joined = at + 1;
  }

  return {
    turn_id,
    segment,
    message_id,
    get ended() {
      return ended;
    },
    readFrom: (cursor) => read(stretches, cursor),
    push(batch) {
      if (ended) {
        report(new Error(`${batch.length} chunks came after the end of ${turn_id}`));
        return;
      }
      if (batch.length === 0) return;
      const from = head();
      stretches.push(stretch(from, batch));
      compact();
      tell();
    },
    end() {
      if (ended) return;
      ended = true;
      tell();
      listeners.clear();
    },
    listen(changed) {
      const listener = { changed, failed: false };
      if (!ended) listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

function stretch(from: number, batch: readonly UiChunk[]): Stretch {
  const next = batch.reduce((sum, chunk) => sum + weigh(chunk), from);
  return Object.freeze({ from, batch: Object.freeze(batch), next });
}

const hasRoom = ({ batch, from, next }: Stretch): boolean =>
  batch.length < JOINED_CHUNKS && next - from < JOINED_WEIGHT;

/** The stretch that the cursor stands in; only what is behind the cursor is left out. */
function read(stretches: readonly Stretch[], cursor: number): LiveBatch | undefined {
  let low = 0;
  let high = stretches.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((stretches[middle]?.next ?? 0) <= cursor) low = middle + 1;
    else high = middle;
  }
  const found = stretches[low];
  if (found === undefined || found.from >= cursor) return found;
  return stretch(cursor, without(found.batch, cursor - found.from));
}

function without(batch: readonly UiChunk[], weight: number): UiChunk[] {
  let left = weight;
  let index = 0;
  for (const chunk of batch) {
    const weighs = weigh(chunk);
    if (weighs > left) break;
    left -= weighs;
    index += 1;
  }
  const rest = batch.slice(index);
  const first = rest[0];
  if (left > 0 && first) rest[0] = withDelta(first, deltaOf(first).slice(left));
  return rest;
}

function join(parts: readonly Stretch[]): Stretch {
  const batch: UiChunk[] = [];
  for (const chunk of parts.flatMap((part) => part.batch)) {
    const last = batch.at(-1);
    if (last && goOn(last, chunk)) {
      batch[batch.length - 1] = withDelta(last, deltaOf(last) + deltaOf(chunk));
    } else batch.push(chunk);
  }
  return stretch(parts[0]?.from ?? 0, batch);
}

const weigh = (chunk: UiChunk): number => deltaOf(chunk).length || 1;

/** The text of a delta that says nothing else; empty for every other chunk. */
function deltaOf(chunk: UiChunk): string {
  switch (chunk.type) {
    case "text-delta":
    case "reasoning-delta":
      return isPlain(chunk) ? chunk.delta : "";
    case "tool-input-delta":
      return isPlain(chunk) ? chunk.inputTextDelta : "";
    default:
      return "";
  }
}

/** Its type, its id and its text. */
const isPlain = (chunk: UiChunk): boolean => Object.keys(chunk).length === 3;

const goOn = (last: UiChunk, chunk: UiChunk): boolean =>
  last.type === chunk.type &&
  deltaOf(last) !== "" &&
  deltaOf(chunk) !== "" &&
  idOf(last) === idOf(chunk);

const idOf = (chunk: UiChunk): unknown =>
  chunk.type === "tool-input-delta" ? chunk.toolCallId : chunk.id;

function withDelta(chunk: UiChunk, text: string): UiChunk {
  if (chunk.type === "tool-input-delta") return { ...chunk, inputTextDelta: text };
  return { ...chunk, delta: text } as UiChunk;
}
