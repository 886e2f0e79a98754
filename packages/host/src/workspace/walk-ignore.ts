/**
 * The rules of ignore files: what one file says, and which of several files has the last word.
 *
 * Inside a file the last rule that fits decides, between files the one nearest to the path. A rule
 * looks at the path itself and not at its parents: what is inside an ignored directory is never
 * asked about, because nobody goes there.
 *
 * All text is byte strings, one character a byte (see `walk-glob.ts`).
 */
import { compileGlob } from "./walk-glob.ts";

type Rule = {
  readonly keeps: boolean;
  readonly onlyDirectories: boolean;
  /** Without a slash in it, a pattern is about the last segment wherever that is. */
  readonly onlyName: boolean;
  readonly fits: (text: string) => boolean;
};

export type RuleFile = {
  /** The directory it stands in, from the top on: empty, or with a slash at the end. */
  readonly base: string;
  readonly rules: readonly Rule[];
  /** By a last segment that is spelled out: the numbers of the rules about it, ascending. */
  readonly byName: ReadonlyMap<string, readonly number[]>;
  /** The numbers of all other rules, ascending. */
  readonly others: readonly number[];
  /** The file that is asked when this one says nothing. */
  readonly outer: RuleFile | undefined;
};

const BYTE_ORDER_MARK = "\xef\xbb\xbf";

export function readRules(text: string, base: string, outer: RuleFile | undefined): RuleFile {
  const body = text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;
  const rules: Rule[] = [];
  const byName = new Map<string, number[]>();
  const others: number[] = [];
  for (const line of body.split("\n")) {
    const pattern = patternOf(line);
    const read = pattern === "" ? undefined : readRule(pattern);
    if (!read) continue;
    const number = rules.push(read.rule) - 1;
    if (read.name === undefined) others.push(number);
    else byName.set(read.name, [...(byName.get(read.name) ?? []), number]);
  }
  return { base, rules, byName, others, outer };
}

/** Without the carriage return, the comment, and spaces at the end that no backslash protects. */
function patternOf(line: string): string {
  const [bare = ""] = line.replace(/\r$/, "").split("\0");
  if (bare.startsWith("#")) return "";
  let end = 0;
  for (let at = 0; at < bare.length; at += 1) {
    if (bare[at] === " ") continue;
    if (bare[at] === "\\") at += 1;
    end = at + 1;
  }
  return bare.slice(0, end);
}

type ReadRule = { readonly rule: Rule; readonly name?: string };

function readRule(line: string): ReadRule | undefined {
  const keeps = line.startsWith("!");
  const onlyDirectories = line.endsWith("/");
  const pattern = line.slice(keeps ? 1 : 0, onlyDirectories ? -1 : undefined);
  if (pattern === "") return undefined;
  const onlyName = !pattern.includes("/");
  const literal = literalStart(pattern);
  const rule = { keeps, onlyDirectories, onlyName };
  if (onlyName && literal === pattern)
    return { rule: { ...rule, fits: () => true }, name: pattern };
  const fits = onlyName ? nameMatcher(pattern) : pathMatcher(pattern.replace(/^\//, ""));
  return fits && { rule: { ...rule, fits } };
}

const literalStart = (pattern: string): string => /^[^*?[\\]*/.exec(pattern)?.[0] ?? "";

function nameMatcher(pattern: string): Rule["fits"] | undefined {
  const ending = pattern.slice(1);
  if (pattern.startsWith("*") && literalStart(ending) === ending) {
    return (name) => name.endsWith(ending);
  }
  return compileGlob(pattern);
}

/** The literal beginning is compared first: `**` right after it counts as at the start. */
function pathMatcher(pattern: string): Rule["fits"] | undefined {
  const start = literalStart(pattern);
  if (start === pattern) return (path) => path === start;
  const rest = compileGlob(pattern.slice(start.length));
  return rest && ((path) => path.startsWith(start) && rest(path.slice(start.length)));
}

/** What the rules say of a path from the top on; undefined when they say nothing. */
export function decide(
  file: RuleFile | undefined,
  path: string,
  isDirectory: boolean,
): "ignored" | "kept" | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  for (let asked = file; asked; asked = asked.outer) {
    const rule = lastFitting(asked, path, name, isDirectory);
    if (rule) return rule.keeps ? "kept" : "ignored";
  }
  return undefined;
}

function lastFitting(
  { base, rules, byName, others }: RuleFile,
  path: string,
  name: string,
  isDirectory: boolean,
): Rule | undefined {
  const applies = (number: number): boolean =>
    isDirectory || rules[number]?.onlyDirectories === false;
  const named = byName.get(name)?.findLast(applies) ?? -1;
  const inside = path.slice(base.length);
  for (let nth = others.length - 1; nth >= 0; nth -= 1) {
    const number = others[nth] as number;
    if (number < named) break;
    const rule = rules[number] as Rule;
    if (applies(number) && rule.fits(rule.onlyName ? name : inside)) return rule;
  }
  return rules[named];
}
