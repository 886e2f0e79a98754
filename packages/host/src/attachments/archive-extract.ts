/**
 * Files of an archive, taken out into a new folder inside the scratch folder that is given.
 *
 * The folder is new, nothing in it is a link, and no name leads out of it, so no entry can be
 * written anywhere else. What is not taken out is told of, one reason each.
 */
import { type FileHandle, mkdir, mkdtemp, open, realpath, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  ARCHIVE_LIMITS,
  type ArchiveEntry,
  type ArchiveLimits,
  type Sink,
} from "./archive-entry.ts";
import type { Source } from "./source.ts";
import { attempt, done, type Tried, wordsOf } from "./tried.ts";
import { walkArchive } from "./walk-archive.ts";

export type Extracted = {
  /** The new folder. */
  readonly folder: string;
  /** Relative to it, with what was really written. */
  readonly files: readonly { readonly name: string; readonly bytes: number }[];
  readonly left: readonly { readonly name: string; readonly reason: string }[];
  /** Entries left behind beyond those that are named. */
  readonly more?: number;
  readonly stopped?: string;
};

export type ExtractOptions = {
  /** An existing folder; nothing is written outside of it. */
  readonly scratch: string;
  /** Exactly these entries; absent, all of them. */
  readonly names?: readonly string[];
  readonly limits?: ArchiveLimits;
};

const LEFT_SHOWN = 100;

export function archiveExtract(source: Source, options: ExtractOptions): Promise<Tried<Extracted>> {
  return attempt("it cannot be unpacked", async () => {
    const folder = await mkdtemp(join(await realpath(options.scratch), "archive-"));
    const taken = takings(folder, options.names);
    const walked = await walkArchive(source, taken.visit, options.limits ?? ARCHIVE_LIMITS);
    if (!walked.ok) {
      await rm(folder, { recursive: true });
      return walked;
    }
    const { stopped } = walked.value;
    return done({ folder, ...taken.result(), ...(stopped !== undefined && { stopped }) });
  });
}

function takings(folder: string, names: readonly string[] | undefined) {
  const wanted = names && new Set(names);
  const files: { name: string; bytes: number }[] = [];
  const left: { name: string; reason: string }[] = [];
  const seen = new Set<string>();
  const refuse = (name: string, reason: string): void => {
    left.push({ name, reason });
  };
  return {
    async visit(entry: ArchiveEntry): Promise<Sink | undefined> {
      seen.add(entry.name);
      if (wanted && !wanted.has(entry.name)) return undefined;
      if (entry.refused !== undefined) refuse(entry.name, entry.refused);
      if (entry.refused !== undefined || entry.kind !== "file") return undefined;
      const opened = await create(join(folder, entry.name));
      if (!opened.ok) refuse(entry.name, opened.reason);
      return opened.ok ? fileSink(opened.value, entry.name, files, refuse) : undefined;
    },
    result() {
      for (const name of wanted ?? []) if (!seen.has(name)) refuse(name, "there is no such entry");
      const more = left.length - LEFT_SHOWN;
      return { files, left: left.slice(0, LEFT_SHOWN), ...(more > 0 && { more }) };
    },
  };
}

type Created = { readonly path: string; readonly handle: FileHandle };

/** A file that must not be there yet: two entries of one name are a trick or a mistake. */
function create(path: string): Promise<Tried<Created>> {
  return attempt("it cannot be written", async () => {
    await mkdir(dirname(path), { recursive: true });
    return done({ path, handle: await open(path, "wx", 0o600) });
  });
}

function fileSink(
  { path, handle }: Created,
  name: string,
  files: { name: string; bytes: number }[],
  refuse: (name: string, reason: string) => void,
): Sink {
  let bytes = 0;
  let failure: string | undefined;
  return {
    async write(chunk) {
      if (failure !== undefined) return;
      try {
        bytes += chunk.length;
        await handle.writeFile(chunk);
      } catch (error) {
        // A full disk, most likely: this file is given up, and its reason is told at its end.
        failure = wordsOf(error);
      }
    },
    async end(broken) {
      await handle.close();
      const reason = failure ?? broken;
      if (reason === undefined) {
        files.push({ name, bytes });
        return;
      }
      await rm(path, { force: true });
      refuse(name, reason);
    },
  };
}
