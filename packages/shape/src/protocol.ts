/**
 * What the kit asks of a wire protocol: two pure translations, one each way.
 *
 * A protocol is a value. It holds no key, opens no connection and keeps no state. Towards the
 * provider it turns lowered blocks into native JSON, item by item, and never sees a whole history;
 * from the provider it steps through stream events. `forme.ts` joins the items into a body.
 */
import type { Layer, ToolChoice, ToolDefinition } from "@galley/assemble";
import type { UiChunk } from "@galley/parts";
import type { Origin, UserBlock } from "./block.ts";
import type { ModelProfile, ProtocolId } from "./catalogue/model.ts";
import type { Step } from "./lower-assistant.ts";

/** A wrapper that neighbouring items share: one wire message around several content blocks. */
export type Frame = { readonly key: string; readonly open: string; readonly close: string };

/** Which characters of an item's JSON a part became. */
export type Trace = { readonly part: number; readonly start: number; readonly end: number };

export type WireItem = {
  readonly frame?: Frame | undefined;
  /** One JSON object. */
  readonly json: string;
  readonly traces: readonly Trace[];
  /** Whether a cache marker may stand inside, before the closing brace. */
  readonly markable?: boolean | undefined;
};

export type Settings = {
  /** Tokens; the model's own limit when absent. */
  readonly maxOutput?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly stop?: readonly string[];
  readonly reasoning?: { readonly effort?: "low" | "medium" | "high"; readonly budget?: number };
  readonly stream: boolean;
  /** `auto` marks what the provider may keep between requests, by the protocol's own policy. */
  readonly cache: "auto" | "off";
  /** Routes requests of one conversation to one cache, where the provider takes such a key. */
  readonly cacheKey?: string;
};

export type EnvelopeInput = {
  readonly profile: ModelProfile;
  readonly layers: readonly Layer[];
  readonly tools: readonly ToolDefinition[];
  readonly toolChoice?: ToolChoice | undefined;
  readonly settings: Settings;
};

/** What stands before and after the messages. `traces` counts layers, in characters of `head`. */
export type Envelope = {
  readonly head: string;
  readonly tail: string;
  readonly traces: readonly {
    readonly layer: string;
    readonly start: number;
    readonly end: number;
  }[];
  /** Settings that were asked for and that this model does not take. */
  readonly leftOut?: readonly string[];
};

export type Endpoint = {
  readonly method: "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
};

export type EndpointInput = {
  readonly profile: ModelProfile;
  readonly baseUrl: string;
  /** Absent when the provider is called without one, as in a proof. */
  readonly key?: string | undefined;
  readonly stream: boolean;
};

/** One server-sent event, as the parser hands it over. */
export type WireEvent = { readonly event?: string | undefined; readonly data: string };

/** A stream in the middle: feeding it an event gives the next one and what became known. */
export interface Decoding {
  push(event: WireEvent): readonly [Decoding, readonly UiChunk[]];
  /** The bytes are over: what is still open is closed, and an early end is an error chunk. */
  end(): readonly UiChunk[];
}

export interface Protocol {
  readonly id: ProtocolId;
  /** The provider's key in `providerMetadata`. */
  readonly namespace: string;
  /** Text that turns a content item into a cache breakpoint, where the protocol has them. */
  readonly marker?: string;
  /** Whether this protocol has a native form for the type; the model must take it too. */
  encodes(mime: string): boolean;
  answerMedia(mime: string): boolean;
  signed(
    metadata: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, unknown>> | undefined;
  encodeUser(blocks: readonly Origin<UserBlock>[]): readonly WireItem[];
  encodeStep(step: Step): readonly WireItem[];
  envelope(input: EnvelopeInput): Envelope;
  endpoint(input: EndpointInput): Endpoint;
  readonly decoding: Decoding;
  /** The sentence in an error body, where it has the provider's shape. */
  errorText(body: unknown): string | undefined;
}

/** The pure core of a decoder: a state, an event, the next state and what became known. */
export type Stepper<State> = {
  readonly start: State;
  readonly step: (state: State, event: WireEvent) => readonly [State, readonly UiChunk[]];
  readonly end: (state: State) => readonly UiChunk[];
};

/** Hides the state's type, so that protocols of different states share one interface. */
export function decodingOf<State>(stepper: Stepper<State>, state = stepper.start): Decoding {
  return {
    push(event) {
      const [next, chunks] = stepper.step(state, event);
      return [decodingOf(stepper, next), chunks];
    },
    end: () => stepper.end(state),
  };
}

/** An item that one part became as a whole. */
export function wholeItem(
  part: number | undefined,
  json: string,
  { frame, markable }: Omit<WireItem, "json" | "traces"> = {},
): WireItem {
  const traces = part === undefined ? [] : [{ part, start: 0, end: json.length }];
  return { frame, json, traces, markable };
}
