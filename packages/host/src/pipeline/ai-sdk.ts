/**
 * Proof and send through the AI SDK. The parts are lowered as for every other model; the bytes on
 * the wire are the SDK's, so a proof shows the call instead, and an outcome names no bytes.
 */
import type { AssembledContext } from "@galley/assemble";
import type { Outcome, UiChunk } from "@galley/parts";
import {
  AI_SDK_START,
  type AiSdkStream,
  callOptions,
  endStream,
  fromStreamPart,
  type ModelProfile,
  optionsForV2,
  optionsForV3,
} from "@galley/shape";
import { SendError } from "@galley/turn";
import type { Settings } from "../config/settings.ts";
import { sha256 } from "../workspace/loader.ts";
import { type AiSdkModel, loadModel, sayError } from "./ai-sdk-model.ts";
import type { Proof } from "./pipeline.ts";
import { assembleFor, type Ready, readyMessage, refuseOverLimit } from "./prepare.ts";
import { framed, type SendDeps } from "./send.ts";
import { assembledStage, folded } from "./stages.ts";

type Call = { readonly options: object; readonly outcomes: readonly Outcome[] };

function callOf(context: AssembledContext, profile: ModelProfile, model: AiSdkModel): Call {
  const settings = { stream: true, cache: "auto" } as const;
  const { options, outcomes } = callOptions(context, profile, settings, model.provider);
  if (model.specificationVersion === "v3") return { options: optionsForV3(options), outcomes };
  if (model.specificationVersion === "v2") return { options: optionsForV2(options), outcomes };
  return { options, outcomes };
}

/** Not an address: the SDK knows it and tells nobody. */
const urlOf = ({ id }: ModelProfile): string => `ai-sdk:${id.split("/", 1)[0]}`;

export async function proofByAiSdk(
  ready: Ready,
  profile: ModelProfile,
  settings: Settings,
  workspace: string,
): Promise<Proof> {
  const { context, manifest } = await assembleFor(ready, profile);
  const model = await loadModel(profile.id, settings, workspace);
  const { options, outcomes } = callOf(context, profile, model);
  const body_text = JSON.stringify(options);
  const body: unknown = JSON.parse(body_text);
  const { composed, persisted } = ready;
  const request = { method: "doStream", url: urlOf(profile), headers: {}, body };
  return {
    provider: profile.provider,
    model: profile.id,
    request,
    outcomes,
    manifest,
    body_text,
    body_sha256: sha256(body_text),
    stages: {
      composed,
      persisted,
      get assembled() {
        return assembledStage(context, manifest);
      },
      get lowered() {
        return { outcomes, prompt: folded((options as { prompt?: unknown }).prompt) };
      },
      wire: request,
    },
  };
}

export async function* sendByAiSdk(
  raw: unknown,
  profile: ModelProfile,
  deps: SendDeps,
  signal: AbortSignal | undefined,
): AsyncGenerator<UiChunk, void, undefined> {
  const { context, manifest } = await assembleFor(await readyMessage(raw, deps.workspace), profile);
  refuseOverLimit(manifest, profile);
  const model = await loadModel(profile.id, deps.settings, deps.workspace);
  const { options } = callOf(context, profile, model);
  const sent = stream(
    model,
    { ...options, ...(signal && { abortSignal: signal }) },
    profile,
    signal,
  );
  yield* framed(sent, deps.mintId());
}

async function* stream(
  model: AiSdkModel,
  options: object,
  profile: ModelProfile,
  signal: AbortSignal | undefined,
): AsyncGenerator<UiChunk, void, undefined> {
  let state: AiSdkStream | undefined;
  try {
    const answer = await model.doStream(options);
    state = AI_SDK_START;
    for await (const part of answer.stream) {
      const [next, chunks] = fromStreamPart(state, part);
      state = next;
      yield* chunks;
    }
    yield* endStream(state);
  } catch (error) {
    if (state === undefined && !signal?.aborted) throw refusal(error, profile);
    const rest = state ? endStream(state).filter(({ type }) => type !== "error") : [];
    yield* rest;
    if (signal?.aborted) yield { type: "abort" };
    else yield { type: "error", errorText: `the stream broke: ${sayError(error)}` };
  }
}

/** The SDK's errors carry a status when there was an answer. */
function refusal(error: unknown, profile: ModelProfile): Error {
  const { statusCode } = error as { statusCode?: unknown };
  const reason = sayError(error);
  return typeof statusCode === "number"
    ? SendError.make("refused", { status: statusCode, reason }, { cause: error })
    : SendError.make("unreachable", { url: urlOf(profile), reason }, { cause: error });
}
