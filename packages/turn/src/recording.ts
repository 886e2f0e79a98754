/**
 * What the stages of a live turn hand each other: the answer that grows, its record, its listeners,
 * and the history before it. Only shapes; the work is in the files named after each.
 */
import type { ContextMessage } from "@galley/assemble";
import type { AssistantPart, MessageId, SessionRow, UiChunk } from "@galley/parts";
import type { Interaction } from "@galley/queue";

/** The chunks of a running segment from its first one, for any number of listeners. */
export interface LiveTurn {
  readonly turn_id: string;
  readonly segment: number;
  /** The user message that is answered. */
  readonly message_id: MessageId;
  readonly ended: boolean;
  /**
   * What was said from this place on, a batch at a time; 0 is the first, and `next` of one reading is
   * the place for the next. Nothing when there is no more yet. A cursor stays right for good.
   */
  readFrom(cursor: number): LiveBatch | undefined;
  /** Called after each push and after the end; returns how to stop listening. */
  listen(changed: () => void): () => void;
}

export type LiveBatch = {
  /** Frozen, and the same object for every reader of this place: it may be encoded once for all. */
  readonly batch: readonly UiChunk[];
  readonly next: number;
};

export interface WritableLiveTurn extends LiveTurn {
  /** The batch is frozen: it belongs to the listeners from here on. */
  push(batch: readonly UiChunk[]): void;
  /** Ending twice is ending once. */
  end(): void;
}

/** Keeps an answer as it grows. */
export interface Recorder {
  /** The answer's own id. */
  readonly message_id: MessageId;
  /**
   * The answer so far, in its stored shape: a picture of this moment, in which a part that did not
   * change since the last look is the same object.
   */
  readonly parts: readonly AssistantPart[];
  /** Folds the chunks in, hands them to the listeners, and sees that they are stored soon. */
  take(chunks: readonly UiChunk[]): void;
  /** Sets keys in the metadata of the answer's row, with the next write. */
  stamp(metadata: Readonly<Record<string, unknown>>): void;
  /**
   * Resolves when everything taken so far is stored, and waits for the store to come back. Rejects
   * when the store will never take it, and when the signal gives up; then nothing is tried until the
   * next call.
   */
  flush(signal?: AbortSignal): Promise<void>;
  /**
   * Flushes, then ends the message; blocked, it stays open. Without a chunk there is no message to
   * end. The live turn is ended by whoever made it.
   */
  end(
    reason: "finish" | "abort" | "error" | "blocked",
    errorText?: string,
    signal?: AbortSignal,
  ): Promise<void>;
  /** Why the answer is not stored at present; nothing when all is well. */
  trouble(): string | undefined;
}

export type SegmentEnd =
  | { readonly type: "finished" }
  | { readonly type: "aborted" }
  | { readonly type: "blocked"; readonly open: readonly Interaction[] }
  | { readonly type: "failed"; readonly message: string };

/** A committed claim: this segment of this turn is to run now, and nobody else runs it. */
export type Claim = {
  readonly session: SessionRow;
  readonly turn_id: string;
  readonly segment: number;
  /** The user message that is answered. */
  readonly message_id: MessageId;
  /** The id of the answer; the same for every segment of the turn. */
  readonly answer_id: MessageId;
  /** The number of the turn in its session; no other turn of this process has it. */
  readonly turn?: number;
};

/** What the model has seen and said, from rows; the same objects as long as their rows are. */
export interface Transcript {
  /** Visible messages up to this user message, which is last; what it refers to is decided once. */
  upTo(message_id: MessageId): Promise<readonly ContextMessage[]>;
  /** After rows changed in another way than by growing at the end. */
  forget(): void;
}
