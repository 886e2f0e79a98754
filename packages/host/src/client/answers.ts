/**
 * What the calls take and answer with, as types: the server's shapes under the server's names.
 * Nothing is renamed or unpacked on the way.
 */
import type { Manifest } from "@galley/assemble";
import type { HostActionRecord, Note } from "@galley/compose";
import type {
  MessageId,
  MessageMetadata,
  SessionId,
  SessionRow,
  SessionStatus,
  UserPart,
} from "@galley/parts";
import type { ManifestRow, RequestRow } from "@galley/persist";
import type {
  Answer,
  Fork,
  QueuePlace,
  RewindMode,
  Rewound,
  Submitted,
  Unrewound,
} from "@galley/turn";

export type { Answer, Fork, QueuePlace, RewindMode, Rewound, Unrewound };

/** The row, with its JSON columns opened beside it. */
export type SessionAnswer = SessionRow & {
  /** `provider/model`; null: the default. */
  readonly model: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
};
/** With what was not taken as the file says; absent when all of it was. */
export type ImportAnswer = SessionAnswer & { readonly notes?: readonly string[] };

export type SessionPage = {
  readonly sessions: readonly SessionAnswer[];
  /** Absent on the last page. */
  readonly next_cursor?: string;
};

export type NewSession = {
  readonly id?: SessionId;
  readonly agent?: string;
  readonly workspace?: string;
  /** `provider/model`. */
  readonly model?: string;
  readonly title?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
};

export type SessionChange = {
  readonly title?: string | null;
  readonly model?: string | null;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly archived?: boolean;
  readonly stop_policy?: "drain" | "hold" | "clear";
};

export type SessionsAsked = {
  readonly include_archived?: boolean;
  readonly include_ephemeral?: boolean;
  readonly parent_id?: SessionId;
  readonly cursor?: string;
  readonly limit?: number;
};

/** A message in words, in parts, or both: the parts follow the words. */
export type Words = {
  /** As it was typed: commands and mentions are looked for in it. */
  readonly text?: string;
  readonly refs?: readonly string[];
  readonly attach?: readonly string[];
  readonly parts?: readonly UserPart[];
  readonly editor_context?: readonly unknown[];
  readonly plain?: boolean;
};

export type NewMessage = Words & {
  /** The key under which a retry is known; minted when absent. */
  readonly id?: MessageId;
  /** `provider/model`, for this message and those after it. */
  readonly model?: string;
};

export type SubmitAnswer = Submitted & {
  readonly notes?: readonly Note[];
  readonly actions?: readonly HostActionRecord[];
};

export type MessageAnswer = {
  readonly id: MessageId;
  readonly session_id: SessionId;
  readonly role: "user" | "assistant" | "system";
  /** How it was taken in; null on answers. */
  readonly disposition: "fired" | "queued" | "settled" | null;
  /** Its place; null while it waits. */
  readonly seq: number | null;
  readonly metadata: MessageMetadata;
  readonly parts: readonly { readonly type: string; readonly [key: string]: unknown }[];
  readonly created_at: number;
  readonly updated_at: number;
};

export type StatusAnswer = SessionStatus;

export type QueueAnswer = {
  readonly entries: readonly MessageAnswer[];
  readonly paused: "hold" | "error" | null;
  readonly stop_policy: "drain" | "hold" | "clear";
};

export type MessagesAsked = {
  /** Those after this one. */
  readonly after?: MessageId;
  /** The newest so many, still oldest first. */
  readonly last?: number;
};

/** A manifest with the round it was made for. */
export type ManifestAnswer = Omit<ManifestRow, "manifest_json"> & { readonly manifest: Manifest };

export type RequestAnswer = Omit<RequestRow, "session_id" | "headers_json"> & {
  /** Secrets are `***`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exact body; null where only its hash was kept. */
  readonly body_text: string | null;
};
