/** The best few of many: a heap with the worst of the kept ones on top. */

export type Ranked = { readonly score: number; readonly slot: number };

/** Negative when `one` ranks before `other`; never 0 for two different slots. */
export type Order = (one: Ranked, other: Ranked) => number;

export interface Top {
  /** A score below this is not kept. */
  readonly least: number;
  /** Whether a slot with this score would be kept. */
  wouldTake(score: number, slot: number): boolean;
  offer(score: number, slot: number): void;
  /** Best first. */
  ranked(): readonly Ranked[];
}

export function createTop(limit: number, order: Order): Top {
  const heap: Ranked[] = [];

  const ranksAfter = (one: number, other: number): boolean =>
    order(heap[one] as Ranked, heap[other] as Ranked) > 0;

  function swap(one: number, other: number): void {
    [heap[one], heap[other]] = [heap[other] as Ranked, heap[one] as Ranked];
  }

  function rise(from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!ranksAfter(at, parent)) return;
      swap(at, parent);
      at = parent;
    }
  }

  function sink(): void {
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      if (left >= heap.length) return;
      const right = left + 1;
      const worse = right < heap.length && ranksAfter(right, left) ? right : left;
      if (!ranksAfter(worse, at)) return;
      swap(worse, at);
      at = worse;
    }
  }

  return {
    get least() {
      return heap.length < limit ? Number.NEGATIVE_INFINITY : (heap[0]?.score ?? Infinity);
    },
    wouldTake(score, slot) {
      if (heap.length < limit) return true;
      const worst = heap[0];
      return worst !== undefined && (score > worst.score || order({ score, slot }, worst) < 0);
    },
    offer(score, slot) {
      const candidate = { score, slot };
      if (heap.length < limit) {
        heap.push(candidate);
        rise(heap.length - 1);
      } else if (heap.length > 0 && order(candidate, heap[0] as Ranked) < 0) {
        heap[0] = candidate;
        sink();
      }
    },
    ranked: () => heap.toSorted(order),
  };
}
