/**
 * The index behind a mention palette: paths (or other names, by kind) in, the best few for what
 * somebody types out.
 *
 * The same texts give the same hits in the same order, whatever the order in which they came and
 * whatever was searched before. No clock and no timer: who wants to stay responsive says how many
 * texts make a slice and how to pause between two.
 */
import { isTail, unitsOf } from "./fold.ts";
import { createHoldings, type Findable } from "./holdings.ts";
import { createNarrowing } from "./narrowing.ts";
import { readQuery } from "./query.ts";
import { createScan } from "./scan.ts";
import { KIND, type Store } from "./store.ts";
import type { Order } from "./top.ts";

export type Hit = {
  readonly path: string;
  readonly kind: string;
  /** Higher is better; comparable only within one search. */
  readonly score: number;
  /** Where matched characters begin in `path`, in UTF-16 units, ascending. */
  readonly positions: readonly number[];
};

export type SearchOptions = {
  /** At most so many hits; 20 unless said. */
  readonly limit?: number;
  /** Only these kinds; all unless said. */
  readonly kinds?: readonly string[];
};

export type SliceOptions = SearchOptions & {
  /** How many texts are looked at before a pause; 8192 unless said. */
  readonly sliceCount?: number;
};

export type AsyncOptions = SliceOptions & {
  /** Gives the event loop its turn, by a timer of the host: this package has none. */
  readonly pause: () => Promise<unknown>;
  readonly signal?: { readonly aborted: boolean };
};

export type SearchEnd =
  | { readonly ended: "found"; readonly hits: readonly Hit[] }
  | { readonly ended: "aborted" };

export interface PathIndex {
  readonly size: number;
  /** What is there already stays as it is. */
  add(entries: Iterable<Findable>): void;
  /** What is not there is passed over. */
  remove(entries: Iterable<Findable>): void;
  /** Makes the index hold exactly these; only what differs is touched. */
  replace(entries: Iterable<Findable>): void;
  search(query: string, options?: SearchOptions): readonly Hit[];
  /** Yields between slices how many texts were looked at; returns the hits. */
  searchSlices(query: string, options?: SliceOptions): Generator<number, readonly Hit[]>;
  searchAsync(query: string, options: AsyncOptions): Promise<SearchEnd>;
}

const DEFAULT_LIMIT = 20;
const DEFAULT_SLICE = 8192;

export function createPathIndex(entries: Iterable<Findable> = []): PathIndex {
  const holdings = createHoldings();
  const narrowing = createNarrowing();

  function begin(query: string, { limit = DEFAULT_LIMIT, kinds }: SearchOptions) {
    const { store, version } = holdings;
    const scan = createScan(store, readQuery(query), {
      limit,
      wanted: holdings.kinds.map((kind) => kinds?.includes(kind) ?? true),
      order: orderOf(store, holdings.kinds),
      among: narrowing.startFor(query),
    });
    const finish = (): readonly Hit[] => {
      if (holdings.version === version) narrowing.keep(query, scan.survivors(), holdings.size);
      return scan.found().flatMap(({ slot, score }) => {
        const [path = "", kind] = [store.texts[slot], kindAt(store, slot)];
        if (!holdings.holds(path, kind)) return [];
        const positions = positionsOf(store, slot, scan.trace(slot));
        return [{ path, kind: holdings.kinds[kind] ?? "", score, positions }];
      });
    };
    return { scan, finish };
  }

  function* searchSlices(query: string, options: SliceOptions = {}) {
    const { scan, finish } = begin(query, options);
    const slice = Math.max(1, options.sliceCount ?? DEFAULT_SLICE);
    for (let looked = slice; !scan.advance(slice); looked += slice) yield looked;
    return finish();
  }

  function changed(change: (entries: Iterable<Findable>) => void) {
    return (what: Iterable<Findable>): void => {
      narrowing.clear();
      change(what);
    };
  }

  holdings.add(entries);
  return {
    get size() {
      return holdings.size;
    },
    add: changed(holdings.add),
    remove: changed(holdings.remove),
    replace: changed(holdings.replace),
    search(query, options = {}) {
      const { scan, finish } = begin(query, options);
      scan.advance(Number.POSITIVE_INFINITY);
      return finish();
    },
    searchSlices,
    async searchAsync(query, options) {
      const slices = searchSlices(query, options);
      for (;;) {
        if (options.signal?.aborted) return { ended: "aborted" };
        const step = slices.next();
        if (step.done) return { ended: "found", hits: step.value };
        await options.pause();
      }
    },
  };
}

const kindAt = (store: Store, slot: number): number => (store.kinds[slot] ?? 0) & KIND;

/** By score, then the shorter text, then by code units; one text of two kinds by the kind. */
function orderOf(store: Store, kinds: readonly string[]): Order {
  const compare = (one = "", other = ""): number => (one < other ? -1 : one > other ? 1 : 0);
  return (one, other) => {
    if (one.score !== other.score) return other.score - one.score;
    const longer = (store.lengths[one.slot] ?? 0) - (store.lengths[other.slot] ?? 0);
    if (longer !== 0) return longer;
    return (
      compare(store.texts[one.slot], store.texts[other.slot]) ||
      compare(kinds[kindAt(store, one.slot)], kinds[kindAt(store, other.slot)])
    );
  };
}

/** From bytes of the arena to units of the text. */
function positionsOf(store: Store, slot: number, places: readonly number[]): readonly number[] {
  const text = store.texts[slot] ?? "";
  const start = store.starts[slot] ?? 0;
  const units: number[] = [];
  let unit = 0;
  let at = start;
  for (const place of places) {
    while (at < place) {
      unit += unitsOf(text.codePointAt(unit) ?? 0);
      do at += 1;
      while (isTail(store.bytes[at] ?? 0));
    }
    units.push(unit);
  }
  return units;
}
