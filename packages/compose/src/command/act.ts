/**
 * Runs the host actions of a message, in order, and writes what came of each on its part. The first
 * that fails ends it: what ran before is named in the error, because it is not undone.
 */
import type { GalleyError, UserPart } from "@galley/parts";
import type { HostActionRecord } from "../composed.ts";
import { ComposeError } from "../error.ts";
import type { ActionCall, ActionPlan, ActionResult, ComposeHost } from "../host.ts";
import type { Note } from "../note.ts";
import type { CommandPart } from "./settle.ts";

export type Planned = { readonly part: UserPart; readonly call?: ActionCall };

export type Acted =
  | {
      readonly ok: true;
      readonly parts: readonly UserPart[];
      readonly records: readonly HostActionRecord[];
      readonly notes: readonly Note[];
    }
  | { readonly ok: false; readonly error: GalleyError };

export async function runActions(planned: readonly Planned[], host: ComposeHost): Promise<Acted> {
  const parts = planned.map(({ part }) => part);
  const records: HostActionRecord[] = [];
  const notes: Note[] = [];
  const calls = planned.flatMap(({ call }) => call ?? []);
  const alone = actsOnly(parts);
  for (const [index, { part, call }] of planned.entries()) {
    if (call === undefined) continue;
    const { id, action, args } = call;
    const record = { part: index, id, action, args };
    if (host.act === undefined) {
      records.push({ ...record, state: "not-run" });
      notes.push({ code: "action-not-run", message: `${id} was not run here`, part: index });
      continue;
    }
    const plan = { calls, place: calls.indexOf(call), alone };
    const result = await attempt(host.act.bind(host), call, plan);
    if (!result.ok) {
      const reason = { code: result.code, message: result.message };
      const fault = result.call ?? call;
      const data = { command: fault.id, action: fault.action, reason, done: records };
      return { ok: false, error: ComposeError.make("action-failed", data) };
    }
    // A call is planned for commands alone.
    parts[index] = withResult(part as CommandPart, result);
    const state = result.deferred ? "deferred" : "ran";
    records.push({
      ...record,
      state,
      ...(result.result !== undefined && { result: result.result }),
    });
  }
  return { ok: true, parts, records, notes };
}

async function attempt(
  act: NonNullable<ComposeHost["act"]>,
  call: ActionCall,
  plan: ActionPlan,
): Promise<ActionResult> {
  try {
    return await act(call, plan);
  } catch (error) {
    // An action that throws has failed like one that says so: the draft must not be lost with it.
    const message = error instanceof Error ? error.message : String(error);
    return { ok: false, code: "failed", message };
  }
}

function withResult(part: CommandPart, result: ActionResult & { ok: true }): CommandPart {
  const shown = result.parts !== undefined && result.parts.length > 0;
  return {
    ...part,
    ...(shown && { outcome: "expanded" as const, expansion: [...(result.parts ?? [])] }),
    ...(result.result !== undefined && { result: result.result }),
    ...(result.deferred && { deferred: true }),
  };
}

const isBlank = (part: UserPart): boolean =>
  part.type === "text" && String(part.text).trim() === "";

const isAction = (part: UserPart): boolean =>
  part.type === "command" && part.outcome === "host-action";

/** Nothing of it is for a model. */
export const actsOnly = (parts: readonly UserPart[]): boolean =>
  parts.some(isAction) && parts.every((part) => isAction(part) || isBlank(part));
