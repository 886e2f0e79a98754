/**
 * One model call with its retries: printed once, sent until it is answered or not worth it.
 *
 * The manifest and the bytes are kept while the answer comes, so that a slow disk delays nobody. As
 * soon as something was said a fault is final: what was said stays, and the sentence tells why there
 * is no more.
 */
import {
  type AssembledContext,
  type BudgetState,
  type Manifest,
  refusalText,
} from "@galley/assemble";
import type { FinishReason, MessageId, SessionId, UiChunk, Usage } from "@galley/parts";
import { modelName } from "@galley/shape";
import { accounting } from "./context-account.ts";
import type { TurnDeps } from "./deps.ts";
import { type Heard, hearTry, type ToolCall } from "./hearing.ts";
import { keepRecord } from "./keep-record.ts";
import type { OpenModel, PrintedRequest } from "./model.ts";
import type { Recorder } from "./recording.ts";
import { afterFault, type Fault, faultOf } from "./retry.ts";
import { TurnError } from "./turn-error.ts";
import { wait } from "./wait.ts";
import { readUnderWatch } from "./watch.ts";

/** Where the records of the step stand. */
export type StepPlace = {
  readonly session_id: SessionId;
  readonly turn_id: string;
  readonly turn: number;
  readonly round: number;
  readonly message_id: MessageId;
};

export type BackOff = {
  /** The one that failed, from 1. */
  readonly attempt: number;
  readonly message: string;
  /** Epoch ms of the next one. */
  readonly until: number;
};

export type StepInput = {
  readonly deps: Pick<TurnDeps, "store" | "limits" | "now" | "chance" | "report">;
  readonly model: OpenModel;
  readonly context: AssembledContext;
  readonly manifest: Manifest;
  /** What this request decided to leave out, where it decided something. */
  readonly budget?: BudgetState;
  readonly place: StepPlace;
  readonly recorder: Pick<Recorder, "take">;
  /** Ids of the calls so far; those of this step are added. */
  readonly callIds: Set<string>;
  readonly signal: AbortSignal;
  /** Told when the manifest stands in the store. */
  kept(): void;
  /** Other records that may wait until the request is out. */
  beside(): Promise<void>;
  /** Told the tokens of every try. */
  spent(tokens: number): void;
  /** Told what the provider counted of a try that came to its end. */
  counted(usage: Usage): void;
  /** Told before each back-off; what it gives is called when the back-off is over. */
  backingOff(backOff: BackOff): Promise<() => Promise<void>>;
};

export type StepEnd =
  | {
      readonly type: "complete";
      readonly finishReason: FinishReason;
      readonly calls: readonly ToolCall[];
      /** Whether the model has yet to hear what became of a call. */
      readonly more: boolean;
    }
  | { readonly type: "aborted" }
  | { readonly type: "failed"; readonly message: string };

/** Throws what `print` throws, and what no provider would. */
export async function runStep(input: StepInput): Promise<StepEnd> {
  const { manifest, model, signal } = input;
  if (manifest.over_limit) {
    await keepAccount(input, undefined);
    throw overLimit(manifest, modelName(model.profile));
  }
  const printed = await model.print(input.context);
  if (signal.aborted) return { type: "aborted" };
  const out = Promise.withResolvers<void>();
  const answer = answerOf(input, printed, out.resolve);
  const kept = keepBeside(input, printed, out.promise);
  // Joined, also when the answer is an error: a step leaves nothing running.
  return await answer.finally(() => kept);
}

function overLimit({ estimate, limit, refusal }: Manifest, model: string): Error {
  const says = refusal ? refusalText(refusal) : `about ${estimate} tokens, and ${limit} fit`;
  return TurnError.make("over-limit", { model, estimate, limit, says });
}

/** Long enough for a request to leave, short enough for a provider that never answers. */
const LEAVING_MS = 20;

/** A write to the disk holds up everything here, so it waits until the request is on its way. */
async function keepBeside(input: StepInput, printed: PrintedRequest, out: Promise<void>) {
  await Promise.race([out, wait(LEAVING_MS, input.signal)]);
  await keepAccount(input, printed);
  await input.beside();
}

async function answerOf(
  input: StepInput,
  printed: PrintedRequest,
  out: () => void,
): Promise<StepEnd> {
  const { deps, signal } = input;
  for (let attempt = 1; ; attempt += 1) {
    const tried = await tryOnce(input, printed, out).finally(out);
    if (!("transient" in tried)) return tried;
    const verdict = afterFault(tried, attempt, deps.limits, deps.chance());
    if (verdict.type === "give-up") return { type: "failed", message: verdict.message };
    const until = deps.now() + verdict.ms;
    const due = await input.backingOff({ attempt, message: tried.message, until });
    if (!(await wait(verdict.ms, signal))) return { type: "aborted" };
    await due();
  }
}

async function tryOnce(
  input: StepInput,
  printed: PrintedRequest,
  answered: () => void,
): Promise<StepEnd | Fault> {
  const { deps, signal, recorder } = input;
  const { stall_ms } = deps.limits;
  const hearing = hearTry((chunks) => recorder.take(chunks), input.callIds);
  let fault: Fault | undefined;
  try {
    const hear = (batch: readonly UiChunk[]): void => {
      answered();
      hearing.hear(batch);
    };
    const watch = { signal, stall_ms, hear };
    const { stalled } = await readUnderWatch((own) => printed.send(own), watch);
    if (stalled) fault = silence(stall_ms);
  } catch (error) {
    // After a stop it does not matter how the provider took it.
    if (!signal.aborted) fault = faultOf(error);
    if (!signal.aborted && !fault) throw error;
  }
  const heard = hearing.heard();
  input.spent(heard.tokens);
  if (heard.complete && heard.error === undefined) {
    if (heard.usage) input.counted(heard.usage);
    return completeOf(heard);
  }
  if (!heard.said) hearing.keepCost();
  if (signal.aborted) return { type: "aborted" };
  fault ??= brokenOf(heard);
  return heard.said ? { type: "failed", message: fault.message } : fault;
}

const silence = (stall_ms: number): Fault => ({
  message: TurnError.make("stalled", { seconds: Math.ceil(stall_ms / 1000) }).message,
  transient: true,
});

/** An answer that ended by its own will without a word would end so again. */
const brokenOf = ({ error, finishReason }: Heard): Fault => ({
  message: error ?? "the stream ended before the answer was complete",
  transient: finishReason === undefined || finishReason === "error",
});

const completeOf = ({ finishReason = "other", calls, broken }: Heard): StepEnd => ({
  type: "complete",
  finishReason,
  calls,
  more: calls.length > 0 || broken > 0,
});

async function keepAccount(input: StepInput, printed: PrintedRequest | undefined): Promise<void> {
  const { deps, signal } = input;
  const write = accounting(input, printed);
  const kept = await keepRecord(write, deps, signal);
  if (kept) input.kept();
}
