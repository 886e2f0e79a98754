/**
 * A person's answer to exactly one open call. It is held against the stored call first, and the call,
 * the permission that it may leave behind and the next segment's claim are one transaction: an answer
 * that cannot be heard leaves the call open.
 */
import { type AssistantPartShapes, type SessionRow, toolNameOf } from "@galley/parts";
import type { Tables } from "@galley/persist";
import type { TurnDeps } from "./deps.ts";
import { answered, type Wait, waitOf } from "./human-wait.ts";
import type { Answer } from "./live.ts";
import type { LiveSession } from "./live-session.ts";
import { marksOf } from "./run-mark.ts";
import { needSession } from "./session-rows.ts";
import { TurnError } from "./turn-error.ts";

export async function answer(session: LiveSession, deps: TurnDeps, said: Answer): Promise<void> {
  const { tool_call_id } = said;
  const rule = isForSession(said) ? await ruleFor(session, deps, tool_call_id) : undefined;
  await session.dispatch(async (tx) => {
    const { row, wait } = await open(tx, session, tool_call_id);
    const at = deps.now();
    await tx.parts.upsert([answered(wait, said, at)]);
    if (rule !== undefined) {
      const permissions_json = withRule(row.permissions_json, { ...rule, added_at: at });
      await tx.sessions.patch(session.id, { permissions_json, at });
    }
    return { type: "answered", tool_call_id };
  });
}

export async function dismiss(session: LiveSession, tool_call_id: string): Promise<void> {
  await session.dispatch({ type: "dismissed", tool_call_id });
}

const isForSession = (said: Answer): boolean =>
  "decision" in said && said.decision === "allow" && said.scope === "session";

async function open(
  tx: Tables,
  session: LiveSession,
  tool_call_id: string,
): Promise<{ readonly row: SessionRow; readonly wait: Wait }> {
  const { phase } = session.state();
  const isOpen =
    phase.status === "waiting" && phase.open.some((each) => each.tool_call_id === tool_call_id);
  const row = await needSession(tx, session.id);
  const { run } = marksOf(row);
  const message = isOpen && run ? await tx.messages.get(run.answer_id) : undefined;
  const wait = waitOf(message, tool_call_id);
  if (wait === undefined) throw TurnError.make("no-interaction", { tool_call_id });
  return { row, wait };
}

type Rule = {
  readonly permission: string;
  readonly pattern: string;
  readonly action: "allow";
  readonly source: "session";
};

/** The tool says what its call is about; asking it is no work for a transaction. */
async function ruleFor(
  session: LiveSession,
  { store, tools }: TurnDeps,
  tool_call_id: string,
): Promise<Rule> {
  const { row, wait } = await open(store, session, tool_call_id);
  // The row of a call holds a call.
  const part = JSON.parse(wait.row.data_json) as AssistantPartShapes["tool"];
  const permission = toolNameOf(part);
  const tool = (await tools.open(row)).find(({ definition }) => definition.name === permission);
  const pattern = tool?.subject?.(part.input) ?? "*";
  return { permission, pattern, action: "allow", source: "session" };
}

/** One rule more; those before keep their bytes. */
function withRule(permissions_json: string, rule: object): string {
  const rules: unknown = JSON.parse(permissions_json);
  if (!Array.isArray(rules) || rules.length === 0) return JSON.stringify([rule]);
  const end = permissions_json.lastIndexOf("]");
  return `${permissions_json.slice(0, end)},${JSON.stringify(rule)}]`;
}
