/**
 * Google's models on the Gemini API (`generateContent`).
 *
 * The ids are the general text models of `@ai-sdk/google`'s union and of Google's own lists. Image,
 * speech, live, robotics and research models have no row, nor has a model past its last day.
 * Thinking levels are those of `@ai-sdk/google` 4.0.117, narrowed where Google's pages say less.
 */
import type { MediaLimits, ModelProfile, Provenance, Reasoning } from "./model.ts";

const AS_OF = "2026-11-15";
const TABLE = "@earendil-works/pi-ai 1.5.0 model table";
const ARGON =
  "ai.google.dev/gemini-api/docs/generate-content/latest-model; " +
  "documentation.s3ns.fr/gemini-enterprise-agent-platform/models/guides/gemini-4-argon";
const FLASH_3_8 =
  "docs.apiyi.com copy of ai.google.dev/gemini-api/docs/models/gemini-3.8-flash (2026-09-03)";
const cloud = (model: string): string =>
  `docs.cloud.google.com/gemini-enterprise-agent-platform/models/gemini/${model}`;

/** The guides' lists for images, documents, audio and video, as they spell them. */
export const GEMINI_ACCEPTS: readonly string[] = [
  "text/*",
  "image/png",
  "image/jpeg",
  "image/webp",
  "image/heic",
  "image/heif",
  "application/pdf",
  "audio/wav",
  "audio/mp3",
  "audio/aiff",
  "audio/aac",
  "audio/ogg",
  "audio/flac",
  "video/mp4",
  "video/mpeg",
  "video/mov",
  "video/avi",
  "video/x-flv",
  "video/mpg",
  "video/webm",
  "video/wmv",
  "video/3gpp",
];

/** ai.google.dev: image-understanding, document-processing and file-input-methods. */
export const GEMINI_LIMITS: MediaLimits = {
  imageCount: 3600,
  pdfBytes: 50_000_000,
  pdfPages: 1000,
  requestBytes: 100_000_000,
};

const fromLow: Reasoning = {
  control: "level",
  words: ["low", "medium", "high"],
  canDisable: false,
};
const fromMinimal: Reasoning = { ...fromLow, words: ["minimal", ...fromLow.words] };

const INPUT = 1_048_576;
// A streamed answer. Gemini 4 stops at 32,768 when the answer is not streamed.
const OUTPUT = 65_536;

function row(id: string, reasoning: Reasoning, source: string, inherited?: readonly string[]) {
  const provenance: Provenance = { source, as_of: AS_OF };
  return {
    provider: "gemini",
    id,
    protocol: "gemini-generate",
    contextWindow: INPUT,
    maxOutput: OUTPUT,
    accepts: GEMINI_ACCEPTS,
    limits: GEMINI_LIMITS,
    reasoning,
    // Function responses carry media from Gemini 3 on, and every row here is that new.
    toolResultMedia: true,
    fileUrl: true,
    provenance: inherited ? { ...provenance, inherited } : provenance,
  } as const satisfies ModelProfile;
}

// The table tells text and image only; the other media are those of the family.
const MEDIA = ["accepts"];

export const GEMINI_MODELS: readonly ModelProfile[] = [
  row("gemini-4-argon", fromLow, ARGON, MEDIA),
  row("gemini-4-carbon", fromLow, cloud("4-carbon"), MEDIA),
  row("gemini-3.8-flash", fromLow, FLASH_3_8),
  // Deprecated: requests are answered by 3.8.
  row("gemini-3.7-flash", fromLow, TABLE, MEDIA),
  row("gemini-3.6-flash", fromMinimal, TABLE, MEDIA),
  // Deprecated: requests are answered by 3.6.
  row("gemini-3.5-flash", fromMinimal, TABLE, MEDIA),
  row("gemini-3.5-flash-lite", fromMinimal, TABLE, MEDIA),
  row("gemini-3.1-pro-preview", fromLow, TABLE, MEDIA),
  row("gemini-3.1-pro-preview-customtools", fromLow, TABLE, MEDIA),
  row("gemini-3.1-flash-lite", fromMinimal, TABLE, MEDIA),
  row("gemini-3.1-flash-lite-preview", fromMinimal, TABLE, MEDIA),
  row("gemini-3-flash-preview", fromMinimal, cloud("3-flash")),
  row("gemini-pro-latest", fromLow, TABLE, MEDIA),
  row("gemini-flash-latest", fromLow, TABLE, MEDIA),
  row("gemini-flash-lite-latest", fromMinimal, TABLE, MEDIA),
];
