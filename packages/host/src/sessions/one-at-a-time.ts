/** Work under one name runs in the order in which it came; under different names, side by side. */

export type InOrder = <T>(name: string, work: () => Promise<T>) => Promise<T>;

export function oneAtATime(): InOrder {
  const last = new Map<string, Promise<unknown>>();
  return (name, work) => {
    const before = last.get(name) ?? Promise.resolve();
    // Whoever came before was told of their failure; it is not the next one's.
    const run = before.then(work, work);
    last.set(name, run);
    const forget = (): void => {
      if (last.get(name) === run) last.delete(name);
    };
    run.then(forget, forget);
    return run;
  };
}
