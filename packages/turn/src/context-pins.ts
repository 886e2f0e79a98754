/**
 * What is pinned to a session: references in its row, read again for each turn. Their content is
 * never stored with the session.
 */
import { type Loader, type Material, materializeParts, type Pin } from "@galley/assemble";
import { FileRef, type SessionId, type SessionRow } from "@galley/parts";
import type { Store } from "@galley/persist";
import type { Surroundings } from "./deps.ts";
import { TurnError } from "./turn-error.ts";

/** The key in a session's metadata. */
export const PINS = "pins";

export type PinnedRef = { readonly id: string; readonly ref: FileRef };

/** Each costs its content with every request. */
const MOST_PINS = 32;

/** Bytes of a text that is pinned whole: a person asked for it, so it may be longer than usual. */
const MOST_BYTES = 256 * 1024;

/** In the order in which they were pinned; what cannot be read there is no pin. */
export function pinnedTo({ metadata_json }: Pick<SessionRow, "metadata_json">): PinnedRef[] {
  const pins = (JSON.parse(metadata_json) as Readonly<Record<string, unknown>>)[PINS];
  return (Array.isArray(pins) ? pins : []).flatMap((pin: unknown) => {
    const { id, ref } = (pin ?? {}) as { readonly id?: unknown; readonly ref?: unknown };
    const read = FileRef.safeParse(ref);
    return typeof id === "string" && read.success ? [{ id, ref: read.data }] : [];
  });
}

/** A pin of that id is replaced, in its place. */
export function putPin(store: Store, session: SessionId, pin: PinnedRef, at: number) {
  return change(store, session, at, (pins) => {
    const place = pins.findIndex(({ id }) => id === pin.id);
    if (place >= 0) return pins.with(place, pin);
    if (pins.length >= MOST_PINS) throw TurnError.make("too-many-pins", { most: MOST_PINS });
    return [...pins, pin];
  });
}

/** The pins that are left. */
export function removePin(store: Store, session: SessionId, pin: string, at: number) {
  return change(store, session, at, (pins) => {
    if (!pins.some(({ id }) => id === pin)) throw TurnError.make("no-pin", { id: pin });
    return pins.filter(({ id }) => id !== pin);
  });
}

function change(
  store: Store,
  session: SessionId,
  at: number,
  made: (pins: readonly PinnedRef[]) => readonly PinnedRef[],
): Promise<readonly PinnedRef[]> {
  return store.transact(async ({ sessions }) => {
    const row = await sessions.get(session);
    if (!row) throw TurnError.make("no-session", { id: session });
    const pins = made(pinnedTo(row));
    await sessions.patch(session, { metadata: { [PINS]: pins }, at });
    return pins;
  });
}

/** What the pins hold now; one that cannot be read says why, and the turn goes on. */
export async function readPins(
  session: SessionRow,
  surroundings: Pick<Surroundings, "loader" | "loadPolicy">,
): Promise<readonly Pin[]> {
  const pins = pinnedTo(session);
  if (pins.length === 0) return [];
  const loader: Loader = surroundings.loader(session);
  const policy = await surroundings.loadPolicy(session);
  const parts = pins.map(({ ref }) => ({ type: "file-ref", ref }) as const);
  const most = { inlineTextBytes: MOST_BYTES, fileRefs: "inline_if_small" } as const;
  const materials = await materializeParts(parts, loader, { ...policy, ...most });
  return pins.map((pin, at) => pinOf(pin, materials[at]));
}

function pinOf({ id, ref }: PinnedRef, material: Material | undefined): Pin {
  const name = nameOf(ref);
  if (material?.kind === "text") {
    const { shown, text } = material;
    return { id, name: shown ? `${name} (${rangeText(shown)})` : name, text };
  }
  if (material?.kind === "unavailable" || material?.kind === "descriptor") {
    return { id, name, failed: material.reason };
  }
  return { id, name, failed: "it is not text" };
}

const nameOf = (ref: FileRef): string =>
  ref.kind === "path" ? ref.path : ref.kind === "url" ? ref.url : ref.content_id;

type Shown = NonNullable<Extract<Material, { kind: "text" }>["shown"]>;

const rangeText = ({ start, end, unit = "line", total }: Shown): string =>
  `${unit}s ${start}-${end}${total === undefined ? "" : ` of ${total}`}`;
