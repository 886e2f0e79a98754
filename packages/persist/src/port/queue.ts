/**
 * The messages of a session that wait for their turn.
 *
 * Each change is conditional on the message still waiting: of two that race, one is told `undefined`
 * and has changed nothing.
 */
import type { MessageId, SessionId } from "@galley/parts";
import type { MessageWithParts, NewPart, StoredMessage } from "./messages.ts";

export type QueueEdit = {
  readonly parts: readonly NewPart[];
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly at: number;
};

export type QueueMove =
  | { readonly before: MessageId; readonly at: number }
  | { readonly after: MessageId; readonly at: number };

export interface Queue {
  /** From now on this host fires what waits, and no other does. */
  take(host: string, at: number): Promise<void>;
  /** Who took it last; asked in the transaction that fires. */
  holder(): Promise<string | undefined>;
  list(session: SessionId): Promise<readonly MessageWithParts[]>;
  /** Sessions in which something waits: a host looks here once, at its start. */
  sessions(): Promise<readonly SessionId[]>;
  /** Gives the message its order number and takes it out of the queue. */
  fire(id: MessageId, at: number): Promise<StoredMessage | undefined>;
  /** Leaves a hidden row behind, so that a late retry cannot bring the message back. */
  cancel(id: MessageId, at: number): Promise<StoredMessage | undefined>;
  /** Other parts, the same place. */
  edit(id: MessageId, edit: QueueEdit): Promise<MessageWithParts | undefined>;
  /** `undefined` too when the named neighbour does not wait in the same session. */
  move(id: MessageId, move: QueueMove): Promise<readonly MessageId[] | undefined>;
}
