/**
 * All sessions of a process. A session comes alive when something is asked of it, or at the start
 * when a dead process left something to be done; looking at one that sleeps reads its rows and wakes
 * nothing.
 */
import type { SessionId, SessionRow, SessionStatus } from "@galley/parts";
import { mayArchive, queueOf, type RunState, stateOf, statusOf } from "@galley/queue";
import { closeRuns } from "./close-runs.ts";
import type { TurnDeps } from "./deps.ts";
import { createEventBus } from "./event-bus.ts";
import { fork, promote, refuseReserved } from "./fork.ts";
import type { LiveSessions, NewLiveSession } from "./live.ts";
import { type LiveSession, openLiveSession, type SessionContext } from "./live-session.ts";
import { rewindToEdit, rewindToResend, unrewind } from "./rewind.ts";
import type { SegmentMakers } from "./segment-run.ts";
import { answer, dismiss } from "./session-answers.ts";
import { cancel, edit, move, resume, retry, submit } from "./session-requests.ts";
import { loadRun, needSession } from "./session-rows.ts";
import { createTranscripts } from "./transcript.ts";
import { TurnError } from "./turn-error.ts";
import { wakeAll } from "./wake-all.ts";

export function liveSessions(deps: TurnDeps, makers: SegmentMakers): LiveSessions {
  const { store } = deps;
  const bus = createEventBus(deps.report);
  const transcripts = createTranscripts(deps);
  const closed = new AbortController();
  const alive = new Map<SessionId, LiveSession>();
  const opening = new Map<SessionId, Promise<LiveSession>>();
  const leaving = new Set<SessionId>();
  /** Sessions that the store keeps from being woken, and why. */
  const asleep = new Map<SessionId, string>();
  let closing = false;
  const context: SessionContext = {
    deps,
    makers,
    bus,
    transcripts,
    isClosing: () => closing,
    closed: closed.signal,
  };

  const rewinding = { ...deps, transcripts };

  /** Woken once in a process: waking closes what ran in another. */
  async function wake(id: SessionId): Promise<LiveSession> {
    if (leaving.has(id)) throw TurnError.make("no-session", { id });
    const known = alive.get(id) ?? opening.get(id);
    if (known) return known;
    // Waking starts work; what is awake may still be stopped.
    if (closing) throw TurnError.make("closing", {});
    const opened = openLiveSession(id, context);
    opening.set(id, opened);
    try {
      const session = await opened;
      alive.set(id, session);
      return session;
    } finally {
      opening.delete(id);
    }
  }

  async function stateIn(id: SessionId): Promise<RunState> {
    return alive.get(id)?.state() ?? stateOf(await loadRun(store, id));
  }

  async function archive(id: SessionId, archived: boolean): Promise<SessionRow> {
    const session = await wake(id);
    return session.inLine(async (tx) => {
      await needSession(tx, id);
      if (archived) refuseToArchive(session.state());
      return tx.sessions.archive(id, archived ? deps.now() : null);
    });
  }

  async function remove(id: SessionId): Promise<void> {
    const session = await wake(id);
    leaving.add(id);
    try {
      while (!(await session.remove())) await stopped(session);
      alive.delete(id);
      transcripts.forget(id);
      bus.publish({ type: "session-deleted", session_id: id, at: deps.now() });
    } finally {
      leaving.delete(id);
    }
  }

  async function status(id: SessionId): Promise<SessionStatus> {
    const awake = alive.get(id);
    if (awake) return awake.status();
    const shown = statusOf(await stateIn(id));
    const message = asleep.get(id);
    return message === undefined ? shown : { ...shown, state: "error", message };
  }

  async function start(): Promise<void> {
    const left = [...(await store.queue.sessions()), ...(await store.sessions.marked("run"))];
    await wakeAll([...new Set(left)], {
      wake,
      closed: closed.signal,
      report: deps.report,
      waits: (id, why) => asleep.set(id, why),
      woken(id) {
        asleep.delete(id);
        // One that cannot be read has been reported; it has no status to tell of.
        const now = alive.get(id)?.status();
        if (now)
          bus.publish({ type: "status-changed", session_id: id, at: deps.now(), status: now });
      },
    });
  }

  return {
    create: (session) => create(deps, session),
    async submit(id, submission) {
      if (closing) throw TurnError.make("closing", {});
      return submit(await wake(id), deps, submission);
    },
    cancel: async (id, message_id) => cancel(await wake(id), message_id),
    edit: async (id, message_id, parts) => edit(await wake(id), deps, message_id, parts),
    move: async (id, message_id, place) => move(await wake(id), deps, message_id, place),
    async queue(id) {
      const { paused, stop_policy } = queueOf(await stateIn(id));
      return { entries: await store.queue.list(id), paused, stop_policy };
    },
    status,
    async abort(id, options) {
      const session = await wake(id);
      await session.dispatch({ type: "stopped", clear_queue: options?.clear_queue ?? null });
    },
    retry: async (id) => retry(await wake(id)),
    resend: async (id, message_id) => rewindToResend(await wake(id), message_id, rewinding),
    async rewind(id, message_id, mode) {
      const rewind = mode === "resend" ? rewindToResend : rewindToEdit;
      return rewind(await wake(id), message_id, rewinding);
    },
    unrewind: async (id, rewind_id) => unrewind(await wake(id), rewind_id, rewinding),
    fork: async (id, order) => fork(await wake(id), order, deps),
    promote: async (id) => promote(await wake(id), deps),
    resume: async (id) => resume(await wake(id)),
    answer: async (id, said) => answer(await wake(id), deps, said),
    dismiss: async (id, tool_call_id) => dismiss(await wake(id), tool_call_id),
    async setStopPolicy(id, stop_policy) {
      await (await wake(id)).dispatch({ type: "policy-changed", stop_policy });
    },
    archive,
    delete: remove,
    live: (id) => alive.get(id)?.running()?.live,
    listen: bus.listen,
    start,
    async close(grace_ms) {
      closing = true;
      await Promise.allSettled(opening.values());
      await closeRuns(() => running(alive), grace_ms, closed, deps.report);
    },
  };
}

const running = (alive: ReadonlyMap<SessionId, LiveSession>) =>
  [...alive.values()].flatMap((session) => session.running() ?? []);

async function create(
  { store, mint, now }: TurnDeps,
  session: NewLiveSession,
): Promise<SessionRow> {
  const { id = mint("ses"), agent = "default", workspace, model, title, metadata = {} } = session;
  refuseReserved(metadata);
  return store.sessions.create({
    id,
    agent,
    title: title ?? null,
    workspace_root: workspace ?? null,
    model_json: model === undefined ? null : JSON.stringify(model),
    metadata_json: JSON.stringify(metadata),
    at: now(),
  });
}

/** Queued messages would never fire, and nobody would see them wait. */
function refuseToArchive(state: RunState): void {
  if (mayArchive(state)) return;
  if (state.queue.length > 0) throw TurnError.make("has-queue", { count: state.queue.length });
  throw TurnError.make("busy", { what: state.lease ?? state.phase.status });
}

async function stopped(session: LiveSession): Promise<void> {
  await session.dispatch({ type: "stopped", clear_queue: true }).catch(unlessIdle);
  await session.running()?.done;
}

/** It came to its end before it was told. */
function unlessIdle(error: unknown): void {
  if (!TurnError.is(error, "nothing-running")) throw error;
}
