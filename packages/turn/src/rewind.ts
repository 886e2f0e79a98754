/**
 * Going back to a message that a person sent, and back from that. What is visible is one branch: a
 * rewind hides the rest of it under an id, and undoing the rewind swaps that rest with whatever has
 * grown in its place, so that two branches never stand in one conversation.
 *
 * The session's row remembers its rewinds, the latest last; what they hid is in the rows themselves.
 */
import type { MessageId, SessionRow, UserPart } from "@galley/parts";
import type { MessageWithParts, Tables } from "@galley/persist";
import { type Happening, mayFork, type RunState, type Step } from "@galley/queue";
import type { TurnDeps } from "./deps.ts";
import type { RewoundToEdit, RewoundToResend, Unrewound } from "./live.ts";
import type { LiveSession } from "./live-session.ts";
import { needOpenSession } from "./session-rows.ts";
import type { Transcripts } from "./transcript.ts";
import { TurnError } from "./turn-error.ts";

export type RewindDeps = Pick<TurnDeps, "mint" | "now"> & { readonly transcripts: Transcripts };

/** The key in a session's metadata. */
const REWINDS = "rewinds";

/** So many can be undone, the latest ones; what older ones hid stays hidden. */
const MOST_REWINDS = 100;

/** `first` is the first message that it hid. */
type RewindMark = { readonly id: string; readonly first: MessageId };

/** Hides what came after a message and answers it anew. */
export async function rewindToResend(
  session: LiveSession,
  message_id: MessageId,
  deps: RewindDeps,
): Promise<RewoundToResend> {
  let mark: RewindMark | undefined;
  const step = await session.dispatch(async (tx) => {
    const row = await needOpenSession(tx, session.id);
    await needSent(tx, session, message_id);
    refuseUnlessFree(session.state());
    mark = await goBack(tx, row, { message_id, inclusive: false }, deps);
    return { type: "retried", message_id };
  });
  const fired = { message_id: firedBy(step), disposition: "fired" } as const;
  return { mode: "resend", ...fired, rewind_id: mark?.id ?? null };
}

/** Hides the message too, and gives what it was made of. */
export async function rewindToEdit(
  session: LiveSession,
  message_id: MessageId,
  deps: RewindDeps,
): Promise<RewoundToEdit> {
  let rewound: RewoundToEdit | undefined;
  await session.dispatch(async (tx) => {
    const row = await needOpenSession(tx, session.id);
    const target = await needSent(tx, session, message_id);
    refuseUnlessFree(session.state());
    const mark = await goBack(tx, row, { message_id, inclusive: true }, deps);
    const parts = target.parts.map(({ data_json }) => JSON.parse(data_json) as UserPart);
    rewound = { mode: "edit", message_id, rewind_id: mark?.id ?? null, draft: { parts } };
    return restingAfter(session.state(), await isHidden(tx, session));
  });
  return made(rewound);
}

/** The latest rewind, or the one that is named. What stands in its place now is hidden in turn. */
export async function unrewind(
  session: LiveSession,
  rewind_id: string | undefined,
  deps: RewindDeps,
): Promise<Unrewound> {
  let undone: Unrewound | undefined;
  await session.dispatch(async (tx) => {
    const row = await needOpenSession(tx, session.id);
    refuseUnlessFree(session.state());
    const marks = marksOf(row);
    const mark = rewind_id === undefined ? marks.at(-1) : marks.find(({ id }) => id === rewind_id);
    if (mark === undefined) throw TurnError.make("no-rewind", { id: rewind_id ?? null });
    const first = await nextAfterBase(tx, mark);
    const swap = { id: idOf(deps), first: first ?? "" };
    const at = deps.now();
    const order = { session_id: session.id, rewind_id: mark.id, swap_id: swap.id, at };
    const shown = await tx.messages.unrewind(order);
    const left = marks.filter(({ id }) => id !== mark.id);
    await keep(tx, row, first === undefined ? left : [...left, swap], at);
    // Rows stand in its middle that it has never seen.
    deps.transcripts.forget(session.id);
    undone = { rewind_id: first === undefined ? null : swap.id, shown };
    return restingAfter(session.state(), await isHidden(tx, session));
  });
  return made(undone);
}

/** Nothing when there was nothing to hide. */
async function goBack(
  tx: Tables,
  row: SessionRow,
  to: { readonly message_id: MessageId; readonly inclusive: boolean },
  deps: RewindDeps,
): Promise<RewindMark | undefined> {
  const id = idOf(deps);
  const at = deps.now();
  const { message_id: to_message_id, inclusive } = to;
  const hidden = await tx.messages.rewind({ id, session_id: row.id, to_message_id, inclusive, at });
  deps.transcripts.cut(row.id, hidden);
  const [first] = hidden;
  if (first === undefined) return undefined;
  const mark = { id, first };
  await keep(tx, row, [...marksOf(row), mark], at);
  return mark;
}

const idOf = ({ mint }: RewindDeps): string => `rewind_${mint("turn").replace(/^turn_/, "")}`;

async function keep(
  tx: Tables,
  { id }: SessionRow,
  marks: readonly RewindMark[],
  at: number,
): Promise<void> {
  const rewinds = marks.length === 0 ? undefined : marks.slice(-MOST_REWINDS);
  await tx.sessions.patch(id, { metadata: { [REWINDS]: rewinds }, at });
}

/** The first message of the branch that the undoing hides. */
async function nextAfterBase(tx: Tables, { first }: RewindMark): Promise<MessageId | undefined> {
  const found = await tx.messages.get(first);
  if (found === undefined) return undefined;
  const { session_id, hidden_base } = found.message;
  const base = hidden_base === null ? undefined : await tx.messages.get(hidden_base);
  const rows = await tx.messages.history(session_id, { after_seq: base?.message.seq ?? 0 });
  return rows[0]?.message.id;
}

/** A visible message that a person sent and a model was given. */
async function needSent(
  tx: Tables,
  session: LiveSession,
  id: MessageId,
): Promise<MessageWithParts> {
  const found = await tx.messages.get(id);
  if (found?.message.session_id !== session.id) throw TurnError.make("no-message", { id });
  const { role, seq, hidden_at, disposition, queue_order } = found.message;
  if (queue_order !== null) throw TurnError.make("still-queued", { id });
  if (seq === null || hidden_at !== null) throw TurnError.make("no-message", { id });
  if (role !== "user" || disposition === "settled") throw TurnError.make("not-sent", { id });
  return found;
}

/** A turn that waits for a person has the slot too: its answer is not over. */
export function refuseUnlessFree(state: RunState): void {
  if (!mayFork(state)) throw TurnError.make("busy", { what: state.lease ?? state.phase.status });
}

async function isHidden(tx: Tables, session: LiveSession): Promise<boolean> {
  const { phase } = session.state();
  if (phase.status !== "error" || phase.message_id === null) return false;
  const failed = await tx.messages.get(phase.message_id);
  return failed !== undefined && failed.message.hidden_at !== null;
}

/**
 * A failure whose message is out of sight is over. Where others wait behind it they go on waiting: a
 * person who goes back to change a message wants that one sent first.
 */
function restingAfter({ queue, stop_policy }: RunState, isFailureHidden: boolean): Happening {
  if (isFailureHidden && queue.length === 0) return { type: "resumed" };
  // An event that changes nothing.
  return { type: "policy-changed", stop_policy };
}

export function firedBy({ effects }: Step): MessageId {
  const fired = effects.find((effect) => effect.type === "fire");
  if (fired === undefined) throw new TypeError("a retry fires, or is refused");
  return fired.message_id;
}

function made<T>(result: T | undefined): T {
  if (result === undefined) throw new TypeError("a transaction that resolved ran its work");
  return result;
}

/** What another program wrote there is no rewind of ours. */
function marksOf({ metadata_json }: SessionRow): readonly RewindMark[] {
  const found = (JSON.parse(metadata_json) as Readonly<Record<string, unknown>>)[REWINDS];
  return Array.isArray(found) ? found.filter(isMark) : [];
}

function isMark(value: unknown): value is RewindMark {
  const { id, first } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return typeof id === "string" && typeof first === "string";
}
