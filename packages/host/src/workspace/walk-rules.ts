/**
 * Where the rules of a workspace come from: `.gitignore` and `.agentsignore` in it, those of the
 * repository above it, and the repository's own `info/exclude`.
 *
 * `.agentsignore` has the last word over all of git's files, in both directions: it can hide what
 * git tracks and show what git ignores, and no `.gitignore` deeper down can undo it.
 */
import { lstat } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { readRegular, reasonOf } from "./read-file.ts";
import { resolveInside } from "./roots.ts";
import { decide, type RuleFile, readRules } from "./walk-ignore.ts";

export type Rules = { readonly git: RuleFile | undefined; readonly agents: RuleFile | undefined };

export type RulesProblem = {
  readonly file: ".gitignore" | ".agentsignore" | ".git/info/exclude";
  readonly reason: string;
};

export type LoadedRules = { readonly rules: Rules; readonly problems: readonly RulesProblem[] };

/** What a listing says of a name. */
type Entry = { readonly bytes: string; readonly kind: string };

const MOST_BYTES = 1 << 20;

export const isIgnored = ({ git, agents }: Rules, path: string, isDirectory: boolean): boolean =>
  (decide(agents, path, isDirectory) ?? decide(git, path, isDirectory)) === "ignored";

/** A string with one character for each byte, as rules are compared. */
export const bytesOf = (text: string): string => Buffer.from(text).toString("latin1");

/**
 * The rules that hold in a directory, which is given by its path from `top`, as text and as bytes,
 * each empty or with a slash at the end.
 */
export async function enterDirectory(
  top: string,
  directory: { readonly path: string; readonly bytes: string },
  outer: Rules,
  entries: readonly Entry[],
): Promise<LoadedRules> {
  const problems: RulesProblem[] = [];
  async function read(file: ".gitignore" | ".agentsignore", rules: RuleFile | undefined) {
    const entry = entries.find(({ bytes }) => bytes === file);
    if (!entry) return rules;
    const text = await readText(top, directory.path + file, entry.kind);
    if (text.ok) return readRules(text.text, directory.bytes, rules);
    problems.push({ file, reason: text.reason });
    return rules;
  }
  const git = await read(".gitignore", outer.git);
  const agents = await read(".agentsignore", outer.agents);
  return { rules: { git, agents }, problems };
}

type Text =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string };

/** Git follows no link to its rules, and neither do we; ours may lead anywhere inside. */
async function readText(top: string, path: string, kind: string): Promise<Text> {
  if (kind === "file") return readWhole(resolve(top, path));
  if (kind !== "link") return { ok: false, reason: "it is not a regular file" };
  if (path.endsWith(".gitignore")) return { ok: false, reason: "it is a symbolic link" };
  const inside = await resolveInside(top, path);
  return inside.ok ? readWhole(inside.real) : inside;
}

async function readWhole(path: string): Promise<Text> {
  const read = await readRegular(path, MOST_BYTES);
  if (!read.ok) return read;
  if (read.more) return { ok: false, reason: `it is larger than ${MOST_BYTES} bytes` };
  return { ok: true, text: Buffer.from(read.bytes).toString("latin1") };
}

export type Surroundings = LoadedRules & {
  /** The repository's directory when the workspace is in one, else the workspace. */
  readonly top: string;
  /** From `top` to the workspace: empty, or with a slash at the end. */
  readonly prefix: string;
};

/** What holds in the workspace before its own files are read. */
export async function readSurroundings(root: string): Promise<Surroundings> {
  const top = (await repositoryOf(root)) ?? root;
  const problems: RulesProblem[] = [];
  const exclude = await readExclude(top);
  if (!exclude.ok) problems.push({ file: ".git/info/exclude", reason: exclude.reason });
  const git = exclude.ok && exclude.text ? readRules(exclude.text, "", undefined) : undefined;
  let rules: Rules = { git, agents: undefined };
  const way = relative(top, root).split(sep).filter(Boolean);
  for (const [depth] of way.entries()) {
    const path = way
      .slice(0, depth)
      .map((name) => `${name}/`)
      .join("");
    const directory = { path, bytes: bytesOf(path) };
    const loaded = await enterDirectory(top, directory, rules, await ruleFilesIn(join(top, path)));
    problems.push(...loaded.problems);
    rules = loaded.rules;
  }
  return { top, prefix: way.map((name) => `${name}/`).join(""), rules, problems };
}

/** The rules files of a directory, as its listing would show them. */
export async function ruleFilesIn(directory: string): Promise<readonly Entry[]> {
  const names = [".gitignore", ".agentsignore"];
  const stats = await Promise.all(names.map((name) => statOf(join(directory, name))));
  return names.flatMap((bytes, nth) => {
    const found = stats[nth];
    if (!found) return [];
    return [{ bytes, kind: found.isFile() ? "file" : found.isSymbolicLink() ? "link" : "other" }];
  });
}

async function statOf(path: string) {
  try {
    return await lstat(path);
  } catch (error) {
    // Absent or out of reach: either way there is nothing here to go by.
    reasonOf(error);
    return undefined;
  }
}

async function repositoryOf(root: string): Promise<string | undefined> {
  for (let folder = root; ; folder = dirname(folder)) {
    if (await statOf(join(folder, ".git"))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/** Empty text when there is none. A `.git` that is a file names the directory that it stands for. */
async function readExclude(top: string): Promise<Text> {
  const git = await gitDirectory(join(top, ".git"));
  const path = git && join(git, "info", "exclude");
  return path && (await statOf(path)) ? readWhole(path) : { ok: true, text: "" };
}

async function gitDirectory(path: string): Promise<string | undefined> {
  const stat = await statOf(path);
  if (stat?.isDirectory()) return path;
  const pointer = stat && (await firstLine(path));
  const git = pointer?.startsWith("gitdir: ") && resolve(dirname(path), pointer.slice(8));
  if (!git) return undefined;
  const common = await firstLine(join(git, "commondir"));
  return common ? resolve(git, common) : git;
}

async function firstLine(path: string): Promise<string | undefined> {
  const read = (await statOf(path)) ? await readRegular(path, 4096) : undefined;
  return read?.ok ? Buffer.from(read.bytes).toString().split("\n")[0]?.trimEnd() : undefined;
}
