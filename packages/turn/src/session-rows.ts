/**
 * The run of one session as rows: what a start finds, and what each effect of the run state writes.
 * Every write is conditional; one that finds another row than it takes it for undoes the whole step.
 *
 * A run is marked on the session's row. The mark of a turn that waits for nobody any more, and does
 * not run, is taken away in the same transaction.
 */
import type { ModelChoice, SessionId, SessionRow, UserPart } from "@galley/parts";
import type { MessageWithParts, Tables } from "@galley/persist";
import type { Interaction, QueueEntry, RowEffect, StoredRun } from "@galley/queue";
import type { TurnDeps } from "./deps.ts";
import { cutOff, dismissed, openCalls, RESTARTED, waitOf } from "./human-wait.ts";
import type { Claim } from "./recording.ts";
import { marksOf, type RunMark } from "./run-mark.ts";
import { admitDraft, type Draft, titleOf } from "./submission.ts";
import { TurnError } from "./turn-error.ts";

type EffectOf<T extends RowEffect["type"]> = Extract<RowEffect, { readonly type: T }>;

/** What a committed claim was made with. */
export type Claimed = { readonly claim: Claim; readonly model: ModelChoice | undefined };

export type RowsContext = {
  readonly session_id: SessionId;
  readonly deps: Pick<TurnDeps, "mint" | "now" | "fence">;
  /** A new message that the event brought, until it has a row. */
  takeDraft(id: string): Draft | undefined;
  /** Nothing begins any more: the claim is refused, and the step with it. */
  isClosing(): boolean;
  claimed(claimed: Claimed): void;
  /** The highest number of a turn that began in this process: it may have no record yet. */
  lastTurn(): number;
  /** What the turn that is being blocked asks. */
  asked(): readonly Interaction[];
  /** A rewind hides these. */
  hidden(ids: readonly string[]): void;
};

export async function needSession(
  tx: Pick<Tables, "sessions">,
  id: SessionId,
): Promise<SessionRow> {
  const session = await tx.sessions.get(id);
  if (session === undefined) throw TurnError.make("no-session", { id });
  return session;
}

/** One that takes messages. */
export async function needOpenSession(
  tx: Pick<Tables, "sessions">,
  id: SessionId,
): Promise<SessionRow> {
  const session = await needSession(tx, id);
  if (session.archived_at !== null) throw TurnError.make("archived", { id });
  return session;
}

export async function loadRun(tx: Tables, session_id: SessionId): Promise<StoredRun> {
  const { run, pause, stop_policy } = marksOf(await needSession(tx, session_id));
  const queued = (await tx.queue.list(session_id)).map(entryOf);
  const stored = { session_id, stop_policy, queued, pause };
  if (run === null) return { ...stored, turn: null, open: [], answered: [] };
  const { turn_id, message_id, segment, started_at, running, answered } = run;
  const open = openCalls(await tx.messages.get(run.answer_id), run);
  const turn = { turn_id, message_id, segment, started_at, running };
  return { ...stored, turn, open, answered };
}

/** The store's own order is the key: clocks do not decide it. */
function entryOf({ message }: MessageWithParts): QueueEntry {
  const { trigger } = JSON.parse(message.metadata_json) as { trigger?: unknown };
  return {
    id: message.id,
    origin: trigger === undefined ? "human" : "trigger",
    queued_at: message.queue_order ?? 0,
  };
}

export function createRowWriter(context: RowsContext) {
  const { session_id } = context;

  const session = (tx: Tables) => needSession(tx, session_id);

  function patch(tx: Tables, metadata: Readonly<Record<string, unknown>>, at: number) {
    return tx.sessions.patch(session_id, { metadata, at });
  }

  async function marked(tx: Tables, turn_id: string): Promise<RunMark> {
    const { run } = marksOf(await session(tx));
    return run?.turn_id === turn_id ? run : gone(turn_id, "the turn of this session");
  }

  async function fire(tx: Tables, effect: EffectOf<"fire">): Promise<void> {
    if (context.isClosing()) throw TurnError.make("closing", {});
    await context.deps.fence?.(tx);
    const { message_id, turn_id, segment, at } = effect;
    const { run: before } = marksOf(await session(tx));
    if (before?.running) gone(before.turn_id, "over");
    // Its last wait was dismissed in this same step.
    if (before) await endAnswer(tx, before, "abort", at);
    const fired = await enter(tx, effect);
    const answer_id = context.deps.mint("msg");
    const last = Math.max(await tx.manifests.lastTurn(session_id), context.lastTurn());
    const turn = { turn_id, message_id, answer_id, turn: last + 1, segment };
    const run: RunMark = { ...turn, started_at: at, running: true, open: [], answered: [] };
    const title = (await session(tx)).title === null ? titleOf(fired.parts) : undefined;
    const row = await tx.sessions.patch(session_id, {
      metadata: { run },
      ...(title !== undefined && { title }),
      at,
    });
    context.claimed({ claim: { session: row, ...turn }, model: fired.model });
  }

  /** A new message, the next of the queue, or one that is answered again. */
  async function enter(tx: Tables, { message_id, turn_id, at }: EffectOf<"fire">): Promise<Fired> {
    const draft = context.takeDraft(message_id);
    if (draft !== undefined) {
      await admitDraft(tx, context.deps, await session(tx), draft, "fired", at);
      return { parts: draft.parts, model: modelIn(draft.metadata_json) };
    }
    const known = await tx.messages.get(message_id);
    if (known === undefined) return gone(message_id, "a message of this session");
    if (known.message.queue_order !== null) {
      const fired = await tx.queue.fire(message_id, at);
      if (fired === undefined) return gone(message_id, "queued");
    } else {
      if (known.message.seq === null) return gone(message_id, "queued");
      const order = { id: `rewind_${turn_id}`, session_id, to_message_id: message_id };
      context.hidden(await tx.messages.rewind({ ...order, inclusive: false, at }));
    }
    const parts = known.parts.map(({ data_json }) => JSON.parse(data_json) as UserPart);
    return { parts, model: modelIn(known.message.metadata_json) };
  }

  async function goOn(tx: Tables, effect: EffectOf<"continue">): Promise<void> {
    if (context.isClosing()) throw TurnError.make("closing", {});
    await context.deps.fence?.(tx);
    const { turn_id, segment, at } = effect;
    const before = await marked(tx, turn_id);
    if (before.running) gone(turn_id, "waiting");
    const parts_before = (await tx.messages.get(before.answer_id))?.parts.length ?? 0;
    const turn = { ...before, segment, started_at: at, parts_before, running: true };
    const row = await patch(tx, { run: { ...turn, open: [], answered: [] } }, at);
    const { message_id, answer_id, turn: number } = before;
    const known = { turn_id, segment, message_id, answer_id };
    const claim = { session: row, ...known, ...(number !== undefined && { turn: number }) };
    context.claimed({ claim, model: undefined });
  }

  async function enqueue(tx: Tables, { entry }: EffectOf<"persist-queued">): Promise<void> {
    const draft = context.takeDraft(entry.id);
    if (draft === undefined) gone(entry.id, "new");
    else await admitDraft(tx, context.deps, await session(tx), draft, "queued", context.deps.now());
  }

  async function close(tx: Tables, effect: EffectOf<"close-turn">): Promise<void> {
    const { turn_id, segment, ending, at } = effect;
    // A turn that ends must end: where its mark was taken away, nothing is left to close.
    if (marksOf(await session(tx)).run === null) return;
    const run = await marked(tx, turn_id);
    if (!run.running || run.segment !== segment) gone(turn_id, `running segment ${segment}`);
    if (ending === "blocked") {
      await patch(tx, { run: { ...run, running: false, open: context.asked() } }, at);
    } else if (ending === "restart") await closeDead(tx, run, at);
    else {
      if (ending !== "finish") await endAnswer(tx, run, ending, at);
      await patch(tx, { run: undefined }, at);
    }
  }

  async function closeDead(tx: Tables, run: RunMark, at: number): Promise<void> {
    const answer = await tx.messages.get(run.answer_id);
    const open = openCalls(answer, run);
    if (answer) await tx.parts.upsert(cutOff(answer, open, at));
    else await beginAnswer(tx, run, at);
    if (open.length === 0) await endAnswer(tx, run, "error", at, { error: RESTARTED });
    const rest = open.length > 0 ? { ...run, running: false, open } : undefined;
    await patch(tx, { run: rest }, at);
  }

  /** Nothing was said yet. A message without an answer would look as if nobody had asked. */
  async function beginAnswer(tx: Tables, run: RunMark, at: number): Promise<void> {
    const { message_id, turn_id, answer_id: id } = run;
    const asked = await tx.messages.get(message_id);
    const model = asked && modelIn(asked.message.metadata_json);
    const metadata = { in_reply_to: message_id, turn_id, ...(model && { model }) };
    const metadata_json = JSON.stringify(metadata);
    await tx.messages.begin({ id, session_id, role: "assistant", metadata_json, at });
  }

  async function settle(tx: Tables, effect: EffectOf<"settle-interaction">): Promise<void> {
    const { tool_call_id, how, at } = effect;
    const { run } = marksOf(await session(tx));
    if (how === "dismissed") {
      // Whoever stops a turn must be able to: where nothing waits any more, nothing is left to end.
      const wait = waitOf(run ? await tx.messages.get(run.answer_id) : undefined, tool_call_id);
      if (wait) await tx.parts.upsert([dismissed(wait, at)]);
      if (run === null) return;
    } else if (run === null) return gone(tool_call_id, "part of a turn");
    const open = run.open.filter((each) => each.tool_call_id !== tool_call_id);
    const answered = how === "answered" ? [...run.answered, tool_call_id] : run.answered;
    await patch(tx, { run: { ...run, open, answered } }, at);
  }

  async function write(tx: Tables, effect: RowEffect): Promise<void> {
    switch (effect.type) {
      case "fire":
        return fire(tx, effect);
      case "continue":
        return goOn(tx, effect);
      case "persist-queued":
        return enqueue(tx, effect);
      case "unqueue": {
        const { message_id, at } = effect;
        if (!(await tx.queue.cancel(message_id, at))) gone(message_id, "queued");
        return;
      }
      case "reorder":
        // Whoever asked has moved the row: the keys of the run state follow the store's order.
        return;
      case "close-turn":
        return close(tx, effect);
      case "settle-interaction":
        return settle(tx, effect);
      case "set-pause":
        await patch(tx, { pause: effect.pause }, effect.pause.at);
        return;
      case "clear-pause":
        await patch(tx, { pause: undefined }, context.deps.now());
        return;
      case "set-policy":
        await patch(tx, { stop_policy: effect.stop_policy }, context.deps.now());
    }
  }

  /** After the effects of a step: a turn whose last wait was dismissed is over. */
  async function sweep(tx: Tables, at: number): Promise<void> {
    const row = await tx.sessions.get(session_id);
    const run = row && marksOf(row).run;
    if (!run || run.running || run.open.length > 0) return;
    await endAnswer(tx, run, "abort", at);
    await patch(tx, { run: undefined }, at);
  }

  return { write, sweep };
}

type Fired = { readonly parts: readonly UserPart[]; readonly model: ModelChoice | undefined };

const modelIn = (metadata_json: string): ModelChoice | undefined =>
  (JSON.parse(metadata_json) as { model?: ModelChoice }).model;

/** Undoes the step: the row is not what the run state takes it for. */
function gone(id: string, wants: string): never {
  throw TurnError.make("row-changed", { id, wants });
}

const ENDS = ["finished_at", "aborted_at", "failed_at"];

/** An answer that its recorder could not end, or that waited; one that is ended stays as it is. */
async function endAnswer(
  tx: Tables,
  { answer_id }: RunMark,
  reason: "abort" | "error",
  at: number,
  metadata?: Readonly<Record<string, unknown>>,
): Promise<void> {
  const answer = await tx.messages.get(answer_id);
  if (answer === undefined) return;
  const said = JSON.parse(answer.message.metadata_json) as Readonly<Record<string, unknown>>;
  if (ENDS.some((key) => key in said)) return;
  await tx.messages.end(answer_id, { reason, at, ...(metadata && { metadata }) });
}
