/**
 * When a record is written: soon after a change, one write at a time, and again until the store
 * takes it. What is written is the caller's; it keeps what failed and hands it over the next time.
 */
import { isGalleyError } from "@galley/parts";

export type WritesInput = {
  /** Writes everything that is not stored yet. After a failure it is called again. */
  write(): Promise<void>;
  /** How long a change may wait for others to go with it. */
  readonly window_ms: number;
  /** Told once for each time that the store fails, however often it is tried. */
  report(error: unknown): void;
  /** Told when `trouble` has another answer: the store fails, or takes writes again. */
  troubled?(): void;
};

export interface Writes {
  /** Something changed; urgent: it does not wait for the window. */
  changed(urgent: boolean): void;
  /** Resolves when every change so far is stored. */
  flush(signal?: AbortSignal): Promise<void>;
  trouble(): string | undefined;
}

type Waiter = { readonly upTo: number; resolve(): void; reject(error: unknown): void };

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
/** What may pass by itself, or by somebody's hand, while the process lives. */
const PASSING = new Set(
  ["full", "busy", "io", "read-only", "corrupt", "cannot-open"].map((code) => `store.${code}`),
);

export function createWrites(input: WritesInput): Writes {
  const { write, window_ms, report, troubled = () => {} } = input;
  const waiters = new Set<Waiter>();
  let changes = 0;
  let stored = 0;
  /** Asked for, by the window's end or by somebody who waits. */
  let due = false;
  let running = false;
  let givenUp = false;
  let fault: { readonly error: unknown } | undefined;
  let window: NodeJS.Timeout | undefined;
  let endPause: () => void = () => {};

  function ask() {
    clearTimeout(window);
    window = undefined;
    due = true;
    givenUp = false;
    if (!running) void run();
  }

  async function run() {
    running = true;
    let pause_ms = FIRST_PAUSE_MS;
    while (due) {
      due = false;
      if (await attempt()) {
        pause_ms = FIRST_PAUSE_MS;
      } else if (!givenUp && isPassing(fault?.error)) {
        await pause(pause_ms);
        pause_ms = Math.min(pause_ms * 2, LONGEST_PAUSE_MS);
        due = !givenUp;
      } else {
        due = false;
        reject(fault?.error);
      }
    }
    running = false;
  }

  async function attempt(): Promise<boolean> {
    const upTo = changes;
    try {
      await write();
    } catch (error) {
      const isNew = !fault;
      fault = { error };
      if (isNew) report(error);
      if (isNew) troubled();
      return false;
    }
    const isOver = fault !== undefined;
    fault = undefined;
    if (isOver) troubled();
    stored = upTo;
    for (const waiter of [...waiters].filter((each) => each.upTo <= stored)) {
      waiters.delete(waiter);
      waiter.resolve();
    }
    return true;
  }

  function reject(error: unknown) {
    for (const waiter of [...waiters]) waiter.reject(error);
    waiters.clear();
  }

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  /** Whoever waited does so no longer; when that was the last, nothing is left ticking. */
  function giveUp(waiter: Waiter, reason: unknown) {
    waiters.delete(waiter);
    waiter.reject(reason);
    if (waiters.size > 0) return;
    givenUp = true;
    clearTimeout(window);
    window = undefined;
    endPause();
  }

  return {
    changed(urgent) {
      changes += 1;
      if (urgent) ask();
      else window ??= setTimeout(ask, untilTick(window_ms));
    },
    flush(signal) {
      if (stored === changes) return Promise.resolve();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const waiter: Waiter = { upTo: changes, resolve, reject };
      const stop = () => giveUp(waiter, signal?.reason);
      waiters.add(waiter);
      ask();
      if (signal?.aborted) stop();
      signal?.addEventListener("abort", stop, { once: true });
      return promise.finally(() => signal?.removeEventListener("abort", stop));
    },
    trouble: () => (fault ? sentenceOf(fault.error) : undefined),
  };
}

/** Windows of all sessions end at the same moments, so that their writes go to the disk together. */
const untilTick = (window_ms: number): number => window_ms - (performance.now() % window_ms);

const isPassing = (error: unknown): boolean => isGalleyError(error) && PASSING.has(error.code);

const sentenceOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
