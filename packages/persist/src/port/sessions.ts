/** Sessions: rows that begin a conversation, are listed, put away and deleted. */
import type { SessionId, SessionRow } from "@galley/parts";

export type NewSession = {
  readonly id: SessionId;
  readonly agent: string;
  readonly title?: string | null;
  readonly workspace_root?: string | null;
  readonly model_json?: string | null;
  readonly parent_id?: SessionId | null;
  readonly parent_message_id?: string | null;
  readonly permissions_json?: string;
  readonly metadata_json?: string;
  readonly at: number;
};

/** What may change after the start: the agent and the workspace never do. */
export type SessionPatch = {
  readonly title?: string | null;
  readonly model_json?: string | null;
  readonly permissions_json?: string;
  /** Keys to set; `undefined` takes a key away. Every other key keeps its bytes. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly at: number;
};

export type SessionQuery = {
  readonly include_archived?: boolean;
  /** Sidecars; they are always among the children of a named parent. */
  readonly include_ephemeral?: boolean;
  readonly parent_id?: SessionId;
  readonly workspace_root?: string;
  /** From the page before; opaque. */
  readonly cursor?: string;
  /** At most 500; 50 unless told. */
  readonly limit?: number;
};

export type SessionPage = {
  readonly sessions: readonly SessionRow[];
  /** Absent on the last page. */
  readonly next_cursor?: string;
};

export interface Sessions {
  /** An id is used once: a second row under it is a conflict. */
  create(session: NewSession): Promise<SessionRow>;
  get(id: SessionId): Promise<SessionRow | undefined>;
  /** The most recently used first. */
  list(query: SessionQuery): Promise<SessionPage>;
  /** Sessions whose metadata has this key: a host finds here what a dead process left marked. */
  marked(key: string): Promise<readonly SessionId[]>;
  patch(id: SessionId, patch: SessionPatch): Promise<SessionRow>;
  /** `archived_at: null` takes it out again. */
  archive(id: SessionId, archived_at: number | null): Promise<SessionRow>;
  /** With its messages, parts and records; blobs that nobody else holds go too. */
  delete(id: SessionId): Promise<boolean>;
  /** A row as an export or a fork gives it, to the byte. */
  restore(row: SessionRow): Promise<void>;
}
