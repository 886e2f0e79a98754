/**
 * What lowering may ask of an AI SDK model: the media of its profile, and whose records it reads.
 *
 * A provider finds its own signatures and item ids under its own key, and hides that key: it has to
 * be guessed from the provider's name. Records of other providers stay behind, as on every protocol.
 */
import type { AssistantContext } from "@galley/assemble";
import type { AssistantPart, ProviderMetadata } from "@galley/parts";
import { acceptsMedia } from "../catalogue/lookup.ts";
import type { ModelProfile } from "../catalogue/model.ts";
import { INLINE_TEXT_BYTES } from "../lower.ts";
import type { AnswerTarget } from "../lower-assistant.ts";
import { overLimit } from "../media-limits.ts";

/** Where `ownRecords` puts a provider's records, whatever keys they came under. */
const OWN = "own";

/**
 * The keys a provider may use, from its name: `google.vertex.chat` reads `google`, `vertex` and
 * `googleVertex`, `amazon-bedrock` reads `bedrock` and `amazonBedrock`.
 */
export function keysOf(provider: string): ReadonlySet<string> {
  const words = provider.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const pairs = words.slice(1).map((word, index) => `${words[index]}${capital(word)}`);
  return new Set([...words, ...pairs]);
}

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

export function targetOf(profile: ModelProfile, keys: ReadonlySet<string>): AnswerTarget {
  return {
    namespace: OWN,
    inlineTextBytes: INLINE_TEXT_BYTES,
    toolResultMedia: profile.toolResultMedia,
    // Of the providers known here, only Google's takes back a picture that its model made.
    answerMedia: (mime) => keys.has("google") && mime.startsWith("image/"),
    signed: (records) => (Object.values(records).some(proves) ? records : undefined),
    refuses: (mime, size, base64) =>
      acceptsMedia(profile, mime)
        ? overLimit(profile.limits, mime, size, base64)
        : `the model does not take ${mime}`,
  };
}

/** An item's id alone is no proof: it names what the provider may have kept, and we ask it not to. */
function proves(record: unknown): boolean {
  if (typeof record !== "object" || record === null) return false;
  return Object.entries(record).some(
    ([key, value]) => key !== "itemId" && typeof value === "string" && value !== "",
  );
}

/** The message with the provider's own records, as one map that goes back as it came. */
export function ownRecords(message: AssistantContext, keys: ReadonlySet<string>): AssistantContext {
  return { ...message, parts: message.parts.map((part) => withOwn(part, keys)) };
}

type Recorded = { providerMetadata?: ProviderMetadata; callProviderMetadata?: ProviderMetadata };

function withOwn(part: AssistantPart, keys: ReadonlySet<string>): AssistantPart {
  const { providerMetadata, callProviderMetadata, ...rest } = part as AssistantPart & Recorded;
  const said = pick(providerMetadata, keys);
  const called = pick(callProviderMetadata, keys);
  // The same part with other records; a spread of a union loses which member it was.
  return {
    ...rest,
    ...(said && { providerMetadata: said }),
    ...(called && { callProviderMetadata: called }),
  } as AssistantPart;
}

function pick(
  metadata: ProviderMetadata | undefined,
  keys: ReadonlySet<string>,
): ProviderMetadata | undefined {
  const own = Object.entries(metadata ?? {}).filter(([key]) => keys.has(key));
  return own.length > 0 ? { [OWN]: Object.fromEntries(own) } : undefined;
}
