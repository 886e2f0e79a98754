/**
 * One grammar for a path with lines: `a.ts:10`, `a.ts:10-25`, `a.ts#L10-L25`, `a.ts#10-25`,
 * `a.ts#L10:25`. Whether such a text is a range or a file's own name is for the workspace to say:
 * a file whose literal name contains the text wins.
 */
import type { Range } from "@galley/parts";

export type PathRef = { readonly path: string; readonly range?: Range };

/** Nine digits: no file has more lines, and no number loses its last digit. */
const SUFFIX = /(?::L?(\d{1,9})(?:-L?(\d{1,9}))?|#L?(\d{1,9})(?:[-:]L?(\d{1,9}))?)$/;

/** The text split before its range; undefined when there is no range that could be meant. */
export function splitRange(text: string): Required<PathRef> | undefined {
  const found = SUFFIX.exec(text);
  if (found === null || found.index === 0) return undefined;
  const start = Number(found[1] ?? found[3]);
  const end = Number(found[2] ?? found[4] ?? start);
  const path = text.slice(0, found.index);
  // `a.ts:10:25` is a line and a column to some and nothing to us: no guess.
  if (start < 1 || end < start || SUFFIX.test(path)) return undefined;
  return { path, range: { start, end } };
}

/** What a text refers to, or undefined when neither the text nor its path exists. */
export async function findRef(
  text: string,
  exists: (path: string) => boolean | Promise<boolean>,
): Promise<PathRef | undefined> {
  if (text === "") return undefined;
  if (await exists(text)) return { path: text };
  const split = splitRange(text);
  return split && (await exists(split.path)) ? split : undefined;
}

/** A text that is meant as a reference whether it exists or not: `--ref`, an include. */
export async function readRef(
  text: string,
  exists: (path: string) => boolean | Promise<boolean>,
): Promise<PathRef> {
  return (await findRef(text, exists)) ?? splitRange(text) ?? { path: text };
}
