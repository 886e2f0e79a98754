/** Trying again after a connection was lost: how often, and how long to wait in between. */

const FIRST_MS = 100;
const LONGEST_MS = 5_000;
/** About half a minute in all, so that a server which restarts is found again. */
const MOST = 10;

export interface Tries {
  /** Waits, longer each time; throws the error when it is no longer worth it. */
  again(error: unknown): Promise<void>;
  /** Something came through: the next failure is a first one. */
  worked(): void;
}

export function tries(signal?: AbortSignal, most = MOST): Tries {
  let failures = 0;
  return {
    async again(error) {
      failures += 1;
      if (failures >= most) throw error;
      await pause(Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_MS), signal);
    },
    worked() {
      failures = 0;
    },
  };
}

/** Rejects with the signal's reason when that comes first. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stop = () => reject(signal?.reason);
  if (signal?.aborted) stop();
  const timer = setTimeout(resolve, ms);
  signal?.addEventListener("abort", stop, { once: true });
  return promise.finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  });
}
