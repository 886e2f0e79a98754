/**
 * Bytes that are too large for a row, named by their hash.
 *
 * A part, a lowering record or a session's metadata that says `"content_id": "sha256:…"` holds the
 * blob. The last holder that goes takes it along; a blob that nobody has held yet, or that a client
 * put by itself, stays until a sweep.
 */
import type { SessionId } from "@galley/parts";

export type BlobInfo = {
  readonly content_id: string;
  readonly size: number;
  readonly holders: number;
  readonly created_at: number;
};

export interface Blobs {
  /**
   * The same bytes are kept once. Gives their content id. What is `lent` may be named by messages
   * that nobody knows of yet: it outlives its holders, until a sweep finds it old.
   */
  put(bytes: Uint8Array, at: number, kind?: "lent"): Promise<string>;
  get(content_id: string): Promise<Uint8Array | undefined>;
  info(content_id: string): Promise<BlobInfo | undefined>;
  /** What a session holds, in order of content id, also where the bytes are not here. */
  heldBy(session: SessionId): Promise<readonly string[]>;
  /** Frees blobs without a holder that were last put before this time; gives their number. */
  sweep(before: number): Promise<number>;
}
