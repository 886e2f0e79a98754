/**
 * What the Responses API keeps when `store` is not false: the items it gave out, and the
 * conversations that `previous_response_id` continues.
 *
 * Bounded: the oldest response is let go first, and asking for it afterwards is answered as for any
 * unknown id.
 */
import type { Item } from "./items.ts";

export type StoredItem = {
  readonly item: Item;
  /** The reasoning item this one must come back with. */
  readonly reasoning?: string;
};

export interface StoredItems {
  item(id: string): StoredItem | undefined;
  /** Input and output of a response, with everything it continued. */
  response(id: string): readonly Item[] | undefined;
}

export interface ItemStore extends StoredItems {
  keep(id: string, input: readonly Item[], output: readonly Item[]): void;
}

export const NOTHING_STORED: StoredItems = { item: () => undefined, response: () => undefined };

export function itemStore(responsesKept: number): ItemStore {
  const items = new Map<string, StoredItem>();
  const responses = new Map<string, { all: readonly Item[]; output: readonly Item[] }>();

  const letOldestGo = () => {
    const [id, oldest] = responses.entries().next().value ?? [];
    if (id === undefined || !oldest) return;
    responses.delete(id);
    for (const { id: itemId } of oldest.output) if (itemId) items.delete(itemId);
  };

  return {
    item: (id) => items.get(id),
    response: (id) => responses.get(id)?.all,
    keep(id, input, output) {
      responses.set(id, { all: [...input, ...output], output });
      const reasoning = output.find(({ type }) => type === "reasoning")?.id;
      for (const item of output) {
        if (!item.id) continue;
        const needs = reasoning && item.id !== reasoning ? { reasoning } : {};
        items.set(item.id, { item, ...needs });
      }
      if (responses.size > responsesKept) letOldestGo();
    },
  };
}
