/** Messages and their parts: how they come in, grow, end, and are hidden and shown again. */
import type { MessageId, MessageRow, PartId, PartRow, SessionId } from "@galley/parts";

/** The columns beside `MessageRow`: what the queue, retries and rewinds need to find. */
export type StoredMessage = MessageRow & {
  /** The rewind that hid it; null when it is visible, or a cancelled message. */
  readonly hidden_by: string | null;
  /** The last message that this rewind left visible; null: it went back to the start. */
  readonly hidden_base: MessageId | null;
  /** Its place among those that wait; null when it does not. */
  readonly queue_order: number | null;
  readonly canceled_at: number | null;
  /** How a user message was taken in; null on the others. */
  readonly disposition: Disposition | null;
  /** SHA-256 of what the client sent, in canonical JSON; null when it cannot be retried. */
  readonly payload_sha256: string | null;
};

export type Disposition = "fired" | "queued" | "settled";

export type MessageWithParts = {
  readonly message: StoredMessage;
  readonly parts: readonly PartRow[];
};

export type NewPart = {
  readonly id: PartId;
  /** The part as it came in, to the byte. */
  readonly data_json: string;
};

export type Admission = {
  readonly id: MessageId;
  readonly session_id: SessionId;
  readonly metadata_json: string;
  readonly parts: readonly NewPart[];
  /** `settled`: recorded in its place, and no turn begins. */
  readonly disposition: Disposition;
  /** What the client sent, where settling changed it: the retry is compared with this. */
  readonly payload?: unknown;
  readonly at: number;
};

export type Admitted = {
  /** True for an exact retry: nothing was written. */
  readonly known: boolean;
  /** What the first admission answered. */
  readonly disposition: Disposition;
  readonly message: StoredMessage;
  /** Where it is now. */
  readonly state: "queued" | "fired" | "canceled" | "settled";
  /** Counted from 0, while it waits. */
  readonly position?: number;
};

export type NewMessage = {
  readonly id: MessageId;
  readonly session_id: SessionId;
  readonly role: "assistant" | "system";
  readonly metadata_json: string;
  readonly at: number;
};

/** A part of an answer that grows. A tool call keeps one row, whatever part id comes with it. */
export type PartWrite = {
  readonly id: PartId;
  readonly message_id: MessageId;
  readonly index: number;
  readonly data_json: string;
  readonly at: number;
};

export type Ending = {
  readonly reason: "finish" | "abort" | "error";
  /** `usage` and `cost_usd` are counted into the session. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly at: number;
};

export type HistoryQuery = {
  readonly include_hidden?: boolean;
  readonly after_seq?: number;
  readonly before_seq?: number;
  /** The newest so many, still oldest first. */
  readonly last?: number;
};

export type Rewind = {
  readonly id: string;
  readonly session_id: SessionId;
  readonly to_message_id: MessageId;
  /** The named message is hidden too, so that an edited one can take its place. */
  readonly inclusive: boolean;
  readonly at: number;
};

export type Unrewind = {
  readonly session_id: SessionId;
  readonly rewind_id: string;
  /** The name under which the branch that is visible now is hidden. */
  readonly swap_id: string;
  readonly at: number;
};

export interface Messages {
  /** Takes a user message in, with its parts, whole or not at all. */
  admit(admission: Admission): Promise<Admitted>;
  /** An empty message of an answer or of the host, next in order. */
  begin(message: NewMessage): Promise<StoredMessage>;
  /** Metadata keys set or (undefined) taken away; the session's usage follows. */
  stamp(
    id: MessageId,
    metadata: Readonly<Record<string, unknown>>,
    at: number,
  ): Promise<StoredMessage>;
  /** Stamps `finished_at`, `aborted_at` or `failed_at`. */
  end(id: MessageId, ending: Ending): Promise<StoredMessage>;
  get(id: MessageId): Promise<MessageWithParts | undefined>;
  /** Fired messages in the order in which they fired. */
  history(session: SessionId, query?: HistoryQuery): Promise<readonly MessageWithParts[]>;
  /** Every row, waiting and cancelled ones last: what an export holds. */
  all(session: SessionId): Promise<readonly MessageWithParts[]>;
  /** Hides what came after; gives the hidden ids in order. */
  rewind(rewind: Rewind): Promise<readonly MessageId[]>;
  /** Shows what a rewind hid and hides what took its place; gives the shown ids in order. */
  unrewind(unrewind: Unrewind): Promise<readonly MessageId[]>;
  /** A row as an export or a fork gives it, to the byte; its parts follow by themselves. */
  restore(message: StoredMessage): Promise<void>;
}

export interface Parts {
  /** The hot path of a stream: one prepared statement, one commit for the batch. */
  upsert(writes: readonly PartWrite[]): Promise<void>;
  /** Calls that are in one of these states, in visible messages, in order. */
  toolCalls(session: SessionId, states: readonly string[]): Promise<readonly PartRow[]>;
  /** A row as an export or a fork gives it, to the byte. */
  restore(part: PartRow): Promise<void>;
}
