/**
 * Reads what `author-files` found: text of a bounded size, each file once for as long as it stays
 * as it is. A command that somebody edits is there at the next message, and a hundred that nobody
 * touched cost a look at each.
 */
import { stat } from "node:fs/promises";
import type { Finding } from "@galley/compose";
import { readRegular, reasonOf } from "../workspace/read-file.ts";
import {
  type AuthorFile,
  type AuthorRoot,
  errorIn,
  findFiles,
  type Place,
} from "./author-files.ts";

/** Bytes of one file. Nobody types this much; a model would have to read it all. */
export const MOST_BYTES = 256 * 1024;

type Kept<T> = { readonly stamp: string; readonly value: T };

export type ReadFiles<T> = {
  /** One for each file that could be read, in order. */
  readonly values: readonly T[];
  readonly findings: readonly Finding[];
};

export interface FileReader<T> {
  read(files: readonly AuthorFile[]): Promise<ReadFiles<T>>;
}

export type Shelf<T> = {
  readonly root: AuthorRoot;
  readonly place: Place;
  readonly reader: FileReader<T>;
};

/** All files of several places. A folder that is a link to another has the same files, not more. */
export async function readShelves<T>(shelves: readonly Shelf<T>[]): Promise<ReadFiles<T>> {
  const values: T[] = [];
  const findings: Finding[] = [];
  const taken = new Set<string>();
  for (const { root, place, reader } of shelves) {
    const found = await findFiles(root, place);
    const fresh = found.files.filter(({ real }) => !taken.has(real));
    for (const { real } of fresh) taken.add(real);
    const read = await reader.read(fresh);
    values.push(...read.values);
    findings.push(...found.findings, ...read.findings);
  }
  return { values, findings };
}

export function fileReader<T>(
  parse: (file: AuthorFile, text: string) => Promise<T>,
): FileReader<T> {
  let kept: ReadonlyMap<string, Kept<T>> = new Map();
  return {
    async read(files) {
      const next = new Map<string, Kept<T>>();
      const values: T[] = [];
      const findings: Finding[] = [];
      for (const file of files) {
        const stamp = await stampOf(file.real);
        const before = kept.get(file.shown);
        const same = stamp !== undefined && before?.stamp === stamp ? before : undefined;
        const read = same ?? (await textOf(file));
        if ("says" in read) {
          findings.push(read);
          continue;
        }
        const value = "text" in read ? await parse(file, read.text) : read.value;
        values.push(value);
        if (stamp !== undefined) next.set(file.shown, { stamp, value });
      }
      kept = next;
      return { values, findings };
    },
  };
}

/** Undefined when it cannot be looked at; reading it says why. */
async function stampOf(real: string): Promise<string | undefined> {
  try {
    const { dev, ino, size, mtimeMs, ctimeMs } = await stat(real);
    return [real, dev, ino, size, mtimeMs, ctimeMs].join(" ");
  } catch (error) {
    reasonOf(error);
    return undefined;
  }
}

async function textOf({ shown, real }: AuthorFile): Promise<{ readonly text: string } | Finding> {
  const read = await readRegular(real, MOST_BYTES);
  if (!read.ok) return errorIn(shown, read.reason, "make it a file that can be read");
  if (read.more) return errorIn(shown, `it is larger than ${MOST_BYTES} bytes`, "shorten it");
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(read.bytes) };
  } catch {
    // The one way a fatal decode fails: these bytes are not UTF-8.
    return errorIn(shown, "it is not UTF-8", "save it as UTF-8");
  }
}
