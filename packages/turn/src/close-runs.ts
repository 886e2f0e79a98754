/**
 * The end of a process: what runs may come to its own end for a while, then it is stopped where it
 * is. What was said is stored; that it ended is not told, so that the next start closes it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { SegmentRun } from "./segment-run.ts";

/** How long a stopped segment may take to write down what it has. */
const LAST_WRITES_MS = 2_000;

export async function closeRuns(
  runs: () => readonly SegmentRun[],
  grace_ms: number,
  closed: AbortController,
  report: (error: unknown) => void,
): Promise<void> {
  await within(grace_ms, () => Promise.all(runs().map(({ done }) => done)));
  const left = runs();
  closed.abort();
  for (const run of left) run.abort();
  await within(LAST_WRITES_MS, (signal) =>
    Promise.all(left.flatMap((run) => [run.done, run.flush(signal).catch(report)])),
  );
}

/** Until the work is done or the time is over; the work is told, and not waited for any longer. */
async function within(ms: number, work: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  const late = new AbortController();
  const rest = new AbortController();
  const time = sleep(ms, undefined, { signal: rest.signal }).then(
    () => late.abort(),
    // The work was done first.
    () => undefined,
  );
  await Promise.race([work(late.signal), time]);
  rest.abort();
}
