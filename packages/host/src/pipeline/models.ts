/**
 * From the name of a model to its profile: the catalogue, the configuration, or a refusal that
 * says which names are near and which line would make the name known.
 */
import {
  defaultModel,
  findModel,
  listModels,
  type ModelOverrides,
  type ModelProfile,
  modelName,
} from "@galley/shape";
import { parse } from "smol-toml";
import { type Env, mergeTables, type Settings } from "../config/settings.ts";
import { HostError } from "../host-error.ts";
import { BUILT_IN, hasKey, providerOf } from "./providers.ts";

/** The providers of `--all`, in their order. */
export const PROOF_PROVIDERS = ["anthropic", "openai", "openai-chat", "gemini"] as const;

/** Looked at in this order when nobody chose a model and a key is there. */
const BY_KEY = ["anthropic", "openai", "gemini"] as const;

const LATER: Readonly<Record<string, string>> = {
  template: "body templates of agent files",
  acp: "external ACP agents",
};

export const AI_SDK = "ai-sdk";

/** The catalogue wants a protocol of every row; an AI SDK model has its own, and reads none. */
const UNREAD = { protocol: "openai-chat" } as const;

export function overridesOf(settings: Settings): ModelOverrides {
  const all = mergeTables(settings, ({ models }) => models);
  return Object.fromEntries(
    Object.entries(all).map(([name, override]) =>
      providerIn(name) === AI_SDK ? [name, { ...override, ...UNREAD }] : [name, override],
    ),
  );
}

export const allModels = (settings: Settings): readonly ModelProfile[] =>
  listModels(overridesOf(settings));

/** Chosen by flag, environment or file; else by the first key that is there; else offline. */
export function defaultName(settings: Settings, env: Env): string {
  if (settings.model !== undefined) return settings.model;
  const keyed = BY_KEY.find((name) => hasKey(providerOf(name, settings, env), env));
  return modelName(defaultModel(keyed ?? "rehearsal"));
}

/** The model of a provider for `--all`: the chosen one where it is this provider's. */
export function nameFor(provider: (typeof PROOF_PROVIDERS)[number], settings: Settings): string {
  const chosen = settings.model;
  return chosen?.startsWith(`${provider}/`) ? chosen : modelName(defaultModel(provider));
}

export function profileOf(name: string, settings: Settings): ModelProfile {
  const provider = providerIn(name);
  const later = provider !== undefined && Object.hasOwn(LATER, provider) && LATER[provider];
  if (later) {
    throw HostError.make("not_yet", { what: `${name} (${later})`, instead: "see galley models" });
  }
  const found = findModel(name, overridesOf(settings));
  if (found.ok) return found.profile;
  if (found.reason !== undefined) {
    throw HostError.make("bad_model", { model: name, reason: found.reason });
  }
  const { nearest } = found;
  const config_line = inlineTable(found.configLines);
  if (provider === undefined || isKnown(provider, settings)) {
    throw HostError.make("unknown_model", { model: name, nearest, config_line });
  }
  const known = [...Object.keys(BUILT_IN), "rehearsal", AI_SDK];
  throw HostError.make("unknown_provider", { model: name, provider, known, nearest, config_line });
}

const providerIn = (name: string): string | undefined => /^([^/]+)\/./.exec(name)?.[1];

function isKnown(provider: string, settings: Settings): boolean {
  const configured = mergeTables(settings, ({ providers }) => providers);
  return (
    provider === "rehearsal" ||
    provider === AI_SDK ||
    Object.hasOwn(BUILT_IN, provider) ||
    Object.hasOwn(configured, provider)
  );
}

/** The catalogue proposes a table over several lines; a refusal is one line. */
function inlineTable(configLines: string): string {
  const { models = {} } = parse(configLines) as { models?: Record<string, object> };
  return Object.entries(models)
    .map(([name, fields]) => {
      const inside = Object.entries(fields).map(
        ([key, value]) => `${key} = ${JSON.stringify(value)}`,
      );
      return `models.${JSON.stringify(name)} = { ${inside.join(", ")} }`;
    })
    .join("; ");
}
