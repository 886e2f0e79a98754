/** Gemini stream events to UI message chunks. */
import type { FinishReason, UiChunk } from "@galley/parts";
import { cutShort, metadataChunk, unreadable } from "../decode.ts";
import type { JsonObject } from "../json-value.ts";
import { decodingOf, type Stepper, type WireEvent } from "../protocol.ts";
import { type GeminiEvent, type Part, readEvent, type Source, usageOf } from "./response.ts";

type Open = { readonly kind: "text" | "reasoning"; readonly id: string };

type State = {
  readonly phase: "before" | "running" | "over";
  readonly open: Open | undefined;
  /** Blocks and calls so far; their numbers are their ids. */
  readonly blocks: number;
  readonly calls: number;
  /** Whether there is anything of an answer: thoughts alone are none. */
  readonly said: boolean;
  readonly sources: ReadonlySet<string>;
  readonly counts: JsonObject;
  readonly blocked: string | undefined;
  readonly finish: string | undefined;
  readonly finishMessage: string | undefined;
  readonly about: {
    readonly model?: string;
    readonly response_id?: string;
    /** Parts of a kind that was not asked for, as they came. */
    readonly unread_parts?: readonly unknown[];
  };
};
type Stepped = readonly [State, readonly UiChunk[]];

const START: State = {
  phase: "before",
  open: undefined,
  blocks: 0,
  calls: 0,
  said: false,
  sources: new Set(),
  counts: {},
  blocked: undefined,
  finish: undefined,
  finishMessage: undefined,
  about: {},
};

const STOPS: ReadonlyMap<string, FinishReason> = new Map([
  ["STOP", "stop"],
  ["MAX_TOKENS", "length"],
  // The limit of one request, below the one that was asked for.
  ["CONTINUATION", "length"],
  ["SAFETY", "content-filter"],
  ["RECITATION", "content-filter"],
  ["BLOCKLIST", "content-filter"],
  ["PROHIBITED_CONTENT", "content-filter"],
  ["SPII", "content-filter"],
  ["MODEL_ARMOR", "content-filter"],
  ["IMAGE_SAFETY", "content-filter"],
  ["IMAGE_PROHIBITED_CONTENT", "content-filter"],
  ["IMAGE_RECITATION", "content-filter"],
  ["MALFORMED_FUNCTION_CALL", "error"],
  ["UNEXPECTED_TOOL_CALL", "error"],
  ["TOO_MANY_TOOL_CALLS", "error"],
  ["MISSING_THOUGHT_SIGNATURE", "error"],
  ["MALFORMED_RESPONSE", "error"],
  ["NO_IMAGE", "error"],
]);

const stepper: Stepper<State> = { start: START, step, end };
export const decoding = decodingOf(stepper);

function step(state: State, { data }: WireEvent): Stepped {
  if (state.phase === "over") return [state, []];
  const event = readEvent(data);
  if (!event) return onError(state, unreadable(data));
  const running: State = { ...learn(state, event), phase: "running" };
  const begun: UiChunk[] = state.phase === "before" ? [{ type: "start-step" }] : [];
  if (event.error !== undefined) {
    const [over, chunks] = onError(running, { type: "error", errorText: event.error });
    return [over, [...begun, ...chunks]];
  }
  const steps = [
    (at: State) => onSources(at, event.sources),
    ...event.parts.map((part) => (at: State) => onPart(at, part)),
    (at: State) => (event.finish === undefined ? ([at, []] as const) : close(at)),
  ];
  return steps.reduce<Stepped>(
    ([at, chunks], next) => {
      const [after, made] = next(at);
      return [after, [...chunks, ...made]];
    },
    [running, begun],
  );
}

function learn(state: State, event: GeminiEvent): State {
  return {
    ...state,
    counts: { ...state.counts, ...event.counts },
    blocked: event.blocked ?? state.blocked,
    finish: event.finish ?? state.finish,
    finishMessage: event.finishMessage ?? state.finishMessage,
    about: {
      ...state.about,
      ...(event.model !== undefined && { model: event.model }),
      ...(event.responseId !== undefined && { response_id: event.responseId }),
    },
  };
}

function onPart(state: State, part: Part): Stepped {
  switch (part.kind) {
    case "text":
      return onText(state, part);
    case "call":
      return onCall(state, part);
    case "file":
      return onFile(state, part);
    case "unread": {
      const unread_parts = [...(state.about.unread_parts ?? []), part.raw];
      return [{ ...state, about: { ...state.about, unread_parts } }, []];
    }
  }
}

function onText(state: State, part: Extract<Part, { kind: "text" }>): Stepped {
  if (part.text === "" && part.signature === undefined) return [state, []];
  const [ready, begun] = openBlock(state, part.thought ? "reasoning" : "text");
  const { kind, id } = ready.open;
  const delta: UiChunk[] =
    part.text === "" ? [] : [{ type: `${kind}-delta`, id, delta: part.text }];
  const said: State = { ...ready, said: ready.said || (kind === "text" && part.text !== "") };
  if (part.signature === undefined) return [said, [...begun, ...delta]];
  // A signature covers what stands before it: text that follows begins a block of its own.
  const [closed, ended] = close(said, part.signature);
  return [closed, [...begun, ...delta, ...ended]];
}

function openBlock(
  state: State,
  kind: Open["kind"],
): readonly [State & { open: Open }, readonly UiChunk[]] {
  if (state.open?.kind === kind) return [{ ...state, open: state.open }, []];
  const [closed, ended] = close(state);
  const open: Open = { kind, id: String(closed.blocks) };
  const next = { ...closed, open, blocks: closed.blocks + 1 };
  return [next, [...ended, { type: `${kind}-start`, id: open.id }]];
}

function close(state: State, signature?: string): Stepped {
  if (!state.open) return [state, []];
  const { kind, id } = state.open;
  const end: UiChunk = { type: `${kind}-end`, id, ...signed(signature) };
  return [{ ...state, open: undefined }, [end]];
}

function onCall(state: State, part: Extract<Part, { kind: "call" }>): Stepped {
  const [closed, ended] = close(state);
  // Ids are optional in this API. The response's id keeps those of two steps apart.
  const minted = ["call", state.about.response_id, state.calls].filter((x) => x !== undefined);
  const call = { toolCallId: part.id || minted.join("_"), toolName: part.name };
  const chunks: UiChunk[] = [
    { type: "tool-input-start", ...call },
    {
      type: "tool-input-available",
      ...call,
      // Read from JSON, so it is JSON.
      input: part.args as Extract<UiChunk, { type: "tool-input-available" }>["input"],
      ...signed(part.signature),
    },
  ];
  return [{ ...closed, calls: state.calls + 1, said: true }, [...ended, ...chunks]];
}

function onFile(state: State, part: Extract<Part, { kind: "file" }>): Stepped {
  const [closed, ended] = close(state);
  const { url, mime: mediaType, thought } = part;
  const google = {
    ...(part.signature !== undefined && { thoughtSignature: part.signature }),
    ...(thought && { thought }),
  };
  const providerMetadata = Object.keys(google).length > 0 && { providerMetadata: { google } };
  const file: UiChunk = { type: "file", url, mediaType, ...providerMetadata };
  return [{ ...closed, said: state.said || !thought }, [...ended, file]];
}

function onSources(state: State, sources: readonly Source[]): Stepped {
  const fresh = sources.filter(
    ({ url }, index) =>
      !state.sources.has(url) && sources.findIndex((each) => each.url === url) === index,
  );
  if (fresh.length === 0) return [state, []];
  const known = new Set([...state.sources, ...fresh.map(({ url }) => url)]);
  const chunks = fresh.map(
    (source): UiChunk => ({ type: "source-url", sourceId: source.url, ...source }),
  );
  return [{ ...state, sources: known }, chunks];
}

function onError(state: State, error: UiChunk): Stepped {
  const [closed, ended] = close(state);
  const usage = state.phase === "before" ? [] : [metadataOf(state, "error")];
  return [{ ...closed, phase: "over" }, [...ended, ...usage, error]];
}

/** The stream has no last event of its own: only its end tells that all counts are in. */
function end(state: State): readonly UiChunk[] {
  if (state.phase === "over") return [];
  if (state.phase === "before") return [cutShort];
  const [closed, ended] = close(state);
  const reason = reasonOf(closed);
  return [...ended, metadataOf(closed, reason), failureOf(closed, reason) ?? FINISHED];
}

function metadataOf(state: State, reason: FinishReason | undefined): UiChunk {
  const { counts, about, finishMessage } = state;
  const known = { ...about, ...(finishMessage !== undefined && { finish_message: finishMessage }) };
  return metadataChunk(usageOf(counts), reason, known);
}

const FINISHED: UiChunk = { type: "finish-step" };

function reasonOf({ blocked, finish, calls }: State): FinishReason | undefined {
  // A model that went on to answer was not kept from the prompt.
  if (finish === undefined) return blocked === undefined ? undefined : "content-filter";
  return finish === "STOP" && calls > 0 ? "tool-calls" : (STOPS.get(finish) ?? "other");
}

/** What a person has to be told: an answer that is missing or broken without a word of its own. */
function failureOf(state: State, reason: FinishReason | undefined): UiChunk | undefined {
  const { blocked, finish, finishMessage, said } = state;
  if (reason === undefined) return cutShort;
  if (finish === undefined) {
    return { type: "error", errorText: `the provider blocked the prompt: ${blocked}` };
  }
  const silent = !said && (reason === "content-filter" || reason === "other");
  if (reason !== "error" && !silent) return undefined;
  const why = [finish, finishMessage].filter((each) => each !== undefined).join(": ");
  return { type: "error", errorText: `the model stopped without an answer: ${why}` };
}

const signed = (thoughtSignature: string | undefined) =>
  thoughtSignature === undefined ? {} : { providerMetadata: { google: { thoughtSignature } } };
