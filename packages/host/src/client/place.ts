/**
 * How far a client has heard an answer, so that it can go on after a lost connection without
 * hearing anything twice or missing any of it.
 *
 * The server may join neighbouring deltas when it replays, so chunks are not counted: a delta
 * counts its characters, every other chunk counts one. That place is the same in both forms.
 */
import type { UiChunk } from "@galley/parts";

export const deltaOf = (chunk: UiChunk): string | undefined => {
  if (chunk.type === "text-delta" || chunk.type === "reasoning-delta") return chunk.delta;
  return chunk.type === "tool-input-delta" ? chunk.inputTextDelta : undefined;
};

export const withDelta = (chunk: UiChunk, delta: string): UiChunk =>
  chunk.type === "tool-input-delta"
    ? { ...chunk, inputTextDelta: delta }
    : // Only chunks that have a delta come here.
      ({ ...chunk, delta } as UiChunk);

export interface Place {
  /** From here on the server tells everything from the first chunk. */
  replay(): void;
  /** The chunk, the end of it that is new, or nothing when all of it was heard. */
  fresh(chunk: UiChunk): UiChunk | undefined;
}

export function createPlace(): Place {
  let heard = 0;
  let at = 0;
  return {
    replay() {
      at = 0;
    },
    fresh(chunk) {
      const delta = deltaOf(chunk);
      const known = heard - at;
      at += delta?.length ?? 1;
      if (known > 0 && at <= heard) return undefined;
      heard = Math.max(heard, at);
      return known > 0 && delta !== undefined ? withDelta(chunk, delta.slice(known)) : chunk;
    },
  };
}
