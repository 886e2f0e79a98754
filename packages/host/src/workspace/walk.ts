/**
 * Lists a workspace for mentions: files and directories, without what the ignore files hide.
 *
 * Level by level, so that what lies near the top comes first and a limit cuts the depths; inside a
 * directory in byte order, so that two walks of one tree say the same. No symbolic link is walked
 * through. Whatever is not listed for another reason than a rule is in the notes.
 */
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { reasonOf } from "./read-file.ts";
import { BEFORE_A_PAUSE, type Listed, listDirectory, targetOf } from "./walk-listing.ts";
import { createWalkNotes, type WalkNote, type WalkNotes } from "./walk-notes.ts";
import {
  bytesOf,
  enterDirectory,
  isIgnored,
  type Rules,
  type RulesProblem,
  readSurroundings,
  type Surroundings,
} from "./walk-rules.ts";

export type WalkOptions = {
  /** Paths from the workspace with forward slashes; a directory ends with one. */
  readonly onBatch: (paths: readonly string[]) => void | Promise<void>;
  readonly signal?: AbortSignal;
  /** Only what lies in this directory, which ends with a slash; empty for all. */
  readonly only?: string;
  /** Files and directories together; 500,000 unless said. */
  readonly maxEntries?: number;
  /** 1,000 unless said. */
  readonly batchSize?: number;
};

export type WalkSummary = {
  readonly end: "complete" | "cut" | "aborted";
  readonly files: number;
  readonly directories: number;
  /** Entries that a rule held back; what is inside them is not counted. */
  readonly ignored: number;
  readonly notes: readonly WalkNote[];
};

/** A directory to be read: its path from the workspace, and as bytes from the top. */
type Pending = { readonly path: string; readonly bytes: string; readonly rules: Rules };

type Loaded =
  | { readonly ok: true; readonly entries: readonly Listed[]; readonly rules: Rules }
  | { readonly ok: false };

const AT_ONCE = 16;

export async function walkWorkspace(root: string, options: WalkOptions): Promise<WalkSummary> {
  const notes = createWalkNotes();
  const real = await realOrNote(root, notes);
  const around = real === undefined ? undefined : await readSurroundings(real);
  if (real === undefined || around === undefined || !noteProblems(notes, "../", around.problems)) {
    return { end: "complete", files: 0, directories: 0, ignored: 0, notes: notes.all() };
  }
  return walk(real, around, notes, options);
}

async function realOrNote(root: string, notes: WalkNotes): Promise<string | undefined> {
  try {
    return await realpath(root);
  } catch (error) {
    notes.add("unreadable", ".", reasonOf(error));
    return undefined;
  }
}

/** Whether what is below may be listed: not where an `.agentsignore` might hide it. */
function noteProblems(notes: WalkNotes, path: string, problems: readonly RulesProblem[]): boolean {
  let isListed = true;
  for (const { file, reason } of problems) {
    const ours = file === ".agentsignore";
    notes.add(ours ? "rules-unknown" : "rules-not-applied", path + file, reason);
    if (ours) isListed = false;
  }
  return isListed;
}

async function walk(
  root: string,
  { top, prefix, rules }: Surroundings,
  notes: WalkNotes,
  { onBatch, signal, only = "", maxEntries = 500_000, batchSize = 1_000 }: WalkOptions,
): Promise<WalkSummary> {
  const counts = { files: 0, directories: 0, ignored: 0 };
  let level: readonly Pending[] = [{ path: "", bytes: bytesOf(prefix), rules }];
  let deeper: Pending[] = [];
  let batch: string[] = [];
  let looked = 0;
  let isCut = false;

  const isOver = (): boolean => isCut || signal?.aborted === true;

  async function flush(): Promise<void> {
    const paths = batch;
    batch = [];
    if (paths.length > 0) await onBatch(paths);
  }

  function emit(path: string, kind: "file" | "directory"): void {
    isCut = counts.files + counts.directories >= maxEntries;
    if (isCut) return;
    counts[kind === "directory" ? "directories" : "files"] += 1;
    batch.push(kind === "directory" ? `${path}/` : path);
  }

  async function load(directory: Pending): Promise<Loaded> {
    const listing = await listDirectory(join(root, directory.path));
    if (!listing.ok) {
      notes.add("unreadable", directory.path || ".", listing.reason);
      return listing;
    }
    const place = { path: prefix + directory.path, bytes: directory.bytes };
    const entered = await enterDirectory(top, place, directory.rules, listing.entries);
    if (!noteProblems(notes, directory.path, entered.problems)) return { ok: false };
    return { ok: true, entries: listing.entries, rules: entered.rules };
  }

  /** A promise only for a link: whoever waits for every entry waits for nothing most of the time. */
  function take(parent: Pending, inner: Rules, { bytes, name, kind }: Listed) {
    const raw = parent.bytes + bytes;
    const path = parent.path + (name ?? Buffer.from(bytes, "latin1").toString());
    if (!path.startsWith(only) && !only.startsWith(`${path}/`)) return undefined;
    if (isIgnored(inner, raw, kind === "directory")) counts.ignored += 1;
    else if (name === undefined) notes.add("unnameable", path);
    else if (kind === "special") notes.add("special", path);
    else if (kind === "link") return takeLink(path);
    else {
      emit(path, kind);
      if (kind === "directory") deeper.push({ path: `${path}/`, bytes: `${raw}/`, rules: inner });
    }
    return undefined;
  }

  async function takeLink(path: string): Promise<void> {
    const target = await targetOf(root, path);
    if (target.kind === "file" || target.kind === "directory") emit(path, target.kind);
    else notes.add(target.kind, path, "reason" in target ? target.reason : undefined);
  }

  async function enter(directory: Pending, { entries, rules: inner }: Loaded & { ok: true }) {
    for (const listed of entries) {
      if (isOver()) break;
      if (listed.bytes === ".git") continue;
      looked += 1;
      if (looked % BEFORE_A_PAUSE === 0) await setImmediate();
      const later = take(directory, inner, listed);
      if (later) await later;
      if (batch.length >= batchSize) await flush();
    }
    if (isCut) notes.add("cut", directory.path || ".", "only the first of its entries are listed");
  }

  async function walkLevel(): Promise<void> {
    for (let from = 0; from < level.length; from += AT_ONCE) {
      const group = level.slice(from, from + AT_ONCE);
      const loaded = isOver() ? [] : await Promise.all(group.map(load));
      for (const [nth, directory] of group.entries()) {
        const found = loaded[nth];
        if (isOver()) leave(directory);
        else if (found?.ok) await enter(directory, found);
      }
    }
  }

  function leave(directory: Pending): void {
    if (isCut) notes.add("cut", directory.path);
  }

  while (level.length > 0) {
    await walkLevel();
    level = deeper;
    deeper = [];
  }
  await flush();
  const end = signal?.aborted ? "aborted" : isCut ? "cut" : "complete";
  return { end, ...counts, notes: notes.all() };
}
