/**
 * What can be known to be wrong with the actions of a message before the first of them runs: none of
 * them is undone, so a message that cannot be done whole is not begun. What only the doing shows
 * (another client was faster) is told by the action itself.
 */
import type { ActionCall, ActionPlan } from "@galley/compose";
import type { SessionRow } from "@galley/parts";
import { TurnError } from "@galley/turn";
import { HostError } from "../host-error.ts";
import { profileOf } from "../pipeline/models.ts";
import { type ActionDeps, restOf } from "./host-action.ts";
import { entryIn, verbOf } from "./queue-action.ts";

type Check = (call: ActionCall, session: SessionRow, deps: ActionDeps) => Promise<void> | void;

const EXPORT_FORMATS = ["jsonl", "json"];

const CHECKS: Readonly<Record<string, Check>> = {
  model(call, _session, { settings }) {
    const name = restOf(call);
    if (name !== "") profileOf(name, settings);
  },
  async archive(_call, session, { live }) {
    const { entries } = await live.queue(session.id);
    if (entries.length > 0) throw TurnError.make("has-queue", { count: entries.length });
  },
  export(call, session) {
    const format = restOf(call) || "jsonl";
    if (EXPORT_FORMATS.includes(format)) return;
    const reason = `${format} is no format (${EXPORT_FORMATS.join(", ")}); galley session export ${session.id} > FILE writes a file`;
    throw HostError.make("bad_argument", { command: call.id, reason });
  },
  async queue(call, session, { live }) {
    if (verbOf(call) === "drop") entryIn(call, (await live.queue(session.id)).entries);
  },
};

/** Commands that take no text beside them: the conversation is over with them. */
const ALONE = new Set(["archive", "clear"]);

/** Throws what is wrong with this call, as things are now. */
export async function checkAction(
  call: ActionCall,
  { alone, calls }: ActionPlan,
  session: SessionRow,
  deps: ActionDeps,
): Promise<void> {
  if (ALONE.has(call.action) && !alone) {
    throw HostError.make("stands_alone", { command: call.id });
  }
  // A stop before it makes room.
  const isStopped = calls.slice(0, calls.indexOf(call)).some(({ action }) => action === "stop");
  if (!isStopped) await refuseBusy(call, session, deps);
  if (Object.hasOwn(CHECKS, call.action)) await CHECKS[call.action]?.(call, session, deps);
}

/** Asked again at the moment of the action: one before it may have changed the session's state. */
export async function refuseBusy({ needsIdle }: ActionCall, { id }: SessionRow, deps: ActionDeps) {
  if (!needsIdle) return;
  const { state } = await deps.live.status(id);
  if (state !== "idle" && state !== "error") throw TurnError.make("busy", { what: state });
}
