/**
 * A glob as models write them, over paths with forward slashes: `*`, `?`, `[…]`, `**`, and `{a,b}`.
 *
 * Without a slash a pattern is about the last name of a path, at any depth; with one it is about the
 * whole path. The matching is that of the ignore files, which no pattern makes slow.
 */
import { compileGlob } from "../workspace/walk-glob.ts";
import { bytesOf } from "../workspace/walk-rules.ts";

export type Glob =
  | { readonly ok: true; fits(path: string, isFolder: boolean): boolean }
  | { readonly ok: false; readonly reason: string };

const LONGEST = 1000;
/** What a pattern may come to when its braces are written out. */
const MOST_ALTERNATIVES = 100;

export function readGlob(pattern: string): Glob {
  if (pattern.length > LONGEST) return broken(`it is longer than ${LONGEST} characters`);
  const alternatives = expandBraces(pattern);
  if (alternatives === undefined) {
    return broken(`its braces stand for more than ${MOST_ALTERNATIVES} patterns`);
  }
  const compiled = alternatives.map(compileOne);
  if (compiled.includes("leads-out"))
    return broken("`..` matches nothing: give the folder as `path`");
  if (compiled.includes("incomplete")) return broken("a bracket or a backslash is not complete");
  const tests = compiled.filter((each) => typeof each === "object");
  return {
    ok: true,
    fits: (path, isFolder) => {
      const whole = bytesOf(path);
      const name = whole.slice(whole.lastIndexOf("/") + 1);
      return tests.some(
        ({ test, onlyFolders, onlyName }) =>
          (isFolder || !onlyFolders) && test(onlyName ? name : whole),
      );
    },
  };
}

const broken = (reason: string): Glob => ({ ok: false, reason });

type Compiled = {
  readonly test: (text: string) => boolean;
  readonly onlyFolders: boolean;
  readonly onlyName: boolean;
};

function compileOne(pattern: string): Compiled | "incomplete" | "leads-out" {
  const onlyFolders = pattern.endsWith("/");
  const bare = pattern.replace(/^(\.\/)+/, "/").replace(/\/+$/, "");
  if (bare.split("/").includes("..")) return "leads-out";
  const test = compileGlob(bytesOf(bare.replace(/^\/+/, "")));
  return test ? { test, onlyFolders, onlyName: !bare.includes("/") } : "incomplete";
}

/** Undefined when there are too many. */
function expandBraces(pattern: string): readonly string[] | undefined {
  const done: string[] = [];
  const open = [pattern];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const group = firstGroup(next);
    if (group === undefined) done.push(next);
    else {
      const { from, to, choices } = group;
      const before = next.slice(0, from);
      const after = next.slice(to);
      open.push(...choices.map((choice) => before + choice + after));
    }
    if (done.length + open.length > MOST_ALTERNATIVES) return undefined;
  }
  return done;
}

type Group = { readonly from: number; readonly to: number; readonly choices: readonly string[] };

/** The first brace that closes and has a comma; any other is itself. */
function firstGroup(pattern: string): Group | undefined {
  for (let from = 0; from < pattern.length; from += 1) {
    if (pattern[from] === "\\") from += 1;
    else if (pattern[from] === "{") {
      const group = groupAt(pattern, from);
      if (group !== undefined && group.choices.length > 1) return group;
    }
  }
  return undefined;
}

function groupAt(pattern: string, from: number): Group | undefined {
  const choices: string[] = [];
  let depth = 0;
  let start = from + 1;
  for (let at = from; at < pattern.length; at += 1) {
    const char = pattern[at];
    if (char === "\\") at += 1;
    else if (char === "{") depth += 1;
    else if (char === "," && depth === 1) {
      choices.push(pattern.slice(start, at));
      start = at + 1;
    } else if (char === "}") {
      depth -= 1;
      if (depth > 0) continue;
      choices.push(pattern.slice(start, at));
      return { from, to: at + 1, choices };
    }
  }
  return undefined;
}
