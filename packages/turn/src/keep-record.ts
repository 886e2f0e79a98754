/**
 * Records beside a turn (manifests, requests, the frozen prompt): kept while it runs, never in its
 * way. A store that is full or locked is asked again until it takes them; any other refusal is
 * reported, and the turn goes on without the record.
 */
import { StoreError } from "@galley/persist";
import type { TurnDeps } from "./deps.ts";
import { wait } from "./wait.ts";

/** A damaged page stays damaged: a turn that waited for it would never end. */
const PASSING = ["full", "busy", "io", "read-only", "cannot-open"] as const;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2_000;

/** Never throws; undefined when it could not be kept. */
export async function keepRecord<T>(
  write: () => Promise<T>,
  { report }: Pick<TurnDeps, "report">,
  signal: AbortSignal,
): Promise<T | undefined> {
  for (let ms = FIRST_WAIT_MS; ; ms = Math.min(ms * 2, LONGEST_WAIT_MS)) {
    try {
      return await write();
    } catch (error) {
      // An outage is told once, and whatever does not pass is told at once.
      const passes = PASSING.some((code) => StoreError.is(error, code));
      if (!passes || ms === FIRST_WAIT_MS) report(error);
      if (!passes || !(await wait(ms, signal))) return undefined;
    }
  }
}
