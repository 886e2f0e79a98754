/**
 * What a person or a trigger asks of a session, each as one event with the rows that belong to it.
 * A request is done when its promise resolves, or it throws a `turn.*` error and nothing changed.
 */
import type { MessageId, UserPart } from "@galley/parts";
import { type Admitted, type MessageWithParts, StoreError, type Tables } from "@galley/persist";
import { dispositionOf, type Fate, type Happening } from "@galley/queue";
import { inlineBytes } from "./blob-split.ts";
import type { TurnDeps } from "./deps.ts";
import type { QueuePlace, Submission, Submitted } from "./live.ts";
import type { LiveSession } from "./live-session.ts";
import { firedBy } from "./rewind.ts";
import { needOpenSession, needSession } from "./session-rows.ts";
import { admitDraft, admittedBefore, type Draft, draftOf, storeParts } from "./submission.ts";
import { TurnError } from "./turn-error.ts";

export async function submit(
  session: LiveSession,
  deps: TurnDeps,
  submission: Submission,
): Promise<Submitted> {
  const message_id = submission.message.id ?? deps.mint("msg");
  if (submission.turn === false) return settleMessage(session, deps, message_id, submission);
  let before: Admitted | undefined;
  const step = await session.dispatch(async (tx): Promise<Happening> => {
    const row = await needSession(tx, session.id);
    const draft = draftOf(message_id, submission, row, deps.surroundings);
    before = await known(tx, deps, draft, row);
    if (before === undefined && row.archived_at !== null) refuseArchived(row.id);
    if (before === undefined) session.hold(draft);
    const origin = submission.trigger === undefined ? "human" : "trigger";
    return { type: "submitted", message_id, origin, admission: admissionOf(before) };
  });
  return before ? answerAgain(before) : { message_id, ...dispositionOf(step.state, message_id) };
}

function admissionOf(before: Admitted | undefined): "new" | "same" | "cancelled" {
  if (before === undefined) return "new";
  return before.state === "canceled" ? "cancelled" : "same";
}

/** As the first time; where it waits now is told, if it still does. */
const answerAgain = ({ message, disposition, position }: Admitted): Submitted => ({
  message_id: message.id,
  disposition,
  ...(position !== undefined && { position: position + 1 }),
});

async function known(
  tx: Tables,
  deps: TurnDeps,
  draft: Draft,
  row: Parameters<typeof admittedBefore>[1],
): Promise<Admitted | undefined> {
  try {
    return await admittedBefore(tx, row, draft, deps.now());
  } catch (error) {
    if (!StoreError.is(error, "conflict")) throw error;
    throw TurnError.make("conflict", { id: draft.id }, { cause: error });
  }
}

/** Recorded in its place: no event, no turn. An archived session may still say that it is one. */
async function settleMessage(
  session: LiveSession,
  deps: TurnDeps,
  message_id: MessageId,
  submission: Submission,
): Promise<Submitted> {
  return session.inLine(async (tx) => {
    const row = await needSession(tx, session.id);
    const draft = draftOf(message_id, submission, row, deps.surroundings);
    const before = await known(tx, deps, draft, row);
    if (before?.state === "canceled") throw TurnError.make("cancelled", { id: message_id });
    if (before !== undefined) return answerAgain(before);
    await admitDraft(tx, deps, row, draft, "settled", deps.now());
    return { message_id, disposition: "settled" };
  });
}

function refuseArchived(id: string): never {
  throw TurnError.make("archived", { id });
}

async function needMessage(
  tx: Tables,
  session: LiveSession,
  id: MessageId,
): Promise<MessageWithParts> {
  const found = await tx.messages.get(id);
  if (found?.message.session_id === session.id) return found;
  throw TurnError.make("no-message", { id });
}

function fateOf({ message }: MessageWithParts): Fate {
  if (message.canceled_at !== null) return "cancelled";
  return message.seq === null ? "unknown" : "fired";
}

export async function cancel(session: LiveSession, message_id: MessageId): Promise<void> {
  await session.dispatch(async (tx) => {
    const fate = fateOf(await needMessage(tx, session, message_id));
    return { type: "cancelled", message_id, fate };
  });
}

export async function edit(
  session: LiveSession,
  deps: TurnDeps,
  message_id: MessageId,
  parts: readonly UserPart[],
): Promise<void> {
  await session.dispatch(async (tx) => {
    const before = await needMessage(tx, session, message_id);
    const edited = { type: "edited", message_id, fate: fateOf(before) } as const;
    if (before.message.queue_order === null) return edited;
    const row = await needSession(tx, session.id);
    const old = before.parts.map(({ data_json }) => JSON.parse(data_json) as UserPart);
    const at = deps.now();
    const rows = await storeParts(tx, deps, row, parts, at, inlineBytes(old));
    await tx.queue.edit(message_id, { parts: rows, at });
    return edited;
  });
}

export async function move(
  session: LiveSession,
  deps: TurnDeps,
  message_id: MessageId,
  place: QueuePlace,
): Promise<void> {
  const side = "before" in place ? "before" : "after";
  const other_id = "before" in place ? place.before : place.after;
  await session.dispatch(async (tx) => {
    const fate = fateOf(await needMessage(tx, session, message_id));
    await needMessage(tx, session, other_id);
    await tx.queue.move(message_id, { ...place, at: deps.now() });
    return { type: "moved", message_id, side, other_id, fate };
  });
}

/** Answers the message that failed again. */
export async function retry(session: LiveSession): Promise<Submitted> {
  const step = await session.dispatch(async (tx) => {
    await needOpenSession(tx, session.id);
    await needSeen(tx, session);
    return { type: "retried", message_id: null };
  });
  return { message_id: firedBy(step), disposition: "fired" };
}

/** A rewind may have gone back behind the message that failed. */
async function needSeen(tx: Tables, session: LiveSession): Promise<void> {
  const { phase } = session.state();
  if (phase.status !== "error" || phase.message_id === null) return;
  const { message } = await needMessage(tx, session, phase.message_id);
  if (message.hidden_at !== null) throw TurnError.make("nothing-to-retry", {});
}

export async function resume(session: LiveSession): Promise<void> {
  await session.dispatch(async (tx) => {
    await needOpenSession(tx, session.id);
    return { type: "resumed" };
  });
}
