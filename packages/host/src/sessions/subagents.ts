/** The subagents of a host: run for the `task` tool, and gone with the session that they worked for. */
import { idMinter, type SessionId } from "@galley/parts";
import type { Store } from "@galley/persist";
import { type LiveSessions, runSubagent, subagentOf } from "@galley/turn";
import type { Subagents } from "../tools/task.ts";
import type { WholeInput } from "./host-input.ts";

/** `live`: asked for when one runs, because the sessions are made with the tools. */
export function subagentsOn(store: Store, input: WholeInput, live: () => LiveSessions): Subagents {
  const mint = idMinter(input);
  return {
    run: (order) => runSubagent(order, { store, live: live(), mint, now: () => input.now() }),
    parentOf: async ({ parent_id }) =>
      parent_id === null ? undefined : store.sessions.get(parent_id),
    mayAsk: input.subagentsMayAsk ?? false,
  };
}

/** Those that worked for a session; one that was made a session of its own is nobody's any more. */
export async function subagentsFor(
  { sessions }: Pick<Store, "sessions">,
  parent_id: SessionId,
): Promise<readonly SessionId[]> {
  const found: SessionId[] = [];
  let cursor: string | undefined;
  do {
    const page = await sessions.list({
      parent_id,
      include_archived: true,
      ...(cursor !== undefined && { cursor }),
    });
    for (const session of page.sessions) {
      const { ephemeral } = JSON.parse(session.metadata_json) as { readonly ephemeral?: unknown };
      if (subagentOf(session) !== undefined && ephemeral === true) found.push(session.id);
    }
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return found;
}

/** Before a start: no call of a dead process waits for these any more, whatever they ask. */
export async function orphansIn({ sessions }: Pick<Store, "sessions">): Promise<SessionId[]> {
  const found: SessionId[] = [];
  for (const id of await sessions.marked("run")) {
    const row = await sessions.get(id);
    if (row && subagentOf(row) !== undefined) found.push(id);
  }
  return found;
}
