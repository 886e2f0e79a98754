/**
 * The port: where a session and everything about it live.
 *
 * `storeContract` is the specification; an implementation is right when it passes. Time and ids come
 * in as arguments. Every call outside a transaction is one by itself.
 */
import type { Blobs } from "./port/blobs.ts";
import type { Messages, Parts } from "./port/messages.ts";
import type { Queue } from "./port/queue.ts";
import type { Lowerings, Manifests, Requests, SystemPrompts } from "./port/records.ts";
import type { Sessions } from "./port/sessions.ts";

export interface Tables {
  readonly sessions: Sessions;
  readonly messages: Messages;
  readonly parts: Parts;
  readonly queue: Queue;
  readonly blobs: Blobs;
  readonly lowerings: Lowerings;
  readonly manifests: Manifests;
  readonly requests: Requests;
  readonly systemPrompts: SystemPrompts;
}

export interface Store extends Tables {
  /**
   * All of it or nothing, alone among writers, and safe on the disk when it resolves. Only the tables
   * it is given may be used inside, and nothing slow: everybody else waits.
   */
  transact<T>(work: (tables: Tables) => Promise<T>): Promise<T>;
  /** Reads everything and tells what is damaged; empty when all is well. */
  check(): Promise<readonly string[]>;
  close(): Promise<void>;
}
