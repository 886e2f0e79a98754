/**
 * What is remembered of the last request to a model in a session, so that the next one can say what
 * changed and keep only what is new. It lives as long as the model is kept open; what is lost with
 * it is read from the rows again, once.
 */
import type { Manifest, Pin } from "@galley/assemble";
import type { SessionId } from "@galley/parts";
import { modelName } from "@galley/shape";
import type { Account, RowPlace } from "./context-delta.ts";
import { wholeManifests } from "./context-rows.ts";
import type { TurnDeps } from "./deps.ts";
import type { OpenModel } from "./model.ts";

/** The last request that went out. */
export type Sent = { readonly manifest: Manifest; readonly body: Uint8Array | undefined };

/** The last manifest that stands in a row, whole. */
export type KeptRow = {
  readonly place: RowPlace;
  readonly account: Account;
  /** Characters of the last row that is whole, and of all rows after it. */
  readonly whole: number;
  readonly since: number;
};

type Memory = {
  readonly session: SessionId;
  sent?: Sent | undefined;
  row?: KeptRow;
  pins?: { readonly turn_id: string; readonly pins: readonly Pin[] };
};

const memories = new WeakMap<OpenModel, Memory>();

/** Of a model that is shared by sessions, the one that spoke last is remembered. */
export function memoryOf(model: OpenModel, session: SessionId): Memory {
  const known = memories.get(model);
  if (known?.session === session) return known;
  const fresh: Memory = { session };
  memories.set(model, fresh);
  return fresh;
}

/** The request before this one to the same model; nothing when another model spoke in between. */
export async function lastSent(
  model: OpenModel,
  session: SessionId,
  { store, report }: Pick<TurnDeps, "store" | "report">,
): Promise<Sent | undefined> {
  const memory = memoryOf(model, session);
  memory.sent ??= await sentInRows(modelName(model.profile), session, store).catch((error) => {
    // The account of an old request is no reason to refuse a new one.
    report(error);
    return undefined;
  });
  return memory.sent;
}

async function sentInRows(
  model: string,
  session: SessionId,
  store: TurnDeps["store"],
): Promise<Sent | undefined> {
  const turn = await store.manifests.lastTurn(session);
  if (turn === 0) return undefined;
  const last = (await wholeManifests(store, session, turn)).at(-1);
  if (last?.manifest.model !== model || last.manifest.over_limit) return undefined;
  const body = await store.requests.body(session, turn, last.round);
  return { manifest: last.manifest, body };
}

/** Pins are read once a turn: a later segment of it is shown what the first was. */
export async function pinsOfTurn(
  model: OpenModel,
  session: SessionId,
  turn_id: string,
  read: () => Promise<readonly Pin[]>,
): Promise<readonly Pin[]> {
  const memory = memoryOf(model, session);
  if (memory.pins?.turn_id === turn_id) return memory.pins.pins;
  const pins = await read();
  memory.pins = { turn_id, pins };
  return pins;
}
