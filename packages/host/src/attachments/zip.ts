/** Zip archives, by their central directory. */
import type { Entry, ZipFile } from "yauzl";
import {
  type ArchiveEntry,
  type ArchiveLimits,
  overBytes,
  overEntries,
  type Sink,
  type Visit,
  type Walked,
} from "./archive-entry.ts";
import { nameProblem } from "./entry-name.ts";
import type { OpenSource, Source } from "./source.ts";
import { attempt, done, type Tried, wordsOf } from "./tried.ts";

export function walkZip(
  source: Source,
  { fd }: OpenSource,
  visit: Visit,
  limits: ArchiveLimits,
): Promise<Tried<Walked>> {
  return attempt("the zip cannot be read", async () => {
    const { default: yauzl } = await import("yauzl");
    // Names are checked here and entries counted as they are read, so that one bad entry is told
    // of instead of hiding the others.
    const options = { autoClose: false, decodeStrings: false, validateEntrySizes: false };
    const zip = await (source instanceof Uint8Array
      ? yauzl.fromBufferPromise(
          Buffer.from(source.buffer, source.byteOffset, source.length),
          options,
        )
      : yauzl.fromFdPromise(fd ?? -1, options));
    const nameOf = ({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string =>
      yauzl.getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true);
    return done(await walkEntries(zip, nameOf, visit, limits));
  });
}

async function walkEntries(
  zip: ZipFile,
  nameOf: (entry: Entry) => string,
  visit: Visit,
  limits: ArchiveLimits,
): Promise<Walked> {
  let entries = 0;
  let bytes = 0;
  for await (const each of zip.eachEntry()) {
    if (entries >= limits.entries) return walked(entries, bytes, overEntries(limits));
    entries += 1;
    const entry = entryOf(each, nameOf(each));
    const sink = await visit(entry);
    if (sink === undefined) continue;
    const read = await readEntry(zip, each, sink, limits.bytes - bytes);
    bytes += read.bytes;
    if (read.over) return walked(entries, bytes, overBytes(limits));
  }
  return walked(entries, bytes);
}

const walked = (entries: number, bytes: number, stopped?: string): Walked => ({
  format: "zip",
  entries,
  bytes,
  ...(stopped !== undefined && { stopped }),
});

function entryOf(entry: Entry, name: string): ArchiveEntry {
  const kind = kindOf(entry, name);
  const refused = refusalOf(entry, kind) ?? nameProblem(name);
  return { name, kind, size: entry.uncompressedSize, ...(refused && { refused }) };
}

const UNIX = 3;
const FILE_TYPE = 0xf000;
const TYPES: ReadonlyMap<number, ArchiveEntry["kind"]> = new Map([
  [0, "file"],
  [0x8000, "file"],
  [0x4000, "directory"],
  [0xa000, "link"],
]);

function kindOf({ versionMadeBy, externalFileAttributes }: Entry, name: string) {
  const mode = versionMadeBy >>> 8 === UNIX ? externalFileAttributes >>> 16 : 0;
  const kind = TYPES.get(mode & FILE_TYPE) ?? "other";
  return kind === "file" && name.endsWith("/") ? "directory" : kind;
}

function refusalOf(entry: Entry, kind: ArchiveEntry["kind"]): string | undefined {
  if (kind === "link") return "it is a link";
  if (kind === "other") return "it is neither file nor folder";
  if (entry.isEncrypted()) return "it is encrypted";
  return entry.canDecodeFileData() ? undefined : "its compression is not known";
}

type ReadEntry = { readonly bytes: number; readonly over: boolean };

async function readEntry(zip: ZipFile, entry: Entry, sink: Sink, left: number): Promise<ReadEntry> {
  let bytes = 0;
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      bytes += (chunk as Uint8Array).length;
      if (bytes > left) {
        await sink.end("the archive unpacks to too much");
        return { bytes, over: true };
      }
      await sink.write(chunk as Uint8Array);
    }
    const short = bytes !== entry.uncompressedSize;
    await sink.end(
      short ? `it has ${bytes} bytes and claims ${entry.uncompressedSize}` : undefined,
    );
  } catch (error) {
    // Of the library, or of the sink: either way this entry is broken and the next may not be.
    await sink.end(wordsOf(error));
  }
  return { bytes, over: false };
}
