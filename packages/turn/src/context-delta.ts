/**
 * A manifest told by what is new in it: a list that begins as another one's does keeps a count in
 * place of the beginning. A conversation that only grows is so kept once, and not once a request.
 *
 * Pure, over plain JSON; which manifest is the base, and where rows are, is the caller's business.
 */
import type { Manifest } from "@galley/assemble";

/** Which row a manifest is told from. */
export type RowPlace = { readonly turn: number; readonly round: number };

/** A manifest with the keys that its row has besides. */
export type Account = Manifest & { readonly turn_id: string; readonly model: string };

/** As it stands in a row: whole, or from the row that `since` names. */
export type StoredAccount = Account & {
  readonly since?: RowPlace;
  /** Of each list, how many of the base's first entries stand before those that are here. */
  readonly same?: Readonly<Record<string, number>>;
};

/** Lists that hold the conversation, or go along with it. */
const LISTS = [
  "layers",
  "tools",
  "blocks",
  "filters",
  "merges",
  "elisions",
  "failures",
  "settlements",
] as const satisfies readonly (keyof Manifest)[];

/** The account without what the base has in the same place. */
export function shortened(base: Account, since: RowPlace, account: Account): StoredAccount {
  const same: Record<string, number> = {};
  const tails: Record<string, readonly unknown[]> = {};
  for (const list of LISTS) {
    const now = account[list];
    const count = now ? commonLength(base[list] ?? [], now) : 0;
    if (!now || count === 0) continue;
    same[list] = count;
    tails[list] = now.slice(count);
  }
  return { ...account, ...tails, since, same };
}

/** The account as it was before it was shortened. */
export function lengthened(base: Account, stored: StoredAccount): Account {
  const { since: _, same = {}, ...account } = stored;
  const whole: Record<string, readonly unknown[]> = {};
  for (const list of LISTS) {
    const count = Object.hasOwn(same, list) ? (same[list] ?? 0) : 0;
    if (count > 0) whole[list] = [...(base[list] ?? []).slice(0, count), ...(account[list] ?? [])];
  }
  return { ...account, ...whole };
}

function commonLength(one: readonly unknown[], other: readonly unknown[]): number {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && isEqual(one[length], other[length])) length += 1;
  return length;
}

function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every(
      (key) =>
        Object.hasOwn(other, key) &&
        isEqual((one as Readonly<Record<string, unknown>>)[key], other[key as keyof typeof other]),
    )
  );
}
