/**
 * Reading a provider under a watch: a stop and a long silence both end it, also where the source
 * obeys neither.
 */
import type { UiChunk } from "@galley/parts";

type Source = (signal: AbortSignal) => AsyncIterable<readonly UiChunk[]>;

export type Watch = {
  readonly signal: AbortSignal;
  /** Silence after which the provider counts as gone. */
  readonly stall_ms: number;
  hear(batch: readonly UiChunk[]): void;
};

/** How long a source may still close what it was saying. */
const GRACE_MS = 1_000;

/** Throws what the source throws. */
export async function readUnderWatch(source: Source, watch: Watch): Promise<{ stalled: boolean }> {
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  const own = new AbortController();
  const timers: { silence?: NodeJS.Timeout; grace?: NodeJS.Timeout } = {};
  let stalled = false;
  let over = false;
  const cut = (): void => {
    own.abort();
    timers.grace ??= setTimeout(leave, GRACE_MS);
  };
  const rearm = (): void => {
    clearTimeout(timers.silence);
    timers.silence = setTimeout(() => {
      stalled = true;
      cut();
    }, watch.stall_ms);
  };

  async function pump(): Promise<void> {
    for await (const batch of source(own.signal)) {
      // Left behind: nobody listens any more, and leaving the loop closes the source.
      if (over) return;
      if (!own.signal.aborted) rearm();
      watch.hear(batch);
    }
  }

  watch.signal.addEventListener("abort", cut, { once: true });
  if (watch.signal.aborted) cut();
  else rearm();
  try {
    await Promise.race([pump(), left]);
    return { stalled };
  } catch (error) {
    // What breaks while it is being cut was broken by the cut.
    if (stalled) return { stalled };
    throw error;
  } finally {
    over = true;
    watch.signal.removeEventListener("abort", cut);
    clearTimeout(timers.silence);
    clearTimeout(timers.grace);
  }
}
