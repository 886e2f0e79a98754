/** Blobs on SQLite: beside the rows that name them, so that one transaction holds for both. */
import type { BlobInfo, Blobs } from "../port/blobs.ts";
import { LENT } from "./blob-refs.ts";
import type { Group } from "./group.ts";
import { sha256 } from "./sha256.ts";
import type { Sql } from "./sql.ts";

// Bytes that come after their holder, as in an import, wait for nobody.
const PUT = `INSERT INTO blobs (content_id, size, bytes, unclaimed, created_at)
  VALUES (:content_id, :size, :bytes,
    max(:lent, NOT EXISTS (SELECT 1 FROM blob_refs WHERE content_id = :content_id)), :created_at)
  ON CONFLICT DO UPDATE SET unclaimed = max(unclaimed, :lent, 1),
    created_at = max(created_at, excluded.created_at)`;
const INFO = `SELECT content_id, size, created_at,
  (SELECT count(*) FROM blob_refs WHERE blob_refs.content_id = blobs.content_id) AS holders
  FROM blobs WHERE content_id = :content_id`;
const HELD_BY =
  "SELECT DISTINCT content_id FROM blob_refs WHERE session_id = :id ORDER BY content_id";
// What was lent long ago and is held goes with its last holder, like everything else.
const SETTLE = "UPDATE blobs SET unclaimed = 0 WHERE created_at < :before AND unclaimed <> 0";
const SWEEP = `DELETE FROM blobs WHERE created_at < :before
  AND NOT EXISTS (SELECT 1 FROM blob_refs WHERE blob_refs.content_id = blobs.content_id)`;

export function blobGroup(sql: Sql): Group<Blobs> {
  return {
    steps: {
      put: (bytes, at, kind) => {
        const content_id = `sha256:${sha256(bytes)}`;
        const lent = kind === "lent" ? LENT : 0;
        sql.run(PUT, { content_id, size: bytes.length, bytes, lent, created_at: at });
        return content_id;
      },
      get: (content_id) =>
        sql.get<{ bytes: Uint8Array }>("SELECT bytes FROM blobs WHERE content_id = :content_id", {
          content_id,
        })?.bytes,
      info: (content_id) => sql.get<BlobInfo>(INFO, { content_id }),
      heldBy: (id) =>
        sql.all<{ content_id: string }>(HELD_BY, { id }).map(({ content_id }) => content_id),
      sweep: (before) => {
        const freed = sql.run(SWEEP, { before });
        sql.run(SETTLE, { before });
        return freed;
      },
    },
    modes: { put: "write", get: "read", info: "read", heldBy: "read", sweep: "write" },
  };
}
