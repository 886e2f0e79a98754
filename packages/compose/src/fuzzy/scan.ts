/**
 * One search over one store, in slices: first the sieve, then the bytes, and only for what is left
 * a rank.
 *
 * It stays valid while others add and remove: it looks at the texts that were there when it began.
 */
import type { Query } from "./query.ts";
import { createRanker } from "./rank.ts";
import { GONE, type Store } from "./store.ts";
import { createTop, type Order, type Ranked } from "./top.ts";

export interface Scan {
  /** Looks at `count` more texts; true when none is left. */
  advance(count: number): boolean;
  /** Every slot that holds the query, whatever its kind; a few others may be among them. */
  survivors(): Int32Array;
  found(): readonly Ranked[];
  /** Byte places within the slot's text. */
  trace(slot: number): readonly number[];
}

export type ScanOptions = {
  readonly limit: number;
  /** By the number of a kind: whether it is asked for. */
  readonly wanted: readonly boolean[];
  readonly order: Order;
  /** Only these slots; all when absent. */
  readonly among: Int32Array | undefined;
};

export function createScan(store: Store, query: Query, options: ScanOptions): Scan {
  const { among, wanted } = options;
  const total = among?.length ?? store.texts.length;
  const ranker = createRanker(query);
  const top = createTop(options.limit, options.order);
  const kept = new Int32Array(total);
  let keptCount = 0;
  let next = 0;

  return {
    advance(count) {
      const { wholes, capitals, kinds } = store;
      const { needs, needsCapitals } = query;
      const end = Math.min(total, next + count);
      for (; next < end; next += 1) {
        const slot = among ? (among[next] as number) : next;
        if (((wholes[slot] as number) & needs) !== needs) continue;
        if (((capitals[slot] as number) & needsCapitals) !== needsCapitals) continue;
        const kind = kinds[slot] as number;
        if (kind & GONE) continue;
        const isAsked = wanted[kind] && !ranker.isHopeless(store, slot, top);
        // What cannot get among the best is kept unsifted: that is cheaper than to sift it.
        if ((isAsked || !wanted[kind]) && !ranker.sift(store, slot)) continue;
        kept[keptCount] = slot;
        keptCount += 1;
        if (isAsked) ranker.offer(store, slot, top);
      }
      return next === total;
    },
    survivors: () => kept.slice(0, keptCount),
    found: top.ranked,
    trace: (slot) => ranker.trace(store, slot),
  };
}
