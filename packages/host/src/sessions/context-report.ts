/** `/context`: what the model was given with the last request, and what it cost, in short. */
import { wholeManifests } from "@galley/turn";
import type { Action } from "./host-action.ts";

export const contextReport: Action = async (_call, session, _errand, { store }) => {
  const turn = await store.manifests.lastTurn(session.id);
  const last = (await wholeManifests(store, session.id, turn)).at(-1);
  if (turn === 0 || !last) return { turn: 0, says: "nothing has been sent yet" };
  const { layers, tools, blocks, estimate, limit, over_limit, ...rest } = last.manifest;
  const { pins = [], elisions = [], failures = [], changed } = rest;
  const byRole = (role: string) => sum(blocks.filter((block) => block.role === role));
  return {
    turn,
    round: last.round,
    estimate,
    limit,
    over_limit,
    tokens: {
      layers: sum(layers),
      tools: sum(tools),
      user: byRole("user"),
      assistant: byRole("assistant"),
      pins: sum(pins),
    },
    left_out: { blocks: elisions.length, tokens: sum(elisions) },
    failures: failures.length,
    ...(changed && { changed: changed.why }),
    messages: new Set(blocks.map(({ message_id }) => message_id)).size,
  };
};

const sum = (rows: readonly { readonly tokens: number }[]): number =>
  rows.reduce((total, { tokens }) => total + tokens, 0);
