/**
 * The value of something that may not work out: the result, or a reason and what would mend it.
 *
 * Here the libraries that read foreign formats are met. What they throw on a hostile file is theirs
 * to choose, so whatever comes out of them becomes a reason, on one line and not too long. It
 * imports nothing, because it is loaded anew in every process that reads such a file.
 */

export type Failed = { readonly ok: false; readonly reason: string; readonly mend?: string };
export type Tried<T> = { readonly ok: true; readonly value: T } | Failed;

export const done = <T>(value: T): Tried<T> => ({ ok: true, value });

export const failed = (reason: string, mend?: string): Failed => ({
  ok: false,
  reason,
  ...(mend !== undefined && { mend }),
});

const LONGEST = 200;

/** Runs what may throw anything; `what` begins the sentence. */
export async function attempt<T>(what: string, run: () => Promise<Tried<T>>): Promise<Tried<T>> {
  try {
    return await run();
  } catch (error) {
    return failed(`${what}: ${wordsOf(error)}`);
  }
}

export function wordsOf(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  const words = said.replace(/[\s\p{Cc}]+/gu, " ").trim();
  return words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words;
}
