/** Waiting that a stop ends at once. */

/** True when the time passed, false when the signal was first. */
export function wait(ms: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const stop = (): void => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve(true);
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });
}

/** What `work` gives, or undefined from `grace_ms` after the stop on: not everything obeys one. */
export async function unlessStopped<T>(
  work: Promise<T>,
  signal: AbortSignal,
  grace_ms: number,
): Promise<T | undefined> {
  const { promise: left, resolve: leave } = Promise.withResolvers<undefined>();
  let timer: NodeJS.Timeout | undefined;
  const onStop = (): void => {
    timer ??= setTimeout(leave, grace_ms, undefined);
  };
  signal.addEventListener("abort", onStop, { once: true });
  if (signal.aborted) onStop();
  try {
    return await Promise.race([work, left]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onStop);
  }
}
