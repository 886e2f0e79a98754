/** Every version ever released has its step here, in order; a released step is never edited. */
import type { Migration } from "../migrate.ts";
import { firstTables } from "./0001-first-tables.ts";
import { oneHost } from "./0002-one-host.ts";
import { blobAge } from "./0003-blob-age.ts";

export const MIGRATIONS: readonly Migration[] = [firstTables, oneHost, blobAge];
