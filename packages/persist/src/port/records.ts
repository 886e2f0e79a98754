/** What a turn leaves behind for whoever asks later: decisions, accounts, and the bytes sent. */
import type { MessageId, SessionId } from "@galley/parts";

/** What a part became when its message fired: decided once, reused by every later request. */
export type LoweringRow = {
  readonly message_id: MessageId;
  readonly part: number;
  readonly session_id: SessionId;
  readonly record_json: string;
  readonly created_at: number;
};

/** `turn` counts from 1 in a session; `round` from 1 in a turn: one model call each. */
export type ManifestRow = {
  readonly session_id: SessionId;
  readonly turn: number;
  readonly round: number;
  readonly message_id: MessageId | null;
  readonly manifest_json: string;
  readonly created_at: number;
};

export type RequestRow = {
  readonly session_id: SessionId;
  readonly turn: number;
  readonly round: number;
  readonly message_id: MessageId | null;
  readonly model: string;
  readonly method: string;
  readonly url: string;
  /** Without secrets: the caller takes them out before it comes here. */
  readonly headers_json: string;
  readonly sha256: string;
  readonly size: number;
  readonly created_at: number;
};
export type NewRequest = Omit<RequestRow, "sha256" | "size"> & {
  readonly body: Uint8Array;
  /** `hash` keeps the account and leaves the bytes. */
  readonly keep?: "bytes" | "hash";
};

export type TextKind = "system" | "tools" | "permissions";
/** Long texts that many messages share, by their hash. */
export type SharedText = {
  readonly digest: string;
  readonly kind: TextKind;
  readonly body: string;
  readonly created_at: number;
};

export interface Lowerings {
  /** The first record of a part stays; gives the one that is kept. */
  keep(row: LoweringRow): Promise<LoweringRow>;
  ofMessage(message: MessageId): Promise<readonly LoweringRow[]>;
  ofSession(session: SessionId): Promise<readonly LoweringRow[]>;
}

export interface Manifests {
  /** A round that is sent again replaces its own manifest. */
  put(row: ManifestRow): Promise<void>;
  /** All rounds of a turn, or of every turn. */
  list(session: SessionId, turn?: number): Promise<readonly ManifestRow[]>;
  /** 0 before the first. */
  lastTurn(session: SessionId): Promise<number>;
}

export interface Requests {
  /** Hashes the body; a round that is sent again replaces its own request. */
  put(request: NewRequest): Promise<RequestRow>;
  list(session: SessionId, turn?: number): Promise<readonly RequestRow[]>;
  /** The bytes as they were sent; absent where only the hash was kept. */
  body(session: SessionId, turn: number, round: number): Promise<Uint8Array | undefined>;
  /** A row as an export gives it: the hash stands, also without its bytes. */
  restore(row: RequestRow, body: Uint8Array | undefined): Promise<void>;
}

export interface SystemPrompts {
  /** Gives the SHA-256 of the text, in hex. */
  keep(text: { kind: TextKind; body: string; at: number }): Promise<string>;
  get(digest: string): Promise<SharedText | undefined>;
}
