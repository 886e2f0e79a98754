/**
 * Stored manifests, given whole: a row that tells only what is new is put together with the rows it
 * is told from.
 */
import type { SessionId } from "@galley/parts";
import type { ManifestRow, Store } from "@galley/persist";
import { type Account, lengthened, type RowPlace, type StoredAccount } from "./context-delta.ts";

export type WholeManifest = Omit<ManifestRow, "manifest_json"> & {
  readonly manifest: Account & {
    /** Said of a row whose beginning is in no row here. */
    readonly incomplete?: string;
  };
};

const MISSING = "the row that its beginning stands in is not stored here";

/** All rounds of a turn, or of every turn, in order. */
export async function wholeManifests(
  { manifests }: Pick<Store, "manifests">,
  session: SessionId,
  turn?: number,
): Promise<readonly WholeManifest[]> {
  const rows = new Map<string, Read>();
  const known = new Map<string, WholeManifest["manifest"]>();
  const take = (found: readonly ManifestRow[]): readonly Read[] => {
    const read = found.map(readRow);
    for (const each of read) rows.set(keyOf(each.row), each);
    return read;
  };

  /** From the row itself back to one that is whole. */
  async function wayOf(first: Read): Promise<readonly Read[]> {
    const way = [first];
    for (let since = first.stored.since; since && !known.has(keyOf(since)); ) {
      if (!rows.has(keyOf(since)) && turn !== undefined) {
        take(await manifests.list(session, since.turn));
      }
      const base = rows.get(keyOf(since));
      // A base stands before what is told from it: anything else was not written here.
      if (!base || !isBefore(base.row, way[0]?.row ?? first.row)) break;
      way.unshift(base);
      since = base.stored.since;
    }
    return way;
  }

  const asked = take(await manifests.list(session, turn));
  for (const each of asked) {
    for (const { row, stored } of await wayOf(each)) {
      known.set(keyOf(row), wholeOf(stored, known));
    }
  }
  return asked.map(({ row, stored }) => {
    const { manifest_json: _, ...rest } = row;
    return { ...rest, manifest: known.get(keyOf(row)) ?? stored };
  });
}

type Read = { readonly row: ManifestRow; readonly stored: StoredAccount };

const readRow = (row: ManifestRow): Read => ({
  row,
  stored: JSON.parse(row.manifest_json) as StoredAccount,
});

const keyOf = ({ turn, round }: RowPlace): string => `${turn}.${round}`;

const isBefore = (one: RowPlace, other: RowPlace): boolean =>
  one.turn < other.turn || (one.turn === other.turn && one.round < other.round);

function wholeOf(
  stored: StoredAccount,
  known: ReadonlyMap<string, WholeManifest["manifest"]>,
): WholeManifest["manifest"] {
  if (!stored.since) return stored;
  const base = known.get(keyOf(stored.since));
  if (!base) return { ...stored, incomplete: MISSING };
  const { incomplete } = base;
  const whole = lengthened(base, stored);
  return incomplete === undefined ? whole : { ...whole, incomplete };
}
