/**
 * A model of an AI SDK provider in a conversation. The bytes on the wire are the SDK's, so what is
 * kept is the JSON of the call, as a proof shows it.
 */
import type { ModelProfile } from "@galley/shape";
import type { OpenModel, PrintedRequest } from "@galley/turn";
import type { Env, Settings } from "../config/settings.ts";
import { callOf, stream, urlOf } from "../pipeline/ai-sdk.ts";
import { type AiSdkModel, loadModel } from "../pipeline/ai-sdk-model.ts";
import { fitting } from "./fitting.ts";

export type AiSdkDeps = {
  readonly settings: Settings;
  readonly workspace: string;
  /** What a package may read by itself: its keys are masked in what is said of an error. */
  readonly env?: Env;
};

export function openAiSdkModel(
  profile: ModelProfile,
  { settings, workspace, env = {} }: AiSdkDeps,
): OpenModel {
  let loaded: AiSdkModel | undefined;
  return {
    profile,
    fit: fitting(profile),
    async print(context): Promise<PrintedRequest> {
      // A package that could not be loaded is tried again: it may have been installed meanwhile.
      const model = loaded ?? (await loadModel(profile.id, settings, workspace, env));
      loaded = model;
      const { options, outcomes } = callOf(context, profile, model);
      return {
        method: "doStream",
        url: urlOf(profile),
        headers: {},
        body: new TextEncoder().encode(JSON.stringify(options)),
        outcomes: () => outcomes,
        send: (signal) => stream(model, { ...options, abortSignal: signal }, profile, signal),
      };
    },
  };
}
