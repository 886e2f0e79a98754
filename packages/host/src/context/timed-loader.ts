/**
 * A loader that never keeps a turn waiting: what is not read in its time is as good as not there,
 * and says so. What hangs goes on hanging by itself; nobody listens to it any more.
 */
import type { Loader } from "@galley/assemble";

/** Long for a file on a disk, short for a person who waits. */
export const LOAD_MS = 5_000;

type Unavailable = { readonly kind: "unavailable"; readonly reason: string };

export function timedLoader(loader: Loader, ms = LOAD_MS): Loader {
  const reason = `it was not read within ${ms} ms`;
  const late: Unavailable = { kind: "unavailable", reason };
  const { skillProblem, entity } = loader;
  return {
    read: (ref, maxBytes) => within(loader.read(ref, maxBytes), ms, late),
    readRange: (ref, range, maxBytes) => within(loader.readRange(ref, range, maxBytes), ms, late),
    directoryProblem: (path) => within(loader.directoryProblem(path), ms, reason),
    ...(skillProblem && {
      skillProblem: (name: string) => within(skillProblem(name), ms, reason),
    }),
    ...(entity && {
      entity: (target: { readonly kind: string }) => within(entity(target), ms, undefined),
    }),
  };
}

async function within<T, U>(work: Promise<T>, ms: number, late: U): Promise<T | U> {
  const { promise, resolve } = Promise.withResolvers<U>();
  const timer = setTimeout(() => resolve(late), ms);
  // A failure after its time is nobody's any more; before it, the race hands it on.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
