/**
 * One session alive: its run state on its rows, and the segment that runs. It wires and decides
 * nothing: what happens next is the run state's, what is said is the turn's.
 */
import type { SessionId, SessionStatus } from "@galley/parts";
import type { Tables } from "@galley/persist";
import {
  type Cause,
  driveSession,
  type Happening,
  type Interaction,
  type OutsideEffect,
  type RowEffect,
  type RunState,
  type Step,
  statusOf,
} from "@galley/queue";
import type { TurnDeps } from "./deps.ts";
import type { EventBus } from "./event-bus.ts";
import type { Claim, SegmentEnd } from "./recording.ts";
import { done } from "./refusal.ts";
import {
  askedBy,
  type BackOff,
  happeningOf,
  type SegmentMakers,
  type SegmentRun,
  startSegment,
} from "./segment-run.ts";
import { type Claimed, createRowWriter, loadRun } from "./session-rows.ts";
import type { Draft } from "./submission.ts";
import type { Transcripts } from "./transcript.ts";
import { TurnError } from "./turn-error.ts";

export type SessionContext = {
  readonly deps: TurnDeps;
  readonly makers: SegmentMakers;
  readonly bus: EventBus;
  readonly transcripts: Transcripts;
  /** Nothing new begins. */
  isClosing(): boolean;
  /** Nothing is told any more. */
  readonly closed: AbortSignal;
};

export interface LiveSession {
  readonly id: SessionId;
  state(): RunState;
  /** With the trouble of its record, if there is any. */
  status(): SessionStatus;
  running(): SegmentRun | undefined;
  /** Throws what the run state refuses, as a `turn.*` error. */
  dispatch(cause: Cause<Tables>): Promise<Step>;
  /** Work of the caller's own in the session's line, without an event. */
  inLine<T>(work: (tx: Tables) => Promise<T>): Promise<T>;
  /** A new message whose row is written by the event that brings it. */
  hold(draft: Draft): void;
  /** Deletes the rows if nothing runs; whoever stands in line behind it finds no session any more. */
  remove(): Promise<boolean>;
}

export async function openLiveSession(
  id: SessionId,
  context: SessionContext,
): Promise<LiveSession> {
  const { deps, bus, transcripts } = context;
  const drafts = new Map<string, Draft>();
  const claims = new Map<string, Claimed>();
  let asked: readonly Interaction[] = [];
  let settled = false;
  let removed = false;
  let run: SegmentRun | undefined;
  let lastTurn = 0;

  const rows = createRowWriter({
    session_id: id,
    deps,
    takeDraft(message_id) {
      const draft = drafts.get(message_id);
      drafts.delete(message_id);
      return draft;
    },
    isClosing: context.isClosing,
    claimed: (claimed) => claims.set(nameOf(claimed.claim), claimed),
    lastTurn: () => lastTurn,
    asked: () => asked,
    hidden: (ids) => transcripts.cut(id, ids),
  });

  function start(effect: Extract<OutsideEffect, { type: "fire" | "continue" }>): void {
    const claimed = claims.get(nameOf(effect));
    if (claimed === undefined) throw TurnError.make("row-changed", { id, wants: "claimed" });
    const { claim, model } = claimed;
    lastTurn = Math.max(lastTurn, claim.turn ?? 0);
    const started = startSegment(claim, {
      ...context,
      transcript: transcripts.of(claim.session),
      model,
      tell: (end) => tell(claim, end),
      report,
      announce: bus.publish,
      troubled: publishStatus,
    });
    run = started;
    void started.done.then(() => {
      if (run === started) run = undefined;
    });
  }

  async function tell(claim: Claim, end: SegmentEnd): Promise<void> {
    const { turn_id, segment } = claim;
    const { phase } = (await driving).state();
    // The back-off was over and could not be told.
    if (phase.status === "retrying") await dispatch({ type: "retry-due", turn_id, segment });
    await dispatch(async () => {
      asked = askedBy(end);
      return happeningOf(end, claim);
    });
  }

  /** A back-off is only shown: where it cannot be told, the turn goes on. */
  async function report(happening: BackOff): Promise<void> {
    await dispatch(happening).catch(deps.report);
  }

  function perform(effect: OutsideEffect): void {
    switch (effect.type) {
      case "fire":
      case "continue":
        start(effect);
        return;
      case "abort-turn":
        run?.abort();
        return;
      case "start-compaction":
        throw TurnError.make("not-built", { what: "compaction" });
      case "abort-compaction":
        return;
      case "publish-event":
      case "publish-status":
      case "publish-queue":
        bus.publish(effect.event);
    }
  }

  function status(): SessionStatus {
    const shown = statusOf(driven.state());
    const message = run?.trouble();
    return message === undefined ? shown : { ...shown, state: "error", message };
  }

  function publishStatus(): void {
    bus.publish({ type: "status-changed", session_id: id, at: deps.now(), status: status() });
  }

  async function dispatch(cause: Cause<Tables>): Promise<Step> {
    // A turn that a start fires may end before the start is over.
    return done(await (await driving).dispatch(cause));
  }

  async function inLine<T>(work: (tx: Tables) => Promise<T>): Promise<T> {
    let result: { readonly value: T } | undefined;
    await dispatch(async (tx): Promise<Happening> => {
      result = { value: await work(tx) };
      // An event that changes nothing.
      return { type: "policy-changed", stop_policy: driven.state().stop_policy };
    });
    if (result === undefined) throw new TypeError("a transaction that resolved ran its work");
    return result.value;
  }

  async function remove(): Promise<boolean> {
    let isMine = false;
    try {
      return await inLine(async (tx) => {
        const { status } = driven.state().phase;
        if (status !== "idle" && status !== "error") return false;
        await tx.sessions.delete(id);
        removed = true;
        isMine = true;
        return true;
      });
    } catch (error) {
      // It was undone; what another call deleted stays deleted.
      if (isMine) removed = false;
      throw error;
    }
  }

  async function transact<R>(work: (tx: Tables) => Promise<R>): Promise<R> {
    // A new session may have the same id by now: its rows are not ours.
    if (removed) throw TurnError.make("no-session", { id });
    drafts.clear();
    claims.clear();
    settled = false;
    return deps.store.transact(async (tx) => {
      const result = await work(tx);
      if (settled) await rows.sweep(tx, deps.now());
      return result;
    });
  }

  function write(tx: Tables, effect: RowEffect): Promise<void> {
    settled ||= effect.type === "settle-interaction";
    return rows.write(tx, effect);
  }

  const driving = driveSession<Tables>({
    transact,
    write,
    load: (tx) => loadRun(tx, id),
    perform,
    failed: (_effect, error) => deps.report(error),
    stamp: () => ({ at: deps.now(), next_turn_id: deps.mint("turn") }),
  });
  const driven = await driving;

  return {
    id,
    state: driven.state,
    status,
    running: () => run,
    dispatch,
    inLine,
    hold: (draft) => drafts.set(draft.id, draft),
    remove,
  };
}

const nameOf = ({ turn_id, segment }: { readonly turn_id: string; readonly segment: number }) =>
  `${turn_id}.${segment}`;
