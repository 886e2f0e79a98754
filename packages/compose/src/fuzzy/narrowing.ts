/**
 * What earlier searches found, so that a query that grew looks only there.
 *
 * Every text that holds a query holds each beginning of that query: letters, slashes and terms
 * that are added, and a capital that makes a term exact about case, only ever ask for more. So
 * the searches of somebody who types are a stack, and taking a letter back pops it.
 */

type Level = { readonly query: string; readonly slots: Int32Array };

/** Slots over all levels, for each text of the index: beyond that the broadest levels go. */
const MOST_KEPT_A_TEXT = 2;

export interface Narrowing {
  /** The slots among which those that hold the query are; undefined stands for all. */
  startFor(query: string): Int32Array | undefined;
  keep(query: string, slots: Int32Array, texts: number): void;
  clear(): void;
}

export function createNarrowing(): Narrowing {
  let levels: Level[] = [];

  return {
    startFor(query) {
      levels = levels.filter((level) => query.startsWith(level.query));
      return levels.at(-1)?.slots;
    },
    keep(query, slots, texts) {
      levels = levels.filter((level) => query.startsWith(level.query) && level.query !== query);
      levels.push({ query, slots });
      let sum = levels.reduce((total, level) => total + level.slots.length, 0);
      while (sum > texts * MOST_KEPT_A_TEXT) sum -= levels.shift()?.slots.length ?? sum;
    },
    clear() {
      levels = [];
    },
  };
}
