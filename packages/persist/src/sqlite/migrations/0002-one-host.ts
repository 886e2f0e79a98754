/** Version 2: which host begins turns, so that one that lost its lock finds out. */
import type { Migration } from "../migrate.ts";

const HOST = `
CREATE TABLE host (
  only INTEGER PRIMARY KEY NOT NULL CHECK (only = 1),
  id TEXT NOT NULL,
  taken_at INTEGER NOT NULL
) STRICT;
`;

export const oneHost: Migration = { version: 2, up: (db) => db.exec(HOST) };
