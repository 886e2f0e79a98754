/**
 * What an index holds, as a set of (kind, text): who is in which slot, and when it pays to build
 * the store anew.
 */
import { append, createStore, forget, isGone, KIND, type Store } from "./store.ts";

/** A text alone is a directory when it ends with a slash, else a file. */
export type Findable = string | { readonly path: string; readonly kind: string };

/** Fewer gone texts than this are not worth building a store anew. */
const FEW_GONE = 1024;

export interface Holdings {
  /** Another object after the store was built anew; the old one then stays as it is. */
  readonly store: Store;
  readonly kinds: readonly string[];
  readonly size: number;
  /** Goes up with every change. */
  readonly version: number;
  holds(path: string, kind: number): boolean;
  add(entries: Iterable<Findable>): void;
  remove(entries: Iterable<Findable>): void;
  replace(entries: Iterable<Findable>): void;
}

const pathOf = (entry: Findable): string => (typeof entry === "string" ? entry : entry.path);

function kindOf(entry: Findable): string {
  if (typeof entry !== "string") return entry.kind;
  return entry.endsWith("/") ? "directory" : "file";
}

export function createHoldings(): Holdings {
  const kinds: string[] = [];
  const slots: Map<string, number>[] = [];
  let store = createStore();
  let version = 0;

  function kindNumber(name: string): number {
    const known = kinds.indexOf(name);
    if (known >= 0) return known;
    slots.push(new Map());
    return kinds.push(name) - 1;
  }

  function slotOf(entry: Findable): number | undefined {
    return slots[kinds.indexOf(kindOf(entry))]?.get(pathOf(entry));
  }

  function insert(entry: Findable): void {
    if (slotOf(entry) !== undefined) return;
    const kind = kindNumber(kindOf(entry));
    slots[kind]?.set(pathOf(entry), append(store, pathOf(entry), kind));
  }

  function drop(slot: number): void {
    slots[store.kinds[slot] ?? KIND]?.delete(store.texts[slot] ?? "");
    forget(store, slot);
  }

  function settle(): void {
    version += 1;
    if (store.gone < FEW_GONE || store.gone * 2 < store.texts.length) return;
    const old = store;
    store = createStore(old.texts.length - old.gone);
    for (const [kind, held] of slots.entries()) {
      for (const text of held.keys()) held.set(text, append(store, text, kind));
    }
  }

  return {
    get store() {
      return store;
    },
    kinds,
    get size() {
      return store.texts.length - store.gone;
    },
    get version() {
      return version;
    },
    holds: (path, kind) => slots[kind]?.has(path) ?? false,
    add(entries) {
      for (const entry of entries) insert(entry);
      settle();
    },
    remove(entries) {
      for (const entry of entries) {
        const slot = slotOf(entry);
        if (slot !== undefined) drop(slot);
      }
      settle();
    },
    replace(entries) {
      const stays = new Uint8Array(store.texts.length);
      const fresh: Findable[] = [];
      for (const entry of entries) {
        const slot = slotOf(entry);
        if (slot === undefined) fresh.push(entry);
        else stays[slot] = 1;
      }
      for (let slot = 0; slot < stays.length; slot += 1) {
        if (stays[slot] === 0 && !isGone(store, slot)) drop(slot);
      }
      for (const entry of fresh) insert(entry);
      settle();
    },
  };
}
