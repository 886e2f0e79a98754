/**
 * From the text behind an `@` to what it names: the longest reading that exists wins, punctuation
 * that ends a sentence is given back, and a range is read off last.
 */
import type { ExpansionPart } from "@galley/parts";
import type { PathKind } from "../host.ts";
import { findRef, type PathRef } from "../range.ts";

export type FoundPath = PathRef & { readonly kind: PathKind };

/** What may end a token in a sentence without belonging to it. */
const TRAILING = /[.,;:!?)\]}>'"*…，。、；：！？）】」』》〉”’]$/u;

/** A sentence in a script without spaces goes on right behind a path: `src/a.ts的开头`. */
const GOES_ON = [
  /[，。、；：！？（）「」]/u,
  /(?<=[A-Za-z0-9])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u,
];

const MOST_READINGS = 8;

/** The readings of a run of characters, longest first, each with what it leaves behind. */
export function* readingsOf(run: string): Generator<{ text: string; rest: string }> {
  let end = run.length;
  for (let count = 0; count < MOST_READINGS && end > 0; count++) {
    yield { text: run.slice(0, end), rest: run.slice(end) };
    if (!TRAILING.test(run.slice(0, end))) break;
    end -= 1;
  }
  for (const pattern of GOES_ON) {
    const cut = run.search(pattern);
    if (cut > 0 && cut < end) yield { text: run.slice(0, cut), rest: run.slice(cut) };
  }
}

type KindOf = (path: string) => Promise<PathKind | undefined>;

/** One reading: a path as it stands, or a path and its range. */
export async function findExact(text: string, kindOf: KindOf): Promise<FoundPath | undefined> {
  let kind: PathKind | undefined;
  const ref = await findRef(text, async (path) => {
    kind = await kindOf(path);
    return kind !== undefined;
  });
  if (ref === undefined || kind === undefined) return undefined;
  // A directory has no lines; the text is then something else.
  return kind === "directory" && ref.range !== undefined ? undefined : { ...ref, kind };
}

export async function findPath(
  run: string,
  kindOf: KindOf,
): Promise<(FoundPath & { readonly rest: string }) | undefined> {
  for (const { text, rest } of readingsOf(run)) {
    const found = await findExact(text, kindOf);
    if (found !== undefined) return { ...found, rest };
  }
  return undefined;
}

export function refPart({ path, range, kind }: FoundPath): ExpansionPart {
  if (kind === "directory") return { type: "directory-ref", ref: { kind: "path", path } };
  return {
    type: "file-ref",
    ref: { kind: "path", path, ...(range !== undefined && { range }) },
  };
}
