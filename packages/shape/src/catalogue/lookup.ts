/**
 * Finding a model by the name people write, and asking what it takes.
 *
 * The built-in rows and the user's configuration become one list here; everybody else sees only the
 * result. A name that is not in it is refused with what the user can do about it.
 */
import { ANTHROPIC_MODELS } from "./anthropic.ts";
import { GEMINI_MODELS } from "./gemini.ts";
import { bareMedia, canonicalMedia } from "./media-name.ts";
import { type BuiltInProvider, type ModelProfile, modelName } from "./model.ts";
import { nearestNames, splitName } from "./nearest.ts";
import { OPENAI_CHAT_MODELS, OPENAI_MODELS } from "./openai.ts";
import { layOverride, type ModelOverrides, protocolOf, TRAITS } from "./override.ts";
import { REHEARSAL_MODELS } from "./rehearsal.ts";

export const BUILT_IN_MODELS: readonly ModelProfile[] = [
  ...ANTHROPIC_MODELS,
  ...OPENAI_MODELS,
  ...OPENAI_CHAT_MODELS,
  ...GEMINI_MODELS,
  ...REHEARSAL_MODELS,
];

export type Found =
  | { readonly ok: true; readonly profile: ModelProfile }
  | {
      readonly ok: false;
      /** Full names, the likeliest first, at most 5. */
      readonly nearest: readonly string[];
      /** TOML that would make the name known. */
      readonly configLines: string;
      /** Why the configuration that names it did not. */
      readonly reason?: string;
    };

export function findModel(name: string, overrides: ModelOverrides = {}): Found {
  const { rows, refused } = mergeOverrides(BUILT_IN_MODELS, overrides);
  const profile = rows.find((row) => modelName(row) === name);
  const reason = refused.find((entry) => entry.name === name)?.reason;
  if (profile !== undefined && reason === undefined) return { ok: true, profile };
  return {
    ok: false,
    nearest: nearestNames(name, rows.map(modelName)),
    configLines: configLines(name),
    ...(reason === undefined ? {} : { reason }),
  };
}

export type Merged = {
  readonly rows: readonly ModelProfile[];
  /** Entries of the configuration that could not become a row; a row they named stays as it was. */
  readonly refused: readonly { readonly name: string; readonly reason: string }[];
};

/** Known models stay in their place; added ones follow by name, however they were ordered. */
export function mergeOverrides(rows: readonly ModelProfile[], overrides: ModelOverrides): Merged {
  const known = new Map(rows.map((row) => [modelName(row), row]));
  const refused: { name: string; reason: string }[] = [];
  for (const name of Object.keys(overrides).sort()) {
    const laid = layOverride(name, overrides[name] ?? {}, known.get(name));
    if (laid.ok) known.set(name, laid.profile);
    else refused.push({ name, reason: laid.reason });
  }
  return { rows: [...known.values()], refused };
}

export const listModels = (overrides: ModelOverrides = {}): readonly ModelProfile[] =>
  mergeOverrides(BUILT_IN_MODELS, overrides).rows;

/** What a provider's own pages advise to begin with; on Chat Completions, one that takes tools. */
const DEFAULT_ID: { readonly [K in BuiltInProvider]: string } = {
  anthropic: "claude-opus-5-5",
  openai: "gpt-6.1-sol",
  "openai-chat": "gpt-5.5",
  gemini: "gemini-4-argon",
  rehearsal: "default",
};

export function defaultModel(provider: BuiltInProvider): ModelProfile;
export function defaultModel(provider: string): ModelProfile | undefined;
export function defaultModel(provider: string): ModelProfile | undefined {
  const id = new Map(Object.entries(DEFAULT_ID)).get(provider);
  return BUILT_IN_MODELS.find((row) => row.provider === provider && row.id === id);
}

type Taker = Pick<ModelProfile, "accepts">;

export const acceptsMedia = (profile: Taker, mime: string): boolean =>
  mediaSpelling(profile, mime) !== undefined;

/** The type as the provider's list spells it, or nothing when the list does not hold it. */
export function mediaSpelling({ accepts }: Taker, mime: string): string | undefined {
  const bare = bareMedia(mime);
  if (!/^[^/*\s]+\/[^/*\s]+$/.test(bare)) return undefined;
  const asked = canonicalMedia(bare);
  const pattern =
    accepts.find((entry) => bareMedia(entry) === bare) ??
    accepts.find((entry) => covers(canonicalMedia(entry), asked));
  return pattern?.includes("*") ? asked : pattern;
}

function covers(pattern: string, mime: string): boolean {
  if (pattern === "*/*") return true;
  return pattern.endsWith("/*") ? mime.startsWith(pattern.slice(0, -1)) : pattern === mime;
}

/** The figures are placeholders to be replaced; the shape is what makes the name known. */
function configLines(name: string): string {
  const { provider } = splitName(name);
  // Without a provider the name can only mean a server of the user's own.
  const full = provider === undefined ? `openai-chat/${name.replaceAll("/", "") || "MODEL"}` : name;
  const protocol = protocolOf(provider ?? "openai-chat");
  const accepts = TRAITS[protocol ?? "openai-chat"].accepts;
  return [
    `[models.${tomlString(full)}]`,
    "context_window = 200000 # tokens; see the provider's documentation",
    "max_output = 8192 # tokens",
    `accepts = [${accepts.map(tomlString).join(", ")}]`,
    ...(protocol === undefined ? ['protocol = "openai-chat"'] : []),
    "",
  ].join("\n");
}

/** JSON's escapes are all TOML's too; TOML also wants DEL escaped and has no lone surrogates. */
const tomlString = (text: string): string =>
  JSON.stringify(text.toWellFormed()).replaceAll("\u007f", "\\u007f");
