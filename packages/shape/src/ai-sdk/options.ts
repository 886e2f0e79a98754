/**
 * One call of an AI SDK model: prompt, tools and settings in the SDK's words.
 *
 * What the SDK has no common word for goes to the providers that are known to need it, as data. The
 * caller adds its abort signal and headers, and calls `doStream`.
 */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolChoice,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { AssembledContext, ToolChoice } from "@galley/assemble";
import type { Outcome } from "@galley/parts";
import type { ModelProfile } from "../catalogue/model.ts";
import type { Settings } from "../protocol.ts";
import { toolName } from "../tool-names.ts";
import { toPrompt } from "./prompt.ts";
import { keysOf } from "./target.ts";

export type AiSdkCall = {
  readonly options: LanguageModelV4CallOptions;
  readonly outcomes: readonly Outcome[];
};

/** `provider` is the model's own `provider`, for example `anthropic.messages`. */
export function callOptions(
  context: AssembledContext,
  profile: ModelProfile,
  settings: Settings,
  provider: string = profile.provider,
): AiSdkCall {
  const { prompt, tools, outcomes } = toPrompt(context, profile, provider);
  const { toolChoice } = context;
  const reasoning = profile.reasoning ? effortOf(settings) : undefined;
  const keys = keysOf(provider);
  const providerOptions = optionsFor(keys, settings, reasoning !== undefined);
  const marked = settings.cache === "auto" && keys.has("anthropic") ? markCache(prompt) : prompt;
  return {
    outcomes,
    options: {
      prompt: marked,
      maxOutputTokens: settings.maxOutput ?? profile.maxOutput,
      ...(settings.temperature !== undefined && { temperature: settings.temperature }),
      ...(settings.topP !== undefined && { topP: settings.topP }),
      ...(settings.stop && { stopSequences: [...settings.stop] }),
      ...(tools.length > 0 && { tools }),
      ...(tools.length > 0 && toolChoice && { toolChoice: choiceOf(toolChoice) }),
      ...(reasoning && { reasoning }),
      ...(Object.keys(providerOptions).length > 0 && { providerOptions }),
    },
  };
}

/** The SDK knows efforts only; a budget becomes the one that it would buy. */
function effortOf({ reasoning }: Settings): "low" | "medium" | "high" | undefined {
  if (!reasoning) return undefined;
  const { effort, budget } = reasoning;
  if (effort !== undefined || budget === undefined) return effort ?? "medium";
  if (budget <= 1024) return "low";
  return budget <= 8192 ? "medium" : "high";
}

function choiceOf(choice: ToolChoice): LanguageModelV4ToolChoice {
  if (typeof choice === "object") return { type: "tool", toolName: toolName(choice.tool) };
  return { type: choice };
}

type Native = (settings: Settings, reasoning: boolean) => SharedV4ProviderOptions[string];

const openAi: Native = ({ cacheKey }, reasoning) => ({
  // Otherwise old turns go out as references to what the provider may not have.
  store: false,
  ...(cacheKey !== undefined && { promptCacheKey: cacheKey }),
  ...(reasoning && { reasoningSummary: "auto" }),
});

const google: Native = (_settings, reasoning) =>
  reasoning ? { thinkingConfig: { includeThoughts: true } } : {};

const NATIVE: ReadonlyMap<string, Native> = new Map([
  ["openai", openAi],
  ["azure", openAi],
  ["google", google],
  ["vertex", google],
]);

function optionsFor(
  keys: ReadonlySet<string>,
  settings: Settings,
  reasoning: boolean,
): SharedV4ProviderOptions {
  const made = [...NATIVE].flatMap(([key, native]) =>
    keys.has(key) ? [[key, native(settings, reasoning)] as const] : [],
  );
  return Object.fromEntries(made.filter(([, options]) => Object.keys(options).length > 0));
}

const MARK = { anthropic: { cacheControl: { type: "ephemeral" } } };

/** The same places as on the wire: after the system text, before the newest turn, and at the end. */
function markCache(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const newest = prompt.findLastIndex(({ role }) => role === "user");
  const system = prompt.findLastIndex(({ role }) => role === "system");
  const marks = new Set([system, newest - 1, prompt.length - 1]);
  return prompt.map(
    (message, index): LanguageModelV4Message =>
      marks.has(index)
        ? { ...message, providerOptions: { ...message.providerOptions, ...MARK } }
        : message,
  );
}
