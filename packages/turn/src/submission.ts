/**
 * From a submission to the row that it becomes: what is fixed at this moment (model, trigger,
 * version) and what a retry is compared with. Nothing is written here but in `admitDraft`.
 */
import {
  type MessageId,
  type ModelChoice,
  type PartId,
  type SessionRow,
  stampVersion,
  type UserPart,
} from "@galley/parts";
import type { Admitted, Disposition, Tables } from "@galley/persist";
import { splitBlobs } from "./blob-split.ts";
import type { TurnDeps } from "./deps.ts";
import type { Submission } from "./live.ts";
import { marksOf } from "./run-mark.ts";

export type Draft = {
  readonly id: MessageId;
  readonly parts: readonly UserPart[];
  readonly metadata_json: string;
  readonly payload: unknown;
  /** Chosen with this message, for it and those after it. */
  readonly chosen: ModelChoice | undefined;
};

/** What the store and the host say about a message; a client that says it is not heard. */
const HOST_KEYS = [
  "queued_at",
  "queue_enqueued_at",
  "queue_canceled_at",
  "hidden_at",
  "usage",
  "system_prompt_digest",
  "trigger",
] as const;

export function draftOf(
  id: MessageId,
  { message, payload, model, trigger }: Submission,
  session: SessionRow,
  surroundings: TurnDeps["surroundings"],
): Draft {
  const chosen = model ?? message.metadata?.model;
  const said = Object.entries(message.metadata ?? {}).filter(
    ([key]) => !(HOST_KEYS as readonly string[]).includes(key),
  );
  const metadata = {
    ...Object.fromEntries(said),
    model: chosen ?? modelOf(session) ?? surroundings.defaultModel(session),
    ...(trigger && { trigger }),
  };
  return {
    id,
    parts: message.parts,
    metadata_json: JSON.stringify(stampVersion({ metadata }).metadata),
    // As it was sent: neither where its bytes are kept nor which model stood in is part of it.
    payload: payload ?? { parts: message.parts, metadata: { model: chosen, trigger } },
    chosen,
  };
}

export function modelOf({ model_json }: SessionRow): ModelChoice | undefined {
  return model_json === null ? undefined : (JSON.parse(model_json) as ModelChoice);
}

export type NewPartRow = { readonly id: PartId; readonly data_json: string };

/** The parts as rows, large attachments as blobs; the session keeps count of what stays inline. */
export async function storeParts(
  tx: Tables,
  { mint }: Pick<TurnDeps, "mint">,
  session: SessionRow,
  parts: readonly UserPart[],
  at: number,
  freed = 0,
): Promise<readonly NewPartRow[]> {
  const before = Math.max(0, marksOf(session).inline_bytes - freed);
  const split = await splitBlobs(parts, before, (bytes) => tx.blobs.put(bytes, at));
  const inline_bytes = before + split.inline_bytes;
  if (inline_bytes !== marksOf(session).inline_bytes) {
    await tx.sessions.patch(session.id, { metadata: { inline_bytes }, at });
  }
  return split.parts.map((part) => ({ id: mint("prt"), data_json: JSON.stringify(part) }));
}

export async function admitDraft(
  tx: Tables,
  deps: Pick<TurnDeps, "mint">,
  session: SessionRow,
  draft: Draft,
  disposition: Disposition,
  at: number,
): Promise<Admitted> {
  const { id, metadata_json, payload, chosen } = draft;
  const parts = await storeParts(tx, deps, session, draft.parts, at);
  if (chosen) await tx.sessions.patch(session.id, { model_json: JSON.stringify(chosen), at });
  const row = { id, session_id: session.id, metadata_json, parts, payload };
  return tx.messages.admit({ ...row, disposition, at });
}

/** What the first submission of this id was told; nothing when the id is new. */
export async function admittedBefore(
  tx: Tables,
  session: SessionRow,
  draft: Draft,
  at: number,
): Promise<Admitted | undefined> {
  if ((await tx.messages.get(draft.id)) === undefined) return undefined;
  const { id, metadata_json, payload } = draft;
  // Known: the store compares and writes nothing.
  const row = { id, session_id: session.id, metadata_json, payload, parts: [] };
  return tx.messages.admit({ ...row, disposition: "fired", at });
}

const TITLE_LENGTH = 60;

/** The first line that was typed; an attachment's content names nothing. */
export function titleOf(parts: readonly UserPart[]): string | undefined {
  const lines = parts.flatMap((part) =>
    part.type === "text" && typeof part.text === "string" ? part.text.split("\n") : [],
  );
  const first = lines.map((line) => line.trim()).find((line) => line !== "");
  if (first === undefined) return undefined;
  // A line may be a whole file: more than this many code units are too many in any case.
  const characters = [...first.slice(0, 4 * TITLE_LENGTH).toWellFormed()];
  if (characters.length <= TITLE_LENGTH) return characters.join("");
  return `${characters.slice(0, TITLE_LENGTH - 1).join("")}…`;
}
