/**
 * One way from what a client sends to a message that is kept: composed with the session to act on,
 * then submitted. The messages of a session are taken one after the other, so that a retry meets
 * its first try finished, and an action runs once.
 */
import type { MessageId, ModelChoice, SessionId, SessionRow, UserMessage } from "@galley/parts";
import { TurnError } from "@galley/turn";
import type { SubmitAnswer, SubmitInput } from "../http/session-backend.ts";
import { oneAtATime } from "../one-at-a-time.ts";
import type { ComposeInput } from "../pipeline/pipeline.ts";
import { actedBefore } from "./acted.ts";
import { refuseLarge } from "./attachment-limit.ts";
import type { ActionDeps, Errand } from "./host-action.ts";
import { actingOn } from "./host-actions.ts";

export type SubmitDeps = ActionDeps & {
  /** Throws where the name leads nowhere. */
  modelOf(name: string): ModelChoice;
};

export type Submit = (id: SessionId, submission: SubmitInput) => Promise<SubmitAnswer>;

export function createSubmit(deps: SubmitDeps): Submit {
  const inOrder = oneAtATime();
  return (id, submission) => inOrder(id, () => submitTo(id, submission, deps));
}

async function submitTo(
  session_id: SessionId,
  submission: SubmitInput,
  deps: SubmitDeps,
): Promise<SubmitAnswer> {
  const session = await deps.store.sessions.get(session_id);
  if (!session) throw TurnError.make("no-session", { id: session_id });
  const { id } = submission;
  const known = id === undefined ? undefined : await knownMessage(id, deps);
  // Nothing of a retry runs again: the sessions compare it and answer as the first time.
  if (known) {
    const { payload } = submission;
    const again = await deps.live.submit(session_id, { message: known, payload });
    return { ...again, notes: [], actions: [] };
  }
  if (session.archived_at !== null) throw TurnError.make("archived", { id: session_id });
  return composeAndSubmit(session, submission, deps);
}

async function composeAndSubmit(
  session: SessionRow,
  submission: SubmitInput,
  deps: SubmitDeps,
): Promise<SubmitAnswer> {
  const { id, payload } = submission;
  const { parts = [], draft } = submission.input;
  const limit = deps.settings.limits.attachment_bytes;
  await refuseLarge([...parts, ...(draft?.parts ?? [])], { limit, store: deps.store });
  const named = submission.model === undefined ? undefined : deps.modelOf(submission.model);
  const errand: Errand = { after: [] };
  const before = actedBefore(session, id, deps);
  const pipeline = await deps.pipelineOf(session);
  const composed = await pipeline.compose(
    withId(submission.input, id),
    actingOn({ session, errand, before, deps }),
  );
  const { message, turn, notes, actions } = composed;
  const model = errand.model ?? named;
  const submitted = await deps.live.submit(session.id, {
    message,
    ...(id !== undefined && { payload }),
    ...(model && { model }),
    ...(!turn && { turn }),
  });
  await before.forget();
  for (const done of errand.after) await done();
  return { ...submitted, notes, actions };
}

const withId = (input: ComposeInput, id: MessageId | undefined): ComposeInput =>
  id === undefined ? input : { ...input, draft: { parts: [], ...input.draft, id } };

/** The message as it was kept; whether it is the same one is for the sessions to say. */
async function knownMessage(
  id: MessageId,
  { store }: SubmitDeps,
): Promise<UserMessage | undefined> {
  const row = await store.messages.get(id);
  if (!row) return undefined;
  const parts = row.parts.map(({ data_json }) => JSON.parse(data_json) as UserMessage["parts"][0]);
  return { role: "user", id, parts };
}
