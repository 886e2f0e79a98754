/**
 * One claimed segment of a turn, from its rows to its end. It never throws: whatever happens, the
 * answer is ended with what was said, and the session is told how.
 */
import type { ContextMessage } from "@galley/assemble";
import {
  type HostEvent,
  isGalleyError,
  ModelChoice,
  type SessionRow,
  type UiChunk,
} from "@galley/parts";
import { modelName } from "@galley/shape";
import { budgetOf } from "./context-budget.ts";
import { lastSent, pinsOfTurn } from "./context-memory.ts";
import { readPins } from "./context-pins.ts";
import type { TurnDeps } from "./deps.ts";
import { keepRecord } from "./keep-record.ts";
import { type BackOffReport, type LoopEnd, runSegment, type SegmentInput } from "./loop.ts";
import type { OpenModel } from "./model.ts";
import type { Claim, Recorder, SegmentEnd, Transcript, WritableLiveTurn } from "./recording.ts";
import { systemLayers } from "./system-layers.ts";
import { openSpans, type TurnSpans } from "./turn-spans.ts";
import { unlessStopped } from "./wait.ts";

export type TurnParts = {
  readonly transcript: Transcript;
  readonly live: WritableLiveTurn;
  readonly recorder: Recorder;
  readonly signal: AbortSignal;
  /** The end is given back; only what happens before it is reported. */
  report(happening: BackOffReport): Promise<void>;
  /** Told when a manifest is kept. */
  announce(event: HostEvent): void;
};

export async function runTurn(claim: Claim, deps: TurnDeps, parts: TurnParts): Promise<SegmentEnd> {
  const { recorder, signal } = parts;
  try {
    recorder.take([{ type: "start", messageId: claim.answer_id }]);
    const segment = segmentOf(claim, deps, parts).catch((error: unknown) =>
      signal.aborted ? ABORTED : failureOf(error, deps),
    );
    const end = (await unlessStopped(segment, signal, LONGEST_STOP_MS)) ?? ABORTED;
    recorder.take([lastChunk(end)]);
    await recorder.end(REASONS[end.type], end.type === "failed" ? end.message : undefined);
    return end.type === "finished" ? { type: "finished" } : end;
  } catch (error) {
    // The record itself failed: whatever the segment came to, it is not stored.
    return failureOf(error, deps);
  }
}

/** A stop is heard by everything that waits; this is for what a host hangs in all the same. */
const LONGEST_STOP_MS = 5_000;

/** What breaks while it is being stopped was broken by the stop. */
const ABORTED: LoopEnd = { type: "aborted" };

const REASONS = {
  finished: "finish",
  aborted: "abort",
  blocked: "blocked",
  failed: "error",
} as const satisfies Record<LoopEnd["type"], string>;

function lastChunk(end: LoopEnd): UiChunk {
  switch (end.type) {
    case "finished":
      return { type: "finish", finishReason: end.finishReason };
    case "blocked":
      return { type: "finish", finishReason: "tool-calls" };
    case "aborted":
      return { type: "abort" };
    case "failed":
      return { type: "error", errorText: end.message };
  }
}

const UNEXPECTED = "an unexpected error ended the turn: retry sends the message again";

function failureOf(error: unknown, { report }: Pick<TurnDeps, "report">) {
  if (!isGalleyError(error)) report(error);
  const message = isGalleyError(error) ? error.message : UNEXPECTED;
  return { type: "failed", message } as const;
}

async function segmentOf(claim: Claim, deps: TurnDeps, parts: TurnParts): Promise<LoopEnd> {
  const session = (await deps.store.sessions.get(claim.session.id)) ?? claim.session;
  const choice = await chooseModel(session, claim, deps);
  parts.recorder.stamp({ model: choice });
  const spans = openSpans(session, choice, deps);
  try {
    const model = await deps.models.open(choice, session.id);
    const end = await segmentWith(model, spans, { ...claim, session }, deps, parts);
    spans.end(end.type === "finished" ? end.finishReason : end.type, end.type === "failed");
    return end;
  } catch (error) {
    spans.end("error", true);
    throw error;
  }
}

async function segmentWith(
  model: OpenModel,
  spans: TurnSpans,
  claim: Claim,
  deps: TurnDeps,
  { transcript, recorder, signal, report, announce }: TurnParts,
): Promise<LoopEnd> {
  const { session } = claim;
  const { layers, freeze } = await systemLayers(session, deps);
  let frozen: Promise<void> | undefined;
  const beside = (): Promise<void> => {
    frozen ??= keepRecord(freeze, deps, signal).then((digest) => {
      if (digest !== undefined) recorder.stamp({ system_prompt_digest: digest });
    });
    return frozen;
  };
  const history = await fitted(await transcript.upTo(claim.message_id), model);
  const context = { layers, history, ...(await aroundOf(claim, model, deps)) };
  const tools = await deps.tools.open(session);
  const place = await placeOf(claim, deps);
  spans.turn.set({ turn_index: place.turn });
  const given = { claim, deps, session, model, context, tools, ...place };
  const kept = (): void =>
    announce({ type: "manifest", session_id: session.id, turn: place.turn, at: deps.now() });
  const around = { recorder, signal, report, kept, beside, span: spans.turn, spent: spans.spent };
  // Also where no request went out: the row says which prompt it was made with.
  return await runSegment({ ...given, ...around }).finally(beside);
}

/** What a request depends on beside the conversation: pins, and what was left out before. */
async function aroundOf(
  { session, turn_id }: Claim,
  model: OpenModel,
  deps: TurnDeps,
): Promise<Omit<SegmentInput["context"], "layers" | "history">> {
  const name = modelName(model.profile);
  const read = () => readPins(session, deps.surroundings);
  const pins = await pinsOfTurn(model, session.id, turn_id, read);
  const previous = (await lastSent(model, session.id, deps))?.manifest;
  const calibration = deps.calibrations?.of(name);
  return { pins, budget: budgetOf(session, name), calibration, previous };
}

/** As it was fixed when the message was submitted, else the session's own, else the host's. */
async function chooseModel(
  session: SessionRow,
  { message_id }: Claim,
  { store, surroundings }: TurnDeps,
): Promise<ModelChoice> {
  const row = await store.messages.get(message_id);
  const metadata = JSON.parse(row?.message.metadata_json ?? "{}") as { readonly model?: unknown };
  const sticky: unknown = JSON.parse(session.model_json ?? "null");
  const named = [metadata.model, sticky].map((each) => ModelChoice.safeParse(each));
  return named.find(({ success }) => success)?.data ?? surroundings.defaultModel(session);
}

function fitted(
  history: readonly ContextMessage[],
  model: OpenModel,
): Promise<readonly ContextMessage[]> {
  return Promise.all(
    history.map((message) => (message.role === "user" ? model.fit(message) : message)),
  );
}

/** A turn has its number from its claim, or is counted; later segments go on with its rounds. */
async function placeOf(
  { session, segment, turn_id, turn }: Claim,
  { store }: TurnDeps,
): Promise<{ readonly turn: number; readonly round: number }> {
  if (turn !== undefined) {
    const rows = segment === 0 ? [] : await store.manifests.list(session.id, turn);
    return { turn, round: (rows.at(-1)?.round ?? 0) + 1 };
  }
  const last = await store.manifests.lastTurn(session.id);
  const next = { turn: last + 1, round: 1 };
  if (segment === 0) return next;
  const row = (await store.manifests.list(session.id, last)).at(-1);
  const begun = row && (JSON.parse(row.manifest_json) as { readonly turn_id?: unknown });
  return row && begun?.turn_id === turn_id ? { turn: last, round: row.round + 1 } : next;
}
