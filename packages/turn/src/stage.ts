/**
 * Sessions on a real store with turns that a test plays by hand: each segment that starts is an act,
 * and the test says what it says and how it ends. For tests.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { DEFAULT_LOAD_POLICY, type Loader } from "@galley/assemble";
import type { HostEvent, MessageId, UiChunk, UserPart } from "@galley/parts";
import { openSqliteStore, type Store } from "@galley/persist";
import { DEFAULT_TURN_LIMITS, type TurnDeps } from "./deps.ts";
import type { LiveSessions, Submission, Submitted } from "./live.ts";
import { liveSessions } from "./live-sessions.ts";
import { createLiveTurn } from "./live-turn.ts";
import { createRecorder } from "./recorder.ts";
import type { Claim, SegmentEnd } from "./recording.ts";
import type { SegmentParts } from "./segment-run.ts";
import { NO_TOOLS } from "./tool.ts";
import { NO_TRACE } from "./trace.ts";

export const SESSION = "ses_main";
export const DEFAULT_MODEL = { provider_id: "test", model_id: "small" };

export type Act = {
  readonly claim: Claim;
  readonly parts: SegmentParts;
  take(...chunks: UiChunk[]): void;
  say(text: string): void;
  /** Ends the record, then the segment. */
  end(end: SegmentEnd): Promise<void>;
};

export interface Stage {
  readonly sessions: LiveSessions;
  readonly store: Store;
  readonly deps: TurnDeps;
  readonly acts: readonly Act[];
  readonly events: readonly HostEvent[];
  readonly reports: readonly unknown[];
  /** The act of this number (from 0), as soon as it begins. */
  act(number: number): Promise<Act>;
  submit(text: string, over?: Partial<Submission>): Promise<Submitted>;
}

export type StageOptions = {
  readonly path?: string;
  readonly deps?: Partial<TurnDeps>;
  wrap?(store: Store): Store;
};

export function scratchPath(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "galley-turn-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "galley.db");
}

export const NO_FILES: Loader = {
  read: async () => ({ kind: "unavailable", reason: "no files here" }),
  readRange: async () => ({ kind: "unavailable", reason: "no files here" }),
  directoryProblem: async () => "no files here",
};

/** Counted, never read off a clock; a second host on the same file goes on with other ids. */
let count = 0;

export function stageDeps(store: Store, over: Partial<TurnDeps> = {}): TurnDeps {
  return {
    store,
    models: { open: () => Promise.reject(new Error("no models here")) },
    tools: NO_TOOLS,
    surroundings: {
      layers: async () => [],
      loader: () => NO_FILES,
      loadPolicy: async () => DEFAULT_LOAD_POLICY,
      defaultModel: () => DEFAULT_MODEL,
    },
    limits: DEFAULT_TURN_LIMITS,
    tracer: NO_TRACE,
    now: () => ++count,
    mint: (prefix) => `${prefix}_${String(++count).padStart(8, "0")}`,
    chance: () => 0,
    report: () => {},
    ...over,
  };
}

export async function openStage(context: TestContext, options: StageOptions = {}): Promise<Stage> {
  const opened = await openSqliteStore({ path: options.path ?? ":memory:", sync: "normal" });
  context.after(() => opened.close());
  const store = options.wrap?.(opened) ?? opened;
  const acts: Act[] = [];
  const events: HostEvent[] = [];
  const reports: unknown[] = [];
  const deps = stageDeps(store, { report: (error) => reports.push(error), ...options.deps });

  function runTurn(claim: Claim, _: TurnDeps, parts: SegmentParts): Promise<SegmentEnd> {
    const { promise, resolve } = Promise.withResolvers<SegmentEnd>();
    acts.push(actOf(claim, parts, resolve));
    return promise;
  }

  const sessions = liveSessions(deps, { runTurn, createRecorder, createLiveTurn });
  sessions.listen((event) => events.push(event));
  if (!(await store.sessions.get(SESSION))) await sessions.create({ id: SESSION });

  async function act(number: number): Promise<Act> {
    for (;;) {
      const found = acts[number];
      if (found) return found;
      await nextTurn();
    }
  }

  return {
    sessions,
    store,
    deps,
    acts,
    events,
    reports,
    act,
    submit: (text, over) => sessions.submit(SESSION, { ...message(text), ...over }),
  };
}

export const message = (text: string, id?: MessageId): Submission =>
  withParts([{ type: "text", text }], id);

export const withParts = (parts: UserPart[], id?: MessageId): Submission => ({
  message: { role: "user", parts, ...(id !== undefined && { id }) },
});

const REASONS = {
  finished: "finish",
  aborted: "abort",
  blocked: "blocked",
  failed: "error",
} as const;

function actOf(claim: Claim, parts: SegmentParts, resolve: (end: SegmentEnd) => void): Act {
  let blocks = 0;
  const take = (...chunks: UiChunk[]) => parts.recorder.take(chunks);
  return {
    claim,
    parts,
    take,
    say(text) {
      const id = `txt_${++blocks}`;
      take({ type: "text-start", id }, { type: "text-delta", id, delta: text });
    },
    async end(end) {
      await parts.recorder.end(REASONS[end.type]);
      resolve(end);
      // The run state is told in the session's own line: whoever asks next stands behind it.
      await nextTurn();
    },
  };
}

/** The texts of the conversation as it can be seen, one string a message. */
export async function shown(store: Store, session = SESSION): Promise<string[]> {
  const rows = await store.messages.history(session);
  return rows.map(({ parts }) =>
    parts.map(({ data_json }) => (JSON.parse(data_json) as { text?: string }).text ?? "").join(""),
  );
}
