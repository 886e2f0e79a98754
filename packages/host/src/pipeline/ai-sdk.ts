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
import { SendError, withoutSecrets } from "@galley/turn";
import type { Settings } from "../config/settings.ts";
import { sha256 } from "../workspace/loader.ts";
import { type AiSdkModel, loadModel, sayError } from "./ai-sdk-model.ts";
import type { Proof } from "./pipeline.ts";
import { assembleFor, type Ready, readyMessage, refuseOverLimit } from "./prepare.ts";
import { framed, type SendDeps } from "./send.ts";
import { assembledStage, folded } from "./stages.ts";

export type Call = { readonly options: object; readonly outcomes: readonly Outcome[] };

export function callOf(context: AssembledContext, profile: ModelProfile, model: AiSdkModel): Call {
  const settings = { stream: true, cache: "auto" } as const;
  const { options, outcomes } = callOptions(context, profile, settings, model.provider);
  if (model.specificationVersion === "v3") return { options: optionsForV3(options), outcomes };
  if (model.specificationVersion === "v2") return { options: optionsForV2(options), outcomes };
  return { options, outcomes };
}

/** Not an address: the SDK knows it and tells nobody. */
export const urlOf = ({ id }: ModelProfile): string => `ai-sdk:${id.split("/", 1)[0]}`;

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
  const ready = await readyMessage(raw, deps.workspace, deps.calibrationOf);
  const { context, manifest } = await assembleFor(ready, profile);
  refuseOverLimit(manifest, profile);
  const model = await loadModel(profile.id, deps.settings, deps.workspace, deps.env);
  const { options } = callOf(context, profile, model);
  const sent = stream(
    model,
    { ...options, ...(signal && { abortSignal: signal }) },
    profile,
    signal,
  );
  yield* framed(sent, deps.mintId());
}

export async function* stream(
  model: AiSdkModel,
  options: object,
  profile: ModelProfile,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly UiChunk[], void, undefined> {
  let state: AiSdkStream | undefined;
  const hide = (text: string) => withoutSecrets(text, model.secrets ?? {});
  try {
    const answer = await model.doStream(options);
    state = AI_SDK_START;
    for await (const part of answer.stream) {
      const [next, chunks] = fromStreamPart(state, part);
      state = next;
      yield chunks.map((chunk) => maskedChunk(chunk, hide));
    }
    yield endStream(state).map((chunk) => maskedChunk(chunk, hide));
  } catch (error) {
    if (state === undefined && !signal?.aborted)
      throw refusal(hide(sayError(error)), error, profile);
    const rest = state ? endStream(state).filter(({ type }) => type !== "error") : [];
    if (signal?.aborted) yield [...rest, { type: "abort" }];
    else
      yield [...rest, { type: "error", errorText: `the stream broke: ${hide(sayError(error))}` }];
  }
}

const maskedChunk = (chunk: UiChunk, hide: (text: string) => string): UiChunk =>
  "errorText" in chunk && typeof chunk.errorText === "string"
    ? { ...chunk, errorText: hide(chunk.errorText) }
    : chunk;

/** The SDK's errors carry a status when there was an answer; they also carry the request. */
function refusal(reason: string, error: unknown, profile: ModelProfile): Error {
  const { statusCode } = error as { statusCode?: unknown };
  return typeof statusCode === "number"
    ? SendError.make("refused", { status: statusCode, reason })
    : SendError.make("unreachable", { url: urlOf(profile), reason });
}
