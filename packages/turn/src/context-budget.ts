/** What was left out of the requests of a session, kept in its row for each model it spoke to. */
import { type BudgetState, type Elision, NOTHING_ELIDED } from "@galley/assemble";
import type { SessionId, SessionRow } from "@galley/parts";
import type { Sessions } from "@galley/persist";

/** The key in a session's metadata: by `provider/model`. */
export const CONTEXT_BUDGET = "context_budget";

type Json = Readonly<Record<string, unknown>>;

export function budgetOf({ metadata_json }: SessionRow, model: string): BudgetState {
  const states = statesIn(metadata_json);
  const elided = Object.hasOwn(states, model) ? objectOf(objectOf(states[model]).elided) : {};
  const readable = Object.entries(elided).filter((entry): entry is [string, Elision] =>
    isElision(entry[1]),
  );
  return readable.length > 0 ? { elided: Object.fromEntries(readable) } : NOTHING_ELIDED;
}

/** Inside a transaction: what other models were spared stays. */
export async function keepBudget(
  sessions: Sessions,
  id: SessionId,
  model: string,
  state: BudgetState,
  at: number,
): Promise<void> {
  const row = await sessions.get(id);
  if (!row) return;
  const states = { ...statesIn(row.metadata_json), [model]: state };
  await sessions.patch(id, { metadata: { [CONTEXT_BUDGET]: states }, at });
}

const statesIn = (metadata_json: string): Json =>
  objectOf(objectOf(JSON.parse(metadata_json))[CONTEXT_BUDGET]);

/** What another program put there is as good as nothing. */
const objectOf = (value: unknown): Json =>
  typeof value === "object" && value !== null ? (value as Json) : {};

function isElision(value: unknown): boolean {
  const { tokens, line } = objectOf(value);
  return typeof tokens === "number" && typeof line === "string";
}
