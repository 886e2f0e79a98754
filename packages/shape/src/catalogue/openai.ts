/**
 * OpenAI's models, once on the Responses API (`openai/…`) and once on Chat Completions
 * (`openai-chat/…`) where they serve there.
 *
 * The ids are those of the official SDK, of `@ai-sdk/openai` and of the model pages. A model past its
 * announced last day has no row, nor has one that is open to selected organizations only. Efforts and
 * refusals of tools are those of `@ai-sdk/openai` 4.0.114 and the model pages, the efforts of pro and
 * codex models those of `@earendil-works/pi-ai` 1.5.0, last days those of `openai` 7.53.0.
 */
import type { MediaLimits, ModelProfile, Reasoning } from "./model.ts";

const AS_OF = "2026-11-15";
const PROFILES = "@langchain/openai 1.6.0 model profiles";
const UNION = "@ai-sdk/openai 4.0.114 model ids";
const page = (model: string): string => `developers.openai.com/api/docs/models/${model}`;

const IMAGES = ["image/png", "image/jpeg", "image/webp", "image/gif"];
/** The images-vision and file-inputs guides of developers.openai.com. */
export const OPENAI_ACCEPTS: readonly string[] = ["text/*", ...IMAGES, "application/pdf"];
const AUDIO_ACCEPTS = ["text/*", "audio/wav", "audio/mp3"];

/** No size of a single image is published. A GIF that moves is refused. */
export const OPENAI_LIMITS: MediaLimits = {
  imageCount: 1500,
  stillOnly: true,
  pdfBytes: 50_000_000,
  requestBytes: 512_000_000,
};
// From 5.6 on an image is not scaled down by default, and is refused above this.
const PATCHED: MediaLimits = { ...OPENAI_LIMITS, imagePatches: { size: 32, count: 30_000 } };

const effort = (...words: string[]): Reasoning => ({
  control: "effort",
  words,
  canDisable: words.includes("none"),
});
const toMax = effort("low", "medium", "high", "xhigh", "max");
const noneToMax = effort("none", ...toMax.words);
const noneToXhigh = effort("none", "low", "medium", "high", "xhigh");
const pro = effort("medium", "high", "xhigh");
const minimalToHigh = effort("minimal", "low", "medium", "high");

type Family = {
  readonly ids: readonly string[];
  /** Dated snapshots: the figures are those of the first of `ids`. */
  readonly snapshots?: readonly string[];
  readonly size: readonly [contextWindow: number, maxOutput: number];
  readonly reasoning: Reasoning | false;
  readonly source: string;
  readonly limits?: MediaLimits;
  readonly accepts?: readonly string[];
  readonly on?: "responses" | "chat";
  /** What Chat Completions refuses of tools. */
  readonly chatTools?: "none" | "without-reasoning";
  readonly inherited?: readonly string[];
  readonly retires?: string;
};

const MILLION = [1_050_000, 128_000] as const;
const FIVE = [400_000, 128_000] as const;
const SIX = { size: MILLION, limits: PATCHED } as const;
const LAST_DECEMBER = "2026-12-11";
const LAST_JANUARY = "2027-01-14";

const ASTRA =
  "docs.apiyi.com/en/api-capabilities/gpt-6-astra; vercel.com/ai-gateway/models/gpt-6-astra";
const SOL_6_1 = `w3cschool.cn copy of ${page("gpt-6.1-sol")}`;
const TERRA_6_1 = "docs.aws.amazon.com/bedrock model card of GPT-6.1 Terra";
const LUNA_6 = "docs.oxen.ai/inference-api/reference/models/gpt-6-luna";

// biome-ignore format: one family a row reads as the table it is.
const FAMILIES: readonly Family[] = [
  { ids: ["gpt-6.1-sol"], ...SIX, reasoning: toMax, source: SOL_6_1, chatTools: "none" },
  { ids: ["gpt-6.1-terra"], ...SIX, reasoning: noneToMax, source: TERRA_6_1, chatTools: "without-reasoning", inherited: ["tools"] },
  { ids: ["gpt-6-astra"], ...SIX, reasoning: toMax, source: ASTRA, chatTools: "none" },
  { ids: ["gpt-6-sol"], ...SIX, reasoning: noneToMax, source: page("gpt-6-sol"), chatTools: "without-reasoning" },
  { ids: ["gpt-6-luna"], ...SIX, reasoning: noneToMax, source: LUNA_6, chatTools: "without-reasoning" },
  { ids: ["gpt-5.6", "gpt-5.6-sol", "gpt-5.6-terra", "gpt-5.6-luna"], ...SIX, reasoning: noneToMax, source: PROFILES, chatTools: "without-reasoning" },
  { ids: ["gpt-5.5"], snapshots: ["gpt-5.5-2026-04-23"], size: MILLION, reasoning: noneToXhigh, source: PROFILES },
  { ids: ["gpt-5.5-pro"], snapshots: ["gpt-5.5-pro-2026-04-23"], size: MILLION, reasoning: pro, source: PROFILES, on: "responses" },
  { ids: ["gpt-5.4"], snapshots: ["gpt-5.4-2026-03-05"], size: MILLION, reasoning: noneToXhigh, source: PROFILES },
  { ids: ["gpt-5.4-mini"], snapshots: ["gpt-5.4-mini-2026-03-17"], size: FIVE, reasoning: noneToXhigh, source: PROFILES },
  { ids: ["gpt-5.4-nano"], snapshots: ["gpt-5.4-nano-2026-03-17"], size: FIVE, reasoning: noneToXhigh, source: PROFILES, retires: "2027-04-01" },
  { ids: ["gpt-5.4-pro"], snapshots: ["gpt-5.4-pro-2026-03-05"], size: MILLION, reasoning: pro, source: PROFILES, on: "responses" },
  { ids: ["gpt-5.3-codex"], size: FIVE, reasoning: noneToXhigh, source: PROFILES, on: "responses" },
  { ids: ["gpt-5.2"], snapshots: ["gpt-5.2-2025-12-11"], size: FIVE, reasoning: noneToXhigh, source: PROFILES },
  { ids: ["gpt-5.2-pro"], snapshots: ["gpt-5.2-pro-2025-12-11"], size: FIVE, reasoning: pro, source: PROFILES, on: "responses" },
  { ids: ["gpt-5.1"], snapshots: ["gpt-5.1-2025-11-13"], size: FIVE, reasoning: effort("none", "low", "medium", "high"), source: PROFILES, retires: "2027-04-01" },
  { ids: ["gpt-5"], snapshots: ["gpt-5-2025-08-07"], size: FIVE, reasoning: minimalToHigh, source: PROFILES, retires: LAST_DECEMBER },
  { ids: ["gpt-5-mini"], snapshots: ["gpt-5-mini-2025-08-07"], size: FIVE, reasoning: minimalToHigh, source: PROFILES, retires: LAST_DECEMBER },
  { ids: ["gpt-5-nano"], snapshots: ["gpt-5-nano-2025-08-07"], size: FIVE, reasoning: minimalToHigh, source: PROFILES, retires: LAST_DECEMBER },
  { ids: ["gpt-5-pro"], snapshots: ["gpt-5-pro-2025-10-06"], size: [400_000, 272_000], reasoning: effort("high"), source: PROFILES, on: "responses", retires: LAST_DECEMBER },
  { ids: ["o3"], snapshots: ["o3-2025-04-16"], size: [200_000, 100_000], reasoning: effort("low", "medium", "high"), source: PROFILES, retires: LAST_DECEMBER },
  { ids: ["o3-pro"], snapshots: ["o3-pro-2025-06-10"], size: [200_000, 100_000], reasoning: effort("low", "medium", "high"), source: PROFILES, on: "responses", retires: LAST_DECEMBER },
  { ids: ["gpt-4.1"], snapshots: ["gpt-4.1-2025-04-14"], size: [1_047_576, 32_768], reasoning: false, source: PROFILES, retires: LAST_JANUARY },
  { ids: ["gpt-4.1-mini"], snapshots: ["gpt-4.1-mini-2025-04-14"], size: [1_047_576, 32_768], reasoning: false, source: PROFILES, retires: LAST_JANUARY },
  { ids: ["gpt-4o", "gpt-4o-2024-11-20", "gpt-4o-2024-08-06"], size: [128_000, 16_384], reasoning: false, source: PROFILES, retires: LAST_JANUARY },
  { ids: ["gpt-4o-mini"], snapshots: ["gpt-4o-mini-2024-07-18"], size: [128_000, 16_384], reasoning: false, source: PROFILES, retires: LAST_JANUARY },
  { ids: ["gpt-audio-1.5"], size: [128_000, 16_384], reasoning: false, source: page("gpt-audio-1.5"), on: "chat", accepts: AUDIO_ACCEPTS },
  { ids: ["gpt-audio"], size: [128_000, 16_384], reasoning: false, source: page("gpt-audio"), on: "chat", accepts: AUDIO_ACCEPTS },
  { ids: ["gpt-audio-mini", "gpt-audio-mini-2025-12-15"], size: [128_000, 16_384], reasoning: false, source: "openai 7.53.0 ChatModel", on: "chat", accepts: AUDIO_ACCEPTS, inherited: ["contextWindow", "maxOutput", "accepts"], retires: "2027-01-20" },
];

type Endpoint = "responses" | "chat";

function row(family: Family, id: string, endpoint: Endpoint): ModelProfile {
  const chat = endpoint === "chat";
  const [contextWindow, maxOutput] = family.size;
  const snapshot = family.snapshots?.includes(id) ?? false;
  const inherited = [
    ...(snapshot ? ["contextWindow", "maxOutput"] : []),
    ...(family.inherited ?? []).filter((field) => chat || field !== "tools"),
  ];
  return {
    provider: chat ? "openai-chat" : "openai",
    id,
    protocol: chat ? "openai-chat" : "openai-responses",
    contextWindow,
    maxOutput,
    accepts: family.accepts ?? OPENAI_ACCEPTS,
    limits: family.limits ?? OPENAI_LIMITS,
    reasoning: family.reasoning,
    ...(chat && family.chatTools ? { tools: family.chatTools } : {}),
    // A `tool` message holds text only; on Chat Completions a file has no address either.
    toolResultMedia: !chat,
    fileUrl: !chat,
    ...(family.retires ? { retires: family.retires } : {}),
    provenance: {
      source: snapshot ? UNION : family.source,
      as_of: AS_OF,
      ...(inherited.length > 0 ? { inherited } : {}),
    },
  };
}

const rowsOf = (endpoint: Endpoint): readonly ModelProfile[] =>
  FAMILIES.filter(({ on }) => on === undefined || on === endpoint).flatMap((family) =>
    [...family.ids, ...(family.snapshots ?? [])].map((id) => row(family, id, endpoint)),
  );

export const OPENAI_MODELS = rowsOf("responses");
export const OPENAI_CHAT_MODELS = rowsOf("chat");
