/**
 * A search through files, as it runs in its own thread: everything here may take as long as it
 * likes, because whoever started it watches the clock.
 */
import { keepOwn } from "../workspace/own-files.ts";
import { type WalkSummary, walkWorkspace } from "../workspace/walk.ts";
import { readGlob } from "./glob-pattern.ts";
import { fileReader, type ReadText } from "./grep-file.ts";
import { type GrepRegex, type MatchedLine, matchLines } from "./grep-lines.ts";
import { requiredBytes } from "./grep-literal.ts";

type Search = { readonly regex: GrepRegex; readonly mostLines: number };

export type TreeSearch = Search & {
  /** After links. */
  readonly root: string;
  /** Where it begins: a folder with a slash at the end, empty for the root. */
  readonly prefix: string;
  readonly glob?: string;
  readonly mostFileBytes: number;
  /** The host's own files, which a thread has no list of. */
  readonly own: readonly string[];
};

/** One file that somebody named and that was read already. */
export type TextSearch = Search & { readonly path: string; readonly text: string };

export type GrepJob = TreeSearch | TextSearch;

export type GrepFound = { readonly path: string; readonly lines: readonly MatchedLine[] };

export type GrepEnd = Pick<WalkSummary, "end" | "notes" | "ignored"> & {
  readonly searched: number;
  readonly binary: number;
  /** Files over the bound, the first few by name. */
  readonly large: { readonly count: number; readonly examples: readonly string[] };
  readonly unreadable: { readonly count: number; readonly examples: readonly string[] };
  /** The cap on lines ended it. */
  readonly isFull: boolean;
};

export type GrepMessage =
  | { readonly type: "found"; readonly found: GrepFound }
  | { readonly type: "end"; readonly end: GrepEnd };

const EXAMPLES = 5;

type Tell = (message: GrepMessage) => void;

export async function runGrep(job: GrepJob, tell: Tell): Promise<void> {
  const regex = new RegExp(job.regex.source, job.regex.flags);
  return "text" in job ? searchText(job, regex, tell) : searchTree(job, regex, tell);
}

function searchText({ path, text, mostLines }: TextSearch, regex: RegExp, tell: Tell): void {
  const lines = matchLines(text, regex, mostLines);
  if (lines.length > 0) tell({ type: "found", found: { path, lines } });
  const counts = tally();
  counts.add(path, "text");
  const isFull = lines.length >= mostLines;
  tell({ type: "end", end: { end: "complete", notes: [], ignored: 0, isFull, ...counts.all() } });
}

async function searchTree(job: TreeSearch, regex: RegExp, tell: Tell): Promise<void> {
  const glob = job.glob === undefined ? undefined : readGlob(job.glob);
  const stop = new AbortController();
  const forget = keepOwn(job.own);
  const counts = tally();
  const reader = fileReader(job.root, job.mostFileBytes);
  const required = requiredBytes(job.regex.source, job.regex.flags);
  let left = job.mostLines;

  function search(path: string): void {
    const read = reader.read(path);
    counts.add(path, read.kind);
    if (read.kind !== "text") return;
    const bytes = Buffer.from(read.bytes.buffer, read.bytes.byteOffset, read.bytes.length);
    if (required && !bytes.includes(required)) return;
    const lines = matchLines(bytes.toString("utf8"), regex, left);
    left -= lines.length;
    if (lines.length > 0) tell({ type: "found", found: { path, lines } });
    if (left <= 0) stop.abort();
  }

  const summary = await walkWorkspace(job.root, {
    signal: stop.signal,
    only: job.prefix,
    onBatch(paths) {
      for (const path of paths) {
        if (left <= 0) return;
        if (path.endsWith("/") || !path.startsWith(job.prefix)) continue;
        if (glob?.ok && !glob.fits(path.slice(job.prefix.length), false)) continue;
        search(path);
      }
    },
  });
  reader.close();
  forget();
  const { end, notes, ignored } = summary;
  tell({ type: "end", end: { end, notes, ignored, isFull: left <= 0, ...counts.all() } });
}

function tally() {
  const counts = { text: 0, binary: 0, large: 0, link: 0, unreadable: 0 };
  const examples = { large: [] as string[], unreadable: [] as string[] };
  return {
    add(path: string, kind: ReadText["kind"]): void {
      counts[kind] += 1;
      const some = kind === "large" || kind === "unreadable" ? examples[kind] : undefined;
      if (some && some.length < EXAMPLES) some.push(path);
    },
    all: () => ({
      searched: counts.text,
      binary: counts.binary,
      large: { count: counts.large, examples: examples.large },
      unreadable: { count: counts.unreadable, examples: examples.unreadable },
    }),
  };
}
