/**
 * The system's layers of a session: asked for once, then the same for every turn, so that the
 * beginning of every request stays the same bytes.
 */
import type { Layer } from "@galley/assemble";
import type { SessionRow } from "@galley/parts";
import type { TurnDeps } from "./deps.ts";

/** The key in a session's metadata: the digest of its frozen layers. */
export const SYSTEM_PROMPT = "system_prompt";

export type SystemLayers = {
  readonly layers: readonly Layer[];
  /** Gives the digest; the first time it is kept by this call. */
  freeze(): Promise<string>;
};

export async function systemLayers(
  session: SessionRow,
  deps: Pick<TurnDeps, "store" | "surroundings" | "now">,
): Promise<SystemLayers> {
  const known = (JSON.parse(session.metadata_json) as Readonly<Record<string, unknown>>)[
    SYSTEM_PROMPT
  ];
  const frozen = typeof known === "string" ? await deps.store.systemPrompts.get(known) : undefined;
  if (frozen) {
    const layers = JSON.parse(frozen.body) as readonly Layer[];
    return { layers, freeze: async () => frozen.digest };
  }
  const layers = await deps.surroundings.layers(session);
  return { layers, freeze: () => keep(session, layers, deps) };
}

function keep(
  session: SessionRow,
  layers: readonly Layer[],
  { store, now }: Pick<TurnDeps, "store" | "now">,
): Promise<string> {
  const body = JSON.stringify(layers);
  return store.transact(async ({ systemPrompts, sessions }) => {
    const digest = await systemPrompts.keep({ kind: "system", body, at: now() });
    await sessions.patch(session.id, { metadata: { [SYSTEM_PROMPT]: digest }, at: now() });
    return digest;
  });
}
