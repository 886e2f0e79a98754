/**
 * The models of a host as the turn's port. What it does with a name, a key and a trust is what the
 * pipeline does for a single message; what is added is memory: a conversation that was printed for
 * a model is kept as bytes, so that the next request costs what is new.
 *
 * The memory is bounded. A model that was put away prints the whole conversation again, once.
 */
import type { SessionId } from "@galley/parts";
import type { ModelProfile } from "@galley/shape";
import type { ModelPort, OpenModel } from "@galley/turn";
import type { Env, Settings } from "../config/settings.ts";
import { AI_SDK, profileOf } from "../pipeline/models.ts";
import { type Provider, providerOf } from "../pipeline/providers.ts";
import { OFFLINE_ENV, offlineProvider, type Rehearsing } from "../pipeline/rehearse.ts";
import { openAiSdkModel } from "./ai-sdk-open-model.ts";
import { nameOf } from "./model-name.ts";
import { openWireModel } from "./wire-model.ts";

export type ModelPortInput = {
  readonly settings: Settings;
  readonly env: Env;
  readonly fetch: typeof fetch;
  readonly offline: Rehearsing;
  /** Where packages of AI SDK providers are looked up. */
  readonly workspace: string;
  /** How many conversations stay printed. */
  readonly keep?: number;
};

/** Each is as large as its conversation's request. */
const KEPT = 32;

export function createModelPort(input: ModelPortInput): ModelPort {
  const { settings, keep = KEPT } = input;
  const kept = new Map<string, OpenModel>();
  return {
    async open(choice, session) {
      const name = nameOf(choice);
      const key = `${session} ${name}`;
      const model = kept.get(key) ?? openModel(profileOf(name, settings), session, input);
      // The last one used stands last.
      kept.delete(key);
      kept.set(key, model);
      for (const old of [...kept.keys()].slice(0, Math.max(0, kept.size - keep))) kept.delete(old);
      return model;
    },
  };
}

function openModel(profile: ModelProfile, session: SessionId, input: ModelPortInput): OpenModel {
  const { settings, fetch, workspace, env } = input;
  if (profile.provider === AI_SDK) return openAiSdkModel(profile, { settings, workspace, env });
  const isOffline = profile.provider === "rehearsal";
  return openWireModel(profile, {
    settings,
    fetch,
    env: isOffline ? OFFLINE_ENV : env,
    cacheKey: session,
    // Started only when something is about to be sent to it.
    provider: async (): Promise<Provider> =>
      isOffline
        ? offlineProvider(await input.offline.url())
        : providerOf(profile.provider, settings, env),
  });
}
