/**
 * A session that begins as a copy of what can be seen in another, up to a message. Rows get ids of
 * their own, and references between them lead to the copies. Bytes that left their rows are held by
 * both sessions and copied by neither.
 *
 * What was decided stays decided (what a file said, the system's text); what was allowed does not
 * come along, nor does what waits.
 */
import type { MessageId, SessionId, SessionRow, UserPart } from "@galley/parts";
import { type MessageWithParts, type Tables, withMembers } from "@galley/persist";
import type { RunState } from "@galley/queue";
import { inlineBytes } from "./blob-split.ts";
import { CONTEXT_BUDGET } from "./context-budget.ts";
import type { TurnDeps } from "./deps.ts";
import { copyBudget } from "./fork-budget.ts";
import { rewriteIds } from "./fork-ids.ts";
import type { Fork } from "./live.ts";
import type { LiveSession } from "./live-session.ts";
import { refuseUnlessFree } from "./rewind.ts";
import { RESERVED_METADATA } from "./run-mark.ts";
import { needSession } from "./session-rows.ts";
import { TurnError } from "./turn-error.ts";

export type ForkDeps = Pick<TurnDeps, "mint" | "now">;

type Copied = { readonly id: SessionId; readonly at: number; readonly ids: Map<string, string> };

/** Throws when a caller sets what only the host may. */
export function refuseReserved(metadata: Readonly<Record<string, unknown>>): void {
  const key = Object.keys(metadata).find((each) => RESERVED_METADATA.includes(each));
  if (key !== undefined) throw TurnError.make("reserved-metadata", { key });
}

export async function fork(session: LiveSession, order: Fork, deps: ForkDeps): Promise<SessionRow> {
  refuseReserved(order.metadata ?? {});
  return session.inLine(async (tx) => {
    const parent = await needSession(tx, session.id);
    // A sidecar takes only what is settled, so it need not wait for what runs.
    if (order.metadata?.ephemeral !== true) refuseUnlessFree(session.state());
    const rows = await settledRows(tx, session, order.from_message_id);
    const copied: Copied = { id: deps.mint("ses"), at: deps.now(), ids: idsFor(rows, deps) };
    await tx.sessions.create({
      id: copied.id,
      agent: parent.agent,
      title: order.title ?? copyOf(parent.title),
      workspace_root: parent.workspace_root,
      model_json: parent.model_json,
      parent_id: parent.id,
      parent_message_id: rows.at(-1)?.message.id ?? null,
      metadata_json: metadataOf(parent, order, rows, copied),
      at: copied.at,
    });
    await copyRows(tx, rows, copied);
    await copyDecisions(tx, parent.id, copied);
    await countAnew(tx, rows, copied);
    return needSession(tx, copied.id);
  });
}

/** Takes the mark away that hides a sidecar. */
export function promote(session: LiveSession, { now }: ForkDeps): Promise<SessionRow> {
  return session.inLine(async (tx) => {
    const { id, metadata_json } = await needSession(tx, session.id);
    const { ephemeral } = JSON.parse(metadata_json) as { readonly ephemeral?: unknown };
    if (ephemeral !== true) throw TurnError.make("not-ephemeral", { id });
    return tx.sessions.patch(id, { metadata: { ephemeral: undefined }, at: now() });
  });
}

/** Without a title it stays without one, so that its own first words can name it. */
const copyOf = (title: string | null): string | null => (title === null ? null : `${title} (copy)`);

/** What can be seen up to the named message, or up to the last one that no turn is working on. */
async function settledRows(
  tx: Tables,
  session: LiveSession,
  from: MessageId | undefined,
): Promise<readonly MessageWithParts[]> {
  const { phase } = session.state();
  const running = await seqOfRunning(tx, phase);
  const named = from === undefined ? undefined : await seqOf(tx, session, from);
  if (named !== undefined && running !== undefined && named >= running) {
    throw TurnError.make("busy", { what: phase.status });
  }
  const before_seq = named === undefined ? running : named + 1;
  return tx.messages.history(session.id, before_seq === undefined ? {} : { before_seq });
}

async function seqOfRunning(tx: Tables, phase: RunState["phase"]): Promise<number | undefined> {
  if (!("turn" in phase)) return undefined;
  return (await tx.messages.get(phase.turn.message_id))?.message.seq ?? undefined;
}

async function seqOf(tx: Tables, session: LiveSession, id: MessageId): Promise<number> {
  const found = (await tx.messages.get(id))?.message;
  if (found?.session_id !== session.id) throw TurnError.make("no-message", { id });
  if (found.queue_order !== null) throw TurnError.make("still-queued", { id });
  if (found.seq === null || found.hidden_at !== null) throw TurnError.make("no-message", { id });
  return found.seq;
}

function idsFor(rows: readonly MessageWithParts[], { mint }: ForkDeps): Map<string, string> {
  const ids = new Map<string, string>();
  for (const { message, parts } of rows) {
    ids.set(message.id, mint("msg"));
    for (const part of parts) ids.set(part.id, mint("prt"));
  }
  return ids;
}

/** Of the host's own keys, those that say how the conversation is held; of a client's, all. */
const TAKEN_ALONG: readonly string[] = ["system_prompt", "stop_policy", "pins"];

function metadataOf(
  { metadata_json }: SessionRow,
  { metadata }: Fork,
  rows: readonly MessageWithParts[],
  { ids }: Copied,
): string {
  const left = RESERVED_METADATA.filter((key) => !TAKEN_ALONG.includes(key));
  const gone = Object.fromEntries([...left, "ephemeral"].map((key) => [key, undefined]));
  const inline = inlineBytesOf(rows);
  const states = (JSON.parse(metadata_json) as Readonly<Record<string, unknown>>)[CONTEXT_BUDGET];
  const own = {
    relation: "fork",
    inline_bytes: inline > 0 ? inline : undefined,
    [CONTEXT_BUDGET]: copyBudget(states, ids),
  };
  return withMembers(metadata_json, { ...gone, ...metadata, ...own });
}

function inlineBytesOf(rows: readonly MessageWithParts[]): number {
  const held = rows
    .filter(({ message }) => message.role === "user")
    .flatMap(({ parts }) => parts)
    .filter(({ type }) => type === "file-attachment" || type === "command");
  return inlineBytes(held.map(({ data_json }) => JSON.parse(data_json) as UserPart));
}

async function copyRows(
  tx: Tables,
  rows: readonly MessageWithParts[],
  { id: session_id, ids }: Copied,
): Promise<void> {
  for (const [index, { message, parts }] of rows.entries()) {
    const id = copyId(ids, message.id);
    const metadata_json = rewriteIds(message.metadata_json, ids);
    // A retry under the old id belongs to the old session.
    const own = { id, session_id, seq: index + 1, metadata_json, payload_sha256: null };
    await tx.messages.restore({ ...message, ...own });
    for (const part of parts) {
      const data_json = rewriteIds(part.data_json, ids);
      const where = { id: copyId(ids, part.id), message_id: id, session_id };
      await tx.parts.restore({ ...part, ...where, data_json });
    }
  }
}

/** A file is what it was when its message fired, in the copy too. */
async function copyDecisions(
  tx: Tables,
  parent: SessionId,
  { id: session_id, ids }: Copied,
): Promise<void> {
  for (const row of await tx.lowerings.ofSession(parent)) {
    const message_id = ids.get(row.message_id);
    if (message_id !== undefined) await tx.lowerings.keep({ ...row, message_id, session_id });
  }
}

/** A rewind to the last message hides nothing, and the store counts what is there. */
async function countAnew(
  tx: Tables,
  rows: readonly MessageWithParts[],
  { id: session_id, at, ids }: Copied,
): Promise<void> {
  const last = rows.at(-1);
  if (last === undefined) return;
  const to_message_id = copyId(ids, last.message.id);
  const order = { id: "rewind_none", session_id, to_message_id, inclusive: false, at };
  await tx.messages.rewind(order);
}

function copyId(ids: ReadonlyMap<string, string>, id: string): string {
  const copy = ids.get(id);
  if (copy === undefined) throw new TypeError(`${id} was given no copy`);
  return copy;
}
