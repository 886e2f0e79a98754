/**
 * What a model can take: one flat row for each provider and model id.
 *
 * The rows are facts with their source, not guesses: lowering, budget and the `models` listing read
 * them and nothing else. Prices, speed and quality are not here.
 */

export type ProtocolId =
  | "anthropic-messages"
  | "openai-responses"
  | "openai-chat"
  | "gemini-generate";

/** The providers that have rows of their own; configuration may name others. */
export type BuiltInProvider = "anthropic" | "openai" | "openai-chat" | "gemini" | "rehearsal";

export type MediaLimits = {
  /** Bytes of the file itself: three quarters of the figure where base64 text is counted. */
  readonly imageBytes?: number;
  /** Images in one request, those of earlier turns and of tool results included. */
  readonly imageCount?: number;
  /** Pixels of the longer side. */
  readonly imageEdge?: number;
  /** A narrower side once a request holds more than `count` images. */
  readonly imageEdgeAbove?: { readonly count: number; readonly edge: number };
  /** An image covered with squares of `size` pixels is refused above `count` of them. */
  readonly imagePatches?: { readonly size: number; readonly count: number };
  /** Animated images are refused, not reduced to their first frame. */
  readonly stillOnly?: true;
  /** Bytes of the file itself. */
  readonly pdfBytes?: number;
  /** Pages in one request. */
  readonly pdfPages?: number;
  /** Bytes of the whole request body, base64 and all. */
  readonly requestBytes?: number;
};

export type Reasoning = {
  /** What the request carries: a word for how hard to think, or a number of tokens. */
  readonly control: "effort" | "level" | "budget";
  /** The words it may carry, weakest first; none for a budget. */
  readonly words: readonly string[];
  readonly canDisable: boolean;
};

export type Provenance = {
  /** A document, a package with its version, or `config`. */
  readonly source: string;
  /** The day on which the source was read; `undated` for configuration. */
  readonly as_of: string;
  /** Fields that the source does not give: those of the family, or of the built-in row. */
  readonly inherited?: readonly string[];
};

export type ModelProfile = {
  readonly provider: string;
  readonly id: string;
  readonly protocol: ProtocolId;
  /** Tokens, input and output together. */
  readonly contextWindow: number;
  /** Tokens of one streamed answer. */
  readonly maxOutput: number;
  /** MIME patterns in the provider's own spelling: `text/*`, `image/png`. */
  readonly accepts: readonly string[];
  readonly limits?: MediaLimits;
  readonly reasoning?: boolean | Reasoning;
  /** Absent: any tool, any time. `none` and `without-reasoning` are refusals of the endpoint. */
  readonly tools?: "none" | "without-reasoning";
  /** Whether a tool result can carry an image. */
  readonly toolResultMedia: boolean;
  /** Whether the provider fetches an http(s) address, for every media type it accepts. */
  readonly fileUrl?: boolean;
  /** The announced last day, where there is one. */
  readonly retires?: string;
  readonly provenance: Provenance;
};

/** The name people write: `provider/model`. */
export const modelName = (profile: Pick<ModelProfile, "provider" | "id">): string =>
  `${profile.provider}/${profile.id}`;
