/**
 * Archives, walked from front to back: every entry is told of, and read only where somebody takes
 * its bytes. The first bytes say which kind of archive it is, not its name.
 */
import { ARCHIVE_LIMITS, type ArchiveLimits, type Visit, type Walked } from "./archive-entry.ts";
import { type OpenSource, type Source, withSource } from "./source.ts";
import { tarFormat, walkTar } from "./tar.ts";
import { failed, type Tried } from "./tried.ts";
import { walkZip } from "./zip.ts";

export function walkArchive(
  source: Source,
  visit: Visit,
  limits: ArchiveLimits = ARCHIVE_LIMITS,
): Promise<Tried<Walked>> {
  return withSource(source, async (open) => {
    if (await isZip(open)) return walkZip(source, open, visit, limits);
    const format = await tarFormat(open);
    if (format === undefined) return failed("it is not a zip, tar or gzip archive");
    return walkTar(open, format, visit, limits);
  });
}

async function isZip(open: OpenSource): Promise<boolean> {
  const [p, k, third, fourth] = await open.read(0, 4);
  return (
    p === 0x50 && k === 0x4b && ((third === 3 && fourth === 4) || (third === 5 && fourth === 6))
  );
}
