/**
 * A `[models."provider/model"]` table of the configuration, laid over a row or made into one.
 *
 * Reading TOML is the host's work. What cannot become a sound row is refused with a reason, never
 * repaired: a wrong window would cut or overflow every later request.
 */
import { ANTHROPIC_ACCEPTS, anthropicLimits } from "./anthropic.ts";
import { GEMINI_ACCEPTS, GEMINI_LIMITS } from "./gemini.ts";
import type { BuiltInProvider, MediaLimits, ModelProfile, ProtocolId } from "./model.ts";
import { splitName } from "./nearest.ts";
import { OPENAI_ACCEPTS, OPENAI_LIMITS } from "./openai.ts";

export type ModelOverride = {
  readonly context_window?: number | undefined;
  readonly max_output?: number | undefined;
  readonly accepts?: readonly string[] | undefined;
  readonly protocol?: ProtocolId | undefined;
};

/** By full name, `provider/model`. */
export type ModelOverrides = { readonly [name: string]: ModelOverride };

export type Laid =
  | { readonly ok: true; readonly profile: ModelProfile }
  | { readonly ok: false; readonly reason: string };

const PROTOCOL_OF: { readonly [K in BuiltInProvider]: ProtocolId } = {
  anthropic: "anthropic-messages",
  openai: "openai-responses",
  "openai-chat": "openai-chat",
  gemini: "gemini-generate",
  rehearsal: "anthropic-messages",
};

/** The protocol of a provider that has rows of its own. */
export const protocolOf = (provider: string | undefined): ProtocolId | undefined =>
  new Map<string | undefined, ProtocolId>(Object.entries(PROTOCOL_OF)).get(provider);

type Traits = {
  readonly toolResultMedia: boolean;
  readonly fileUrl: boolean;
  readonly limits?: (contextWindow: number) => MediaLimits;
  /** What its own provider's models take: the proposal for a model that is not known yet. */
  readonly accepts: readonly string[];
};

export const TRAITS: { readonly [K in ProtocolId]: Traits } = {
  "anthropic-messages": {
    toolResultMedia: true,
    fileUrl: true,
    limits: anthropicLimits,
    accepts: ANTHROPIC_ACCEPTS,
  },
  "openai-responses": {
    toolResultMedia: true,
    fileUrl: true,
    limits: () => OPENAI_LIMITS,
    accepts: OPENAI_ACCEPTS,
  },
  // Any server may speak it, so nothing is known of its limits and text is all that is safe.
  "openai-chat": { toolResultMedia: false, fileUrl: false, accepts: ["text/*"] },
  "gemini-generate": {
    toolResultMedia: true,
    fileUrl: true,
    limits: () => GEMINI_LIMITS,
    accepts: GEMINI_ACCEPTS,
  },
};

export function layOverride(name: string, given: ModelOverride, base?: ModelProfile): Laid {
  const { provider, id } = splitName(name);
  if (provider === undefined) return refuse(`"${name}" is not of the form provider/model`);
  const protocol = given.protocol ?? base?.protocol ?? protocolOf(provider);
  if (protocol === undefined) return refuse(`"${name}" needs a protocol: ${PROTOCOLS}`);
  const contextWindow = given.context_window ?? base?.contextWindow;
  const maxOutput = given.max_output ?? base?.maxOutput;
  const accepts = given.accepts ?? base?.accepts ?? ["text/*"];
  if (contextWindow === undefined) return refuse(`"${name}" needs context_window`);
  if (maxOutput === undefined) return refuse(`"${name}" needs max_output`);
  const wrong = unsound(contextWindow, maxOutput, accepts);
  if (wrong !== undefined) return refuse(`"${name}": ${wrong}`);
  const kept = base?.protocol === protocol ? base : freshRow(protocol, contextWindow);
  const inherited = notGiven(given, base);
  return {
    ok: true,
    profile: {
      ...kept,
      provider,
      id,
      protocol,
      contextWindow,
      maxOutput,
      accepts,
      provenance: {
        source: "config",
        as_of: "undated",
        ...(inherited.length > 0 ? { inherited } : {}),
      },
    },
  };
}

const PROTOCOLS = Object.keys(TRAITS).join(", ");

const refuse = (reason: string): Laid => ({ ok: false, reason });

function freshRow(protocol: ProtocolId, contextWindow: number) {
  const { toolResultMedia, fileUrl, limits } = TRAITS[protocol];
  return { toolResultMedia, fileUrl, ...(limits ? { limits: limits(contextWindow) } : {}) };
}

function notGiven(given: ModelOverride, base?: ModelProfile): readonly string[] {
  const fields: readonly (readonly [string, unknown])[] = [
    ["contextWindow", given.context_window],
    ["maxOutput", given.max_output],
    ["accepts", given.accepts],
  ];
  const missing = fields.filter(([, value]) => value === undefined).map(([field]) => field);
  const older = base?.provenance.inherited ?? [];
  return [...missing, ...older.filter((field) => !fields.some(([known]) => known === field))];
}

function unsound(
  contextWindow: number,
  maxOutput: number,
  accepts: readonly string[],
): string | undefined {
  if (!isCount(contextWindow)) return "context_window must be a whole number above 0";
  if (!isCount(maxOutput)) return "max_output must be a whole number above 0";
  if (maxOutput >= contextWindow) return "max_output must be smaller than context_window";
  const pattern = accepts.find((entry) => !/^[^/\s]+\/[^/\s]+$/.test(entry));
  return pattern === undefined ? undefined : `"${pattern}" is not a media type such as image/png`;
}

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value > 0;
