/**
 * What a page of documentation claims about this repository: the paths it names in backticks, its
 * links, and the decision records it cites. It extracts claims; docs.test.ts checks them.
 */
import { posix } from "node:path";

export type Claim = { readonly line: number; readonly text: string; readonly path: string };

/** Text that begins like this speaks of our own tree; `src/x.ts` or `.agents/` may be anybody's. */
const OURS = /^(?:packages|scripts|docs|conformance|examples|schemas|bench|apps|\.ci)\//;
const ROOT_FILE = /^(?:[A-Z]+\.md|package(?:-lock)?\.json|biome\.json|tsconfig(?:\.\w+)?\.json)$/;

/** A path with a part to fill in (`packages/NAME/…`, `<rule>`, `NNNN-title`) names no one file. */
const OPEN = /[<>…{}$]|(?:^|\/)[A-Z]{2,}(?:\/|$)|NNNN|\bNAME\b/;

/** Files that a reader has in a project of their own, and that we only speak of. */
const THEIRS = new Set(["AGENTS.md", "CLAUDE.md", "CONTEXT.md", "SKILL.md", "GEMINI.md"]);

function isRepoPath(text: string): boolean {
  if (/\s/.test(text) || OPEN.test(text) || THEIRS.has(text)) return false;
  return OURS.test(text) || ROOT_FILE.test(text);
}

const withoutSuffix = (path: string): string =>
  path.replace(/[#?].*$/, "").replace(/:\d+(?:-\d+)?$/, "");

function claimsOfLine(page: string, text: string): string[] {
  const quoted = [...text.matchAll(/`([^`]+)`/g)]
    .map(([, path = ""]) => withoutSuffix(path.replace(/^\.\//, "")))
    .filter(isRepoPath);
  const linked = [...text.replace(/`[^`]*`/g, "").matchAll(/\]\(\s*<?([^)\s>]+)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^(?:[a-z][a-z0-9+.-]*:|#|\/\/)/i.test(target))
    .map((target) => withoutSuffix(decodeURI(target)))
    .map((target) => posix.normalize(posix.join(posix.dirname(page), target)));
  return [...quoted, ...linked];
}

/** Every repository path that a page names, with its line; fenced code is not prose. */
export function pathClaims(page: string, markdown: string): Claim[] {
  let fence: string | undefined;
  return markdown.split("\n").flatMap((text, index) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(text)?.[1];
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) {
      fence = fence === undefined ? mark : undefined;
      return [];
    }
    if (fence !== undefined) return [];
    return claimsOfLine(page, text).map((path) => ({ line: index + 1, text, path }));
  });
}

/** The numbers of the decision records that a text cites. */
export function citedRecords(text: string): string[] {
  return [...text.matchAll(/\bADR[- ](\d{4})\b/g)].map(([, number = ""]) => number);
}
