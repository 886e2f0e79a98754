/**
 * The four wire protocols under test, each with a profile that takes what its real models take.
 * The profiles are those of the offline model, so that goldens outlive the models of the day.
 */
import {
  anthropicMessages,
  findModel,
  geminiGenerate,
  type ModelProfile,
  openAiChat,
  openAiResponses,
  type Protocol,
} from "@galley/shape";

export const PROVIDER_NAMES = ["anthropic", "openai", "openai-chat", "gemini"] as const;
export type ProviderName = (typeof PROVIDER_NAMES)[number];

export type Provider = {
  readonly name: ProviderName;
  readonly protocol: Protocol;
  readonly profile: ModelProfile;
};

const PROTOCOLS: { readonly [N in ProviderName]: Protocol } = {
  anthropic: anthropicMessages,
  openai: openAiResponses,
  "openai-chat": openAiChat,
  gemini: geminiGenerate,
};

function profileOf(name: ProviderName): ModelProfile {
  const found = findModel(`rehearsal/${name}`);
  if (!found.ok) throw new Error(`the catalogue has no row rehearsal/${name}`);
  return found.profile;
}

export const PROVIDERS: readonly Provider[] = PROVIDER_NAMES.map((name) => ({
  name,
  protocol: PROTOCOLS[name],
  profile: profileOf(name),
}));

export function providerNamed(name: ProviderName): Provider {
  const found = PROVIDERS.find((each) => each.name === name);
  if (!found) throw new Error(`no provider ${name}`);
  return found;
}
