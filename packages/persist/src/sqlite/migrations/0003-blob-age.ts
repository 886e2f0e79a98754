/** Version 3: how old bytes are is found without reading them. */
import type { Migration } from "../migrate.ts";

export const blobAge: Migration = {
  version: 3,
  up: (db) => db.exec("CREATE INDEX blobs_age ON blobs (created_at, content_id, unclaimed)"),
};
