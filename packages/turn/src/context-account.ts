/**
 * The account of one request as it is kept: the manifest with what lowering made of each block, what
 * changed in bytes, and, in its row, only what the row before does not say.
 */
import {
  AccountError,
  accountFor,
  type BudgetState,
  blockAtByte,
  type Manifest,
} from "@galley/assemble";
import { firstDifference, modelName } from "@galley/shape";
import { keepBudget } from "./context-budget.ts";
import { type Account, shortened } from "./context-delta.ts";
import { type KeptRow, memoryOf } from "./context-memory.ts";
import type { TurnDeps } from "./deps.ts";
import type { OpenModel, PrintedRequest } from "./model.ts";
import type { StepPlace } from "./step.ts";

export type AccountInput = {
  readonly deps: Pick<TurnDeps, "store" | "now" | "report">;
  readonly model: OpenModel;
  readonly manifest: Manifest;
  readonly place: StepPlace;
  /** What this request decided to leave out, where it decided something. */
  readonly budget?: BudgetState | undefined;
};

/** Gives how to write the account: all of it or nothing, and again where the store took nothing. */
export function accounting(
  input: AccountInput,
  printed: PrintedRequest | undefined,
): () => Promise<true> {
  const { model, manifest, place } = input;
  const memory = memoryOf(model, place.session_id);
  const known = printed ? lowered(input, printed, memory.sent?.body) : manifest;
  const account: Account = { turn_id: place.turn_id, model: modelName(model.profile), ...known };
  const row = rowOf(account, place, memory.row);
  if (printed) memory.sent = { manifest, body: printed.body };
  return async () => {
    await write(input, printed, row.json);
    // Only what stands in a row can be told from.
    memory.row = row.kept;
    return true;
  };
}

function lowered(
  { manifest, deps }: AccountInput,
  printed: PrintedRequest,
  before: Uint8Array | undefined,
): Manifest {
  const known = withOutcomes(manifest, printed, deps);
  const { changed } = known;
  if (!changed || !before) return known;
  const first_byte = firstDifference(before, printed.body);
  if (first_byte === undefined) return known;
  const byte_block = blockAtByte(known, first_byte);
  return {
    ...known,
    changed: { ...changed, first_byte, ...(byte_block !== undefined && { byte_block }) },
  };
}

function withOutcomes(
  manifest: Manifest,
  printed: PrintedRequest,
  { report }: Pick<TurnDeps, "report">,
): Manifest {
  try {
    return accountFor(manifest, printed.outcomes());
  } catch (error) {
    if (!AccountError.is(error, "uneven")) throw error;
    // The request is out; an account without outcomes tells more than none.
    report(error);
    return manifest;
  }
}

/** Whole again where the rows since the last whole one are longer than it: reading stays short. */
function rowOf(
  account: Account,
  { turn, round }: StepPlace,
  before: KeptRow | undefined,
): { readonly json: string; readonly kept: KeptRow } {
  const place = { turn, round };
  if (before) {
    const json = JSON.stringify(shortened(before.account, before.place, account));
    const since = before.since + json.length;
    if (since <= before.whole) {
      return { json, kept: { place, account, whole: before.whole, since } };
    }
  }
  const json = JSON.stringify(account);
  return { json, kept: { place, account, whole: json.length, since: 0 } };
}

/** In one transaction: a request without its account, or the other way round, tells half. */
async function write(
  { deps, model, place, budget }: AccountInput,
  printed: PrintedRequest | undefined,
  manifest_json: string,
): Promise<void> {
  const { turn_id: _, ...where } = place;
  const created_at = deps.now();
  const name = modelName(model.profile);
  await deps.store.transact(async ({ manifests, requests, sessions }) => {
    await manifests.put({ ...where, manifest_json, created_at });
    if (budget) await keepBudget(sessions, place.session_id, name, budget, created_at);
    if (!printed) return;
    const { method, url, headers, body } = printed;
    const headers_json = JSON.stringify(headers);
    await requests.put({ ...where, model: name, method, url, headers_json, body, created_at });
  });
}
