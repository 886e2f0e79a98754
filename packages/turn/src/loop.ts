/**
 * One segment of a turn: assemble, call the model, run what it calls, and again, until it calls
 * nothing more or a person is needed.
 *
 * It is given everything that stays the same for the segment. How it ended is given back; the frame
 * around it (`start`, and the last chunk) is the caller's.
 */
import { countedInput } from "@galley/assemble";
import {
  type AssistantPartShapes,
  type FinishReason,
  kindOfAssistantPart,
  type SessionRow,
  toolNameOf,
  type UiChunk,
  type Usage,
} from "@galley/parts";
import type { Happening, Interaction } from "@galley/queue";
import { modelName } from "@galley/shape";
import { openRounds, type Round, type Rounds, type RoundsInput } from "./context-rounds.ts";
import type { TurnDeps } from "./deps.ts";
import type { OpenModel } from "./model.ts";
import type { Claim, Recorder } from "./recording.ts";
import { type PlannedCall, runTools } from "./run-tools.ts";
import { type BackOff, runStep, type StepInput } from "./step.ts";
import type { Tool } from "./tool.ts";
import type { Span } from "./trace.ts";
import { TurnError } from "./turn-error.ts";

export type SegmentInput = Pick<StepInput, "kept" | "beside" | "spent"> & {
  readonly claim: Claim;
  readonly deps: TurnDeps;
  readonly session: SessionRow;
  readonly model: OpenModel;
  /** What the requests are made of; the history is as the model can take it, the message last. */
  readonly context: Omit<RoundsInput, "profile" | "tools" | "answer_id">;
  readonly tools: readonly Tool[];
  readonly turn: number;
  /** Of the first step; those of earlier segments count. */
  readonly round: number;
  readonly recorder: Recorder;
  readonly signal: AbortSignal;
  readonly span: Span;
  report(happening: BackOffReport): Promise<void>;
};

/** A back-off that begins or is over. */
export type BackOffReport = Extract<Happening, { type: "retry-scheduled" | "retry-due" }>;

export type LoopEnd =
  | { readonly type: "finished"; readonly finishReason: FinishReason }
  | { readonly type: "aborted" }
  | { readonly type: "blocked"; readonly open: readonly Interaction[] }
  | { readonly type: "failed"; readonly message: string };

const ABORTED: LoopEnd = { type: "aborted" };

/** Throws a GalleyError with the sentence for the person, or a bug. */
export async function runSegment(input: SegmentInput): Promise<LoopEnd> {
  const { claim, deps, signal } = input;
  const callIds = new Set(callsOf(input.recorder).map(({ toolCallId }) => toolCallId));
  const asked = claim.segment === 0 ? await prelude(input, callIds) : await resume(input);
  if (signal.aborted) return ABORTED;
  if (asked.length > 0) return { type: "blocked", open: asked };
  const { context, model, tools } = input;
  const { profile } = model;
  const rounds = openRounds({ ...context, profile, tools, answer_id: claim.answer_id });
  for (let round = input.round; ; round += 1) {
    const { steps } = deps.limits;
    if (round > steps) throw TurnError.make("too-many-steps", { steps });
    const step = await runStep(stepInput(input, round, callIds, rounds));
    if (step.type !== "complete") return step;
    const { finishReason } = step;
    if (!step.more) return { type: "finished", finishReason };
    const open = await runTools(step.calls, input);
    if (signal.aborted) return ABORTED;
    if (open.length > 0) return { type: "blocked", open };
  }
}

/** What the message calls for by itself: true calls, a step of their own before the first. */
async function prelude(input: SegmentInput, callIds: Set<string>): Promise<readonly Interaction[]> {
  const { deps, session, recorder } = input;
  const { history } = input.context;
  const message = history.at(-1);
  if (message?.role !== "user" || !deps.tools.prelude) return [];
  const wanted = await deps.tools.prelude(session, message, history);
  if (wanted.length === 0) return [];
  const calls = wanted.map(({ tool, input: given }): PlannedCall => {
    const tool_call_id = `call_${deps.mint("req").replace(/^req_/, "")}`;
    return { tool_call_id, tool_name: tool, input: given };
  });
  for (const { tool_call_id } of calls) callIds.add(tool_call_id);
  recorder.take([{ type: "start-step" }, ...calls.map(callChunk)]);
  const open = await runTools(calls, input);
  if (!input.signal.aborted) recorder.take([{ type: "finish-step" }]);
  return open;
}

// The input of a call is JSON by its origin; the type of the chunk asks for it by name.
const callChunk = ({ tool_call_id, tool_name, input }: PlannedCall): UiChunk =>
  ({
    type: "tool-input-available",
    toolCallId: tool_call_id,
    toolName: tool_name,
    input,
  }) as UiChunk;

/** What a person has allowed since the segment before. */
async function resume(input: SegmentInput): Promise<readonly Interaction[]> {
  const answered = callsOf(input.recorder).filter(({ state }) => state === "approval-responded");
  const allowed = answered.filter(isApproved).map(
    (part): PlannedCall => ({
      tool_call_id: part.toolCallId,
      tool_name: toolNameOf(part),
      input: part.input,
      approved: true,
    }),
  );
  const denied = answered.filter((part) => !isApproved(part));
  for (const { toolCallId } of denied) {
    input.recorder.take([{ type: "tool-output-denied", toolCallId }]);
  }
  return await runTools(allowed, input);
}

const isApproved = ({ approval }: AssistantPartShapes["tool"]): boolean =>
  (approval as { approved?: unknown } | undefined)?.approved === true;

const callsOf = ({ parts }: Recorder): AssistantPartShapes["tool"][] =>
  parts.filter(
    (part): part is AssistantPartShapes["tool"] => kindOfAssistantPart(part.type) === "tool",
  );

function stepInput(
  input: SegmentInput,
  round: number,
  callIds: Set<string>,
  rounds: Rounds,
): StepInput {
  const { claim, deps, model, recorder, signal, turn, kept, beside, spent } = input;
  const { turn_id, message_id } = claim;
  const place = { session_id: claim.session.id, turn_id, turn, round, message_id };
  const backingOff = (backOff: BackOff) => sayBackOff(input, backOff);
  const made = rounds.next(recorder.parts);
  const counted = (usage: Usage): void => {
    if (round === 1) learn(input, made, usage);
  };
  const told = { kept, beside, spent, counted, backingOff };
  return { deps, model, place, recorder, callIds, signal, ...told, ...made };
}

function learn({ deps, model }: SegmentInput, { manifest }: Round, usage: Usage): void {
  const count = { estimated: manifest.measured, counted: countedInput(usage) };
  deps.calibrations?.learn(modelName(model.profile), count);
}

async function sayBackOff({ claim, deps, report }: SegmentInput, backOff: BackOff) {
  const { turn_id, segment } = claim;
  try {
    await report({ type: "retry-scheduled", turn_id, segment, ...backOff });
  } catch (error) {
    // Nobody sees the back-off then, and its end must not be told either.
    deps.report(error);
    return async () => {};
  }
  return () => report({ type: "retry-due", turn_id, segment });
}
