/**
 * Whether a call of a subagent may run: only what every session above it may do, too. What asks is
 * denied, because nobody looks into its session, unless the host says that somebody does.
 */
import type { SessionRow } from "@galley/parts";
import { NOBODY_ANSWERS, type Permit, subagentOf, type ToolRequest } from "@galley/turn";
import type { Subagents } from "./task.ts";

export type Deciding = {
  /** With everything that has a say. */
  decide(request: ToolRequest): Promise<Permit>;
  /** By the rules alone: nobody is asked twice about one call. */
  byRules(request: ToolRequest): Promise<Permit>;
  readonly subagents: Pick<Subagents, "parentOf" | "mayAsk"> | undefined;
};

export async function permitAsSubagent(request: ToolRequest, given: Deciding): Promise<Permit> {
  const { decide, subagents } = given;
  const { session, tool } = request;
  if (subagentOf(session) === undefined || subagents === undefined) return decide(request);
  const refusal = await deniedAbove(request, given);
  if (refusal) return refusal;
  const found = await decide(request);
  if (found.action === "deny" || subagents.mayAsk) return found;
  if (tool.waits !== undefined) return { action: "deny", reason: NOBODY_ANSWERS };
  if (found.action !== "ask") return found;
  const reason = `${tool.definition.name} needs somebody's leave, and a subagent can ask nobody: say what is to be done in your answer`;
  return { action: "deny", reason };
}

async function deniedAbove(
  request: ToolRequest,
  { byRules, subagents }: Deciding,
): Promise<Permit | undefined> {
  for (
    let above = await parentOf(request.session, subagents);
    above !== undefined;
    above = await parentOf(above, subagents)
  ) {
    const found = await byRules({ ...request, session: above });
    if (found.action === "deny") return found;
  }
  return undefined;
}

const parentOf = async (
  session: SessionRow,
  subagents: Deciding["subagents"],
): Promise<SessionRow | undefined> =>
  subagentOf(session) === undefined ? undefined : subagents?.parentOf(session);
