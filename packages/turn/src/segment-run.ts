/**
 * A committed claim at work: the segment runs, its listeners and its record are made here, and how it
 * ended is told to the run state. A store that takes nothing for a while delays the telling and loses
 * nothing: it is tried again until it is heard or the host closes.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type HostEvent, isGalleyError, type ModelChoice, type PartRow } from "@galley/parts";
import type { Happening, Interaction } from "@galley/queue";
import type { TurnDeps } from "./deps.ts";
import { FIRST_PAUSE_MS, isOutage, longer } from "./outage.ts";
import type { Claim, Recorder, SegmentEnd, Transcript, WritableLiveTurn } from "./recording.ts";
import { TurnError } from "./turn-error.ts";

export type SegmentParts = {
  readonly transcript: Transcript;
  readonly live: WritableLiveTurn;
  readonly recorder: Recorder;
  readonly signal: AbortSignal;
  /** A back-off that begins or is over. */
  report(happening: BackOff): Promise<void>;
  /** Rings the bell of the host, for example when a manifest is stored. */
  announce(event: HostEvent): void;
};

export type BackOff = Extract<Happening, { readonly type: "retry-scheduled" | "retry-due" }>;

/** What a segment is made of; a test brings its own. */
export type SegmentMakers = {
  runTurn(claim: Claim, deps: TurnDeps, parts: SegmentParts): Promise<SegmentEnd>;
  createRecorder(input: {
    readonly claim: Claim;
    readonly deps: Pick<TurnDeps, "store" | "now" | "mint" | "limits" | "report">;
    readonly live: WritableLiveTurn;
    readonly metadata: Readonly<Record<string, unknown>>;
    readonly parts?: readonly PartRow[];
    readonly troubled?: () => void;
  }): Recorder;
  createLiveTurn(input: {
    readonly turn_id: string;
    readonly segment: number;
    readonly message_id: string;
    report(error: unknown): void;
  }): WritableLiveTurn;
};

export type SegmentContext = {
  readonly deps: TurnDeps;
  readonly makers: SegmentMakers;
  readonly transcript: Transcript;
  readonly model: ModelChoice | undefined;
  /** Aborted when the host is closed: nothing is told any more. */
  readonly closed: AbortSignal;
  tell(end: SegmentEnd): Promise<void>;
  report(happening: BackOff): Promise<void>;
  announce(event: HostEvent): void;
  /** The status has another face, for the time being. */
  troubled(): void;
};

export interface SegmentRun {
  readonly claim: Claim;
  readonly live: WritableLiveTurn;
  /** Resolves when it is over and told, or will not be told; never rejects. */
  readonly done: Promise<void>;
  abort(): void;
  /** Why its record or its end is not stored at present. */
  trouble(): string | undefined;
  flush(signal: AbortSignal): Promise<void>;
}

export function startSegment(claim: Claim, context: SegmentContext): SegmentRun {
  const { deps, makers, closed } = context;
  const { turn_id, segment, message_id } = claim;
  const controller = new AbortController();
  const live = makers.createLiveTurn({ turn_id, segment, message_id, report: deps.report });
  let recorder: Recorder | undefined;
  let trouble: string | undefined;

  async function record(): Promise<Recorder> {
    const input = { claim, deps, live, troubled: context.troubled };
    const { model } = context;
    const metadata = { in_reply_to: message_id, turn_id, ...(model && { model }) };
    if (segment === 0) return makers.createRecorder({ ...input, metadata });
    const answer = await persistently(() => deps.store.messages.get(claim.answer_id));
    return makers.createRecorder({ ...input, metadata, ...(answer && { parts: answer.parts }) });
  }

  async function run(): Promise<SegmentEnd> {
    try {
      recorder = await record();
      const { transcript, report, announce } = context;
      const { signal } = controller;
      const parts = { transcript, live, recorder, signal, report, announce };
      return await makers.runTurn(claim, deps, parts);
    } catch (error) {
      // A segment ends by a value; what it throws is a bug, and the session goes on all the same.
      if (!closed.aborted) deps.report(error);
      return { type: "failed", message: sentenceOf(error) };
    }
  }

  /** Again and again while the store takes nothing; rejects with anything else. */
  async function persistently<T>(work: () => Promise<T>): Promise<T> {
    for (let pause = FIRST_PAUSE_MS; ; pause = longer(pause)) {
      try {
        const result = await work();
        const isShown = trouble !== undefined && recorder === undefined;
        trouble = undefined;
        // An end that is told shows its own status.
        if (isShown) context.troubled();
        return result;
      } catch (error) {
        if (!isOutage(error) || closed.aborted) throw error;
        if (trouble === undefined) deps.report(error);
        setTrouble(sentenceOf(error));
      }
      await sleep(pause, undefined, { signal: closed });
    }
  }

  function setTrouble(sentence: string): void {
    if (trouble === sentence) return;
    trouble = sentence;
    // Nothing more will be said, and those who listen need not wait for a disk.
    if (recorder !== undefined) live.end();
    context.troubled();
  }

  async function tell(end: SegmentEnd): Promise<void> {
    if (closed.aborted) return;
    try {
      await persistently(() => context.tell(end));
    } catch (error) {
      if (closed.aborted || TurnError.is(error, "closing")) return;
      deps.report(error);
      // A report that does not fit is a bug; a turn that is over must not hang because of one.
      const message = sentenceOf(error);
      await persistently(() => context.tell({ type: "failed", message })).catch(deps.report);
    }
  }

  // Begun after this returns: whoever starts a segment knows it before it does anything.
  const done = Promise.resolve().then(run).then(tell).catch(deps.report);
  return {
    claim,
    live,
    done: done.finally(() => live.end()),
    abort: () => controller.abort(),
    trouble: () => trouble ?? recorder?.trouble(),
    flush: async (signal) => recorder?.flush(signal),
  };
}

export function happeningOf(end: SegmentEnd, { turn_id, segment }: Claim): Happening {
  switch (end.type) {
    case "finished":
      return { type: "turn-finished", reason: "finish", turn_id, segment };
    case "aborted":
      return { type: "turn-finished", reason: "abort", turn_id, segment };
    case "blocked":
      return { type: "turn-blocked", open: end.open, turn_id, segment };
    case "failed":
      return { type: "turn-failed", message: end.message, turn_id, segment };
  }
}

export const askedBy = (end: SegmentEnd): readonly Interaction[] =>
  end.type === "blocked" ? end.open : [];

const sentenceOf = (error: unknown): string =>
  isGalleyError(error) ? error.message : `something unexpected happened: ${textOf(error)}`;

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
