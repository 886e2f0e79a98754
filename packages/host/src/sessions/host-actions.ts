/**
 * The host's own commands, acting on the session in which they are typed. Each does its work or
 * throws; what it gives is recorded on the command and shown to the person, never to the model.
 */
import type { ActionCall, ActionPlan, ActionResult, ComposeHost, Json } from "@galley/compose";
import { isGalleyError, type SessionRow } from "@galley/parts";
import { HostError } from "../host-error.ts";
import type { ActedBefore } from "./acted.ts";
import { checkAction, refuseBusy } from "./action-checks.ts";
import { btwAction, forkAction, rewindAction } from "./branch-actions.ts";
import { contextReport } from "./context-report.ts";
import { type Action, type ActionDeps, type Errand, restOf } from "./host-action.ts";
import { choiceOf, nameOf } from "./model-name.ts";
import { queueAction } from "./queue-action.ts";
import { modelOf } from "./surroundings.ts";

const model: Action = async (call, session, errand, { defaultModel }) => {
  const name = restOf(call);
  if (name === "") return { model: nameOf(modelOf(session) ?? defaultModel(session)) };
  // Kept with the message: the session has it from then on.
  errand.model = choiceOf(name);
  return { model: name };
};

const rename: Action = async (call, session, _errand, { store, now }) => {
  const title = restOf(call);
  await store.sessions.patch(session.id, { title, at: now() });
  return { title };
};

const archive: Action = async (_call, session, errand, { live }) => {
  errand.after.push(() => live.archive(session.id, true));
  return { archived: true };
};

const clear: Action = async (_call, session, errand, { live, mint }) => {
  const id = mint("ses");
  const own = modelOf(session);
  const workspace = session.workspace_root;
  errand.after.push(() =>
    live.create({
      id,
      agent: session.agent,
      ...(workspace !== null && { workspace }),
      ...(own && { model: own }),
    }),
  );
  return { session_id: id };
};

const stop: Action = async (_call, session, _errand, { live }) => {
  await live.abort(session.id);
  return { stopped: true };
};

const retry: Action = async (_call, session, _errand, { live }) => {
  const { message_id, disposition } = await live.retry(session.id);
  return { message_id, disposition };
};

const help: Action = async (call, session, _errand, { pipelineOf }) => {
  const found = await (await pipelineOf(session)).commands(restOf(call));
  return found.commands.map(({ id, description, argument_hint }) => ({
    id,
    description,
    ...(argument_hint !== undefined && { argument_hint }),
  }));
};

const skills: Action = async (_call, session, _errand, { pipelineOf }) => {
  const found = await (await pipelineOf(session)).commands("");
  return found.commands
    .filter(({ source }) => source === "skill")
    .map(({ name, description }) => ({ name, description }));
};

/** Where the export is to be had: a file of the workspace is not the host's to write. */
const exported: Action = async (call, session) => {
  const format = restOf(call) || "jsonl";
  return { format, get: `/v1/sessions/${session.id}/export?format=${format}` };
};

const ACTIONS: Readonly<Record<string, Action>> = {
  model,
  rename,
  archive,
  clear,
  stop,
  retry,
  help,
  skills,
  export: exported,
  queue: queueAction,
  context: contextReport,
  fork: forkAction,
  rewind: rewindAction,
  btw: btwAction,
};

/** What these did is done at once; the others do it with their message, or only look. */
const AT_ONCE = new Set(["rename", "stop", "retry", "queue", "fork", "rewind", "btw"]);

function actionOf({ action, id }: ActionCall): Action {
  const found = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (found === undefined) throw HostError.make("not_yet", { what: id });
  return found;
}

export type Acting = {
  readonly session: SessionRow;
  readonly errand: Errand;
  readonly before: ActedBefore;
  readonly deps: ActionDeps;
};

export function actingOn(acting: Acting): NonNullable<ComposeHost["act"]> {
  return async (call, plan): Promise<ActionResult> => {
    const fault = plan.place === 0 ? await faultIn(plan, acting) : undefined;
    if (fault) return fault;
    const known = acting.before.of(call, plan.place);
    if (known) return { ok: true, result: known.result };
    const done = await told(call, () => perform(call, plan.place, acting));
    return "ok" in done ? done : { ok: true, result: done.result };
  };
}

/** All of them are looked at before the first runs. */
async function faultIn(
  plan: ActionPlan,
  { session, before, deps }: Acting,
): Promise<Failed | undefined> {
  for (const [place, call] of plan.calls.entries()) {
    if (before.of(call, place)) continue;
    const checked = await told(call, async () => {
      actionOf(call);
      await checkAction(call, plan, session, deps);
      return { result: null };
    });
    if ("ok" in checked) return checked;
  }
  return undefined;
}

async function perform(
  call: ActionCall,
  place: number,
  { session, errand, before, deps }: Acting,
): Promise<{ readonly result: Json }> {
  await refuseBusy(call, session, deps);
  const result = await actionOf(call)(call, session, errand, deps);
  if (AT_ONCE.has(call.action)) await before.note(call, place, result);
  return { result };
}

type Failed = ActionResult & { readonly ok: false };

async function told(
  call: ActionCall,
  work: () => Promise<{ readonly result: Json }>,
): Promise<{ readonly result: Json } | Failed> {
  try {
    return await work();
  } catch (error) {
    if (!isGalleyError(error)) throw error;
    return { ok: false, code: error.code, message: error.message, call };
  }
}
