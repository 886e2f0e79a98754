/** What an archive holds, by name and size, without unpacking it anywhere. */
import {
  ARCHIVE_LIMITS,
  type ArchiveEntry,
  type ArchiveLimits,
  type Walked,
} from "./archive-entry.ts";
import type { Source } from "./source.ts";
import { done, failed, type Tried } from "./tried.ts";
import { walkArchive } from "./walk-archive.ts";

export type ArchiveListing = {
  readonly format: Walked["format"];
  /** The first entries, at most as many as were asked for. */
  readonly entries: readonly ArchiveEntry[];
  /** Of all entries that were seen; bytes as the archive claims. */
  readonly total: { readonly entries: number; readonly bytes: number };
  /** Why there may be more than was seen. */
  readonly stopped?: string;
};

/** Entries that are written out. */
const SHOWN = 1000;

export async function archiveList(
  source: Source,
  options: { readonly show?: number; readonly limits?: ArchiveLimits } = {},
): Promise<Tried<ArchiveListing>> {
  const { show = SHOWN, limits = ARCHIVE_LIMITS } = options;
  const entries: ArchiveEntry[] = [];
  let bytes = 0;
  const walked = await walkArchive(
    source,
    async (entry) => {
      if (entries.length < show) entries.push(entry);
      bytes += entry.size;
      return undefined;
    },
    limits,
  );
  if (!walked.ok) return walked;
  const { format, entries: count, stopped } = walked.value;
  if (count === 0 && stopped !== undefined) return failed(stopped);
  const total = { entries: count, bytes };
  return done({ format, entries, total, ...(stopped !== undefined && { stopped }) });
}
