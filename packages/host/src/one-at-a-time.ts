/** Work on one thing waits for the work on it that came before; other things go on beside it. */
export function oneAtATime(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    // How the one before ended is its own caller's business.
    const before = last.get(key)?.catch(() => undefined);
    const run = (async () => {
      await before;
      return work();
    })();
    last.set(key, run);
    try {
      return await run;
    } finally {
      if (last.get(key) === run) last.delete(key);
    }
  };
}
