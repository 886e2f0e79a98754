/**
 * What a command must not read or change in a workspace, found before it runs: what `.agentsignore`
 * keeps from agents and what a caller hides, and of git what it runs by itself.
 *
 * Everything is walked, also what git ignores, because a command could read it there. Links are not
 * followed: what they lead to has a path of its own.
 */
import { join, relative } from "node:path";
import { decide } from "../workspace/walk-ignore.ts";
import { listDirectory } from "../workspace/walk-listing.ts";
import {
  bytesOf,
  enterDirectory,
  type Rules,
  readSurroundings,
  ruleFilesIn,
} from "../workspace/walk-rules.ts";
import type { HiddenPath } from "./sandbox.ts";

export type Guarded =
  | {
      readonly ok: true;
      readonly hidden: readonly HiddenPath[];
      readonly frozen: readonly string[];
    }
  | { readonly ok: false; readonly reason: string };

export type GuardInput = {
  /** After links. */
  readonly root: string;
  /** Hides more, by the path from the root; undefined when there is no more. */
  readonly hides?: ((path: string) => boolean) | undefined;
  readonly signal: AbortSignal;
};

type Pending = { readonly path: string; readonly bytes: string; readonly rules: Rules };

const MOST_FOLDERS = 200_000;
const AT_ONCE = 16;
const RULES_FILE = ".agentsignore";

/** Of the project's own: what the host obeys. */
const OURS = [".agents", ".claude", ".gemini", ".opencode"];

export async function guardedPaths({ root, hides, signal }: GuardInput): Promise<Guarded> {
  const { top, prefix, rules, problems } = await readSurroundings(root);
  if (problems.some(({ file }) => file === RULES_FILE)) {
    return { ok: false, reason: `an ${RULES_FILE} above the workspace cannot be read` };
  }
  if (await isKeptWhole(top, prefix)) {
    return { ok: false, reason: `the workspace itself is kept from agents by ${RULES_FILE}` };
  }
  const hidden: HiddenPath[] = [];
  const frozen: string[] = OURS.map((name) => join(root, name));
  let level: Pending[] = [{ path: "", bytes: bytesOf(prefix), rules }];
  let count = 0;

  /** The folders inside it that are to be looked into. */
  async function look(folder: Pending): Promise<Pending[]> {
    const place = join(root, folder.path);
    const listing = await listDirectory(place);
    // What we cannot list, a command that is the same person cannot list either.
    if (!listing.ok) return [];
    const at = { path: prefix + folder.path, bytes: folder.bytes };
    // Git's rules hide nothing from a command, so only ours are read.
    const rulesFiles = listing.entries.filter(({ bytes }) => bytes === RULES_FILE);
    const entered = await enterDirectory(top, at, folder.rules, rulesFiles);
    // What is kept stays kept: the rules are not a command's to change.
    frozen.push(...rulesFiles.map(({ bytes }) => join(place, bytes)));
    if (entered.problems.length > 0) {
      hidden.push({ path: place, isFolder: true });
      return [];
    }
    const inner: Pending[] = [];
    for (const { bytes, name, kind } of listing.entries) {
      if (kind === "link") continue;
      const isFolder = kind === "directory";
      const raw = folder.bytes + bytes;
      const path = folder.path + (name ?? "");
      const isKept =
        decide(entered.rules.agents, raw, isFolder) === "ignored" ||
        (name !== undefined && hides?.(path) === true);
      const hasRules = entered.rules.agents !== undefined || hides !== undefined;
      if (name === undefined && (isKept || (isFolder && hasRules))) {
        throw new Unnameable(folder.path);
      }
      if (isKept) hidden.push({ path: join(root, path), isFolder });
      else if (isFolder && name === ".git") frozen.push(...gitFiles(join(root, path)));
      else if (isFolder && name !== undefined) {
        inner.push({ path: `${path}/`, bytes: `${raw}/`, rules: entered.rules });
      }
    }
    return inner;
  }

  try {
    while (level.length > 0) {
      const next: Pending[] = [];
      for (let from = 0; from < level.length; from += AT_ONCE) {
        signal.throwIfAborted();
        const group = level.slice(from, from + AT_ONCE);
        for (const inner of await Promise.all(group.map(look))) next.push(...inner);
      }
      count += level.length;
      if (count > MOST_FOLDERS) return { ok: false, reason: "the workspace has too many folders" };
      level = next;
    }
  } catch (error) {
    if (error instanceof Unnameable) return { ok: false, reason: error.message };
    throw error;
  }
  return { ok: true, hidden, frozen: frozen.filter((path) => !isUnder(path, hidden)) };
}

/** Asked folder by folder, because a rule is about what lies in the folder of its file. */
async function isKeptWhole(top: string, prefix: string): Promise<boolean> {
  let rules: Rules = { git: undefined, agents: undefined };
  let path = "";
  for (const name of prefix.split("/").filter(Boolean)) {
    const at = { path, bytes: bytesOf(path) };
    rules = (await enterDirectory(top, at, rules, await ruleFilesIn(join(top, path)))).rules;
    if (decide(rules.agents, bytesOf(path + name), true) === "ignored") return true;
    path += `${name}/`;
  }
  return false;
}

/** A name that is no text cannot be handed on, and so cannot be hidden. */
class Unnameable extends Error {
  constructor(folder: string) {
    super(`a name in ${folder || "the workspace"} that is to be hidden is no text`);
  }
}

/** Git runs hooks, and what its settings name. */
const gitFiles = (git: string): readonly string[] =>
  ["hooks", "config", "config.worktree", "modules", "info"].map((name) => join(git, name));

const isUnder = (path: string, hidden: readonly HiddenPath[]): boolean =>
  hidden.some((each) => !relative(each.path, path).startsWith(".."));
