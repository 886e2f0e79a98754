/** Where the frames of a stream come from: a running turn, chunks that are known, one after another. */
import type { LiveTurn } from "@galley/turn";
import type { Next, SseSource } from "./sse-hub.ts";
import type { WireChunk } from "./stored-answer.ts";

export const frame = (data: string): Uint8Array => Buffer.from(`data: ${data}\n\n`);

export const DONE = frame("[DONE]");

export function framesOf(batch: readonly WireChunk[]): Uint8Array {
  let text = "";
  for (const chunk of batch) text += `data: ${JSON.stringify(chunk)}\n\n`;
  return Buffer.from(text);
}

type Encode = (batch: readonly WireChunk[]) => Uint8Array;

/**
 * One for each turn, shared by all who listen to it. They are told of a batch one after the other,
 * so remembering the last one is enough to encode each once; who reads far behind encodes for itself,
 * and nothing is kept for it.
 */
const encoders = new WeakMap<LiveTurn, Encode>();

export function encoderOf(turn: LiveTurn): Encode {
  const known = encoders.get(turn);
  if (known !== undefined) return known;
  let last: readonly WireChunk[] | undefined;
  let frames: Uint8Array = DONE;
  const encode: Encode = (batch) => {
    if (batch !== last) {
      frames = framesOf(batch);
      last = batch;
    }
    return frames;
  };
  encoders.set(turn, encode);
  return encode;
}

export type TurnSourceOptions = {
  /** Whether the server no longer waits for its streams. */
  readonly isCut: () => boolean;
  /** Hears how many chunks went out. */
  readonly onChunks: (count: number) => void;
};

/** A running segment from its first chunk to its end. */
export function turnSource(turn: LiveTurn, { isCut, onChunks }: TurnSourceOptions): SseSource {
  const encode = encoderOf(turn);
  let cursor = 0;
  let isDone = false;
  return {
    next(): Next {
      if (isDone) return "end";
      const said = turn.readFrom(cursor);
      if (said !== undefined) {
        cursor = said.next;
        onChunks(said.batch.length);
        return encode(said.batch);
      }
      if (turn.ended) {
        isDone = true;
        return DONE;
      }
      return isCut() ? "cut" : "wait";
    },
    listen: (wake) => turn.listen(wake),
  };
}

/** Chunks that are all known. */
export function chunkSource(chunks: readonly WireChunk[], last: Uint8Array = DONE): SseSource {
  const frames = chunks.length > 0 ? [framesOf(chunks), last] : [last];
  return { next: () => frames.shift() ?? "end", listen: () => () => {} };
}

/** What is known first, and then what another source says. */
export function after(first: Uint8Array, source: SseSource): SseSource {
  let said = first.length === 0;
  return {
    next() {
      if (said) return source.next();
      said = true;
      return first;
    },
    listen: (wake) => source.listen(wake),
  };
}

/** A source that is still being found; whoever waits for it gets comments meanwhile. */
export function laterSource(
  finding: (signal: AbortSignal) => Promise<SseSource>,
  isCut: () => boolean,
): SseSource {
  let found: SseSource | undefined;
  return {
    next: () => found?.next() ?? (isCut() ? "cut" : "wait"),
    listen(wake) {
      const left = new AbortController();
      let stop: (() => void) | undefined;
      void finding(left.signal).then((source) => {
        if (left.signal.aborted) return;
        found = source;
        stop = source.listen(wake);
        wake();
      });
      return () => {
        left.abort();
        stop?.();
      };
    },
  };
}
