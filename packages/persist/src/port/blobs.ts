/**
 * Bytes that are too large for a row, named by their hash.
 *
 * A part or a lowering record that says `"content_id": "sha256:…"` holds the blob. The last holder
 * that goes takes it along; a blob that nobody has held yet stays until a sweep.
 */
import type { SessionId } from "@galley/parts";

export type BlobInfo = {
  readonly content_id: string;
  readonly size: number;
  readonly holders: number;
  readonly created_at: number;
};

export interface Blobs {
  /** The same bytes are kept once. Gives their content id. */
  put(bytes: Uint8Array, at: number): Promise<string>;
  get(content_id: string): Promise<Uint8Array | undefined>;
  info(content_id: string): Promise<BlobInfo | undefined>;
  /** What a session holds, in order of content id, also where the bytes are not here. */
  heldBy(session: SessionId): Promise<readonly string[]>;
  /** Frees blobs without a holder that were put before this time; gives their number. */
  sweep(before: number): Promise<number>;
}
