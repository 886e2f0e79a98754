/**
 * What an AI SDK model streams, to UI message chunks: a pure step from part to part.
 *
 * It reads the parts of V4, and those of V3 and V2 where they are spelled differently. A part of a
 * kind that has no chunk is kept, as data, in the step's metadata.
 */
import type {
  LanguageModelV2StreamPart,
  LanguageModelV3StreamPart,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import type { ProviderMetadata, UiChunk } from "@galley/parts";
import { cutShort, metadataChunk, parseInput } from "../decode.ts";
import { type Finish, NO_USAGE, readFinish, usageOf } from "./finish.ts";
import { asJson, type Json, sayError, urlOf } from "./value.ts";

export type AiSdkStreamPart =
  | LanguageModelV4StreamPart
  | LanguageModelV3StreamPart
  | LanguageModelV2StreamPart;
type PartOf<T extends AiSdkStreamPart["type"]> = Extract<AiSdkStreamPart, { type: T }>;
type Records = { readonly providerMetadata?: ProviderMetadata | undefined };

type Open = {
  readonly kind: "text" | "reasoning";
  readonly id: string;
  readonly records: ProviderMetadata;
};

type State = {
  readonly phase: "before" | "running" | "over";
  readonly open: ReadonlyMap<string, Open>;
  /** Inputs that are being written, by the id of their call. */
  readonly inputs: ReadonlyMap<string, { readonly name: string; readonly json: string }>;
  readonly said: boolean;
  readonly failed: boolean;
  readonly about: {
    readonly model?: string;
    readonly response_id?: string;
    /** What the provider could not do as it was asked. */
    readonly warnings?: readonly Json[];
    readonly unread_parts?: readonly Json[];
  };
};
export type AiSdkStream = State;
type Stepped = readonly [State, readonly UiChunk[]];

export const START: AiSdkStream = {
  phase: "before",
  open: new Map(),
  inputs: new Map(),
  said: false,
  failed: false,
  about: {},
};

/** Kinds that repeat what `response-metadata` and `finish` tell. */
const NOTICES = new Set<string>(["anthropic.message_start"]);

export function fromStreamPart(state: AiSdkStream, part: AiSdkStreamPart): Stepped {
  if (state.phase === "over") return [state, []];
  const [next, chunks] = onPart({ ...state, phase: "running" }, part);
  return [next, state.phase === "before" ? [{ type: "start-step" }, ...chunks] : chunks];
}

/** The stream is over: what is still open is closed, and an early end is an error chunk. */
export function endStream(state: AiSdkStream): readonly UiChunk[] {
  if (state.phase === "over") return [];
  if (state.phase === "before") return [cutShort];
  const finish = metadataChunk(NO_USAGE, undefined, state.about);
  return [...closeAll(state), finish, ...(state.failed ? [] : [cutShort])];
}

function onPart(state: State, part: AiSdkStreamPart): Stepped {
  switch (part.type) {
    case "text-start":
    case "text-delta":
    case "text-end":
      return onBlock(state, "text", part);
    case "reasoning-start":
    case "reasoning-delta":
    case "reasoning-end":
      return onBlock(state, "reasoning", part);
    case "tool-input-start":
      return onInputStart(state, part);
    case "tool-input-delta":
      return onInputDelta(state, part);
    case "tool-input-end":
    case "ping":
    case "raw":
      // The call itself follows; pings and raw events hold nothing of the answer.
      return [state, []];
    case "tool-call":
      return onCall(state, part);
    case "tool-result":
      return [state, [resultChunk(part)]];
    case "file":
    case "reasoning-file":
      return onFile(state, part);
    case "source":
      return onSource(state, part);
    case "stream-start":
      return [learn(state, "warnings", part.warnings ?? []), []];
    case "response-metadata":
      return [withResponse(state, part), []];
    case "finish":
      return onFinish(state, part);
    case "error":
      return [{ ...state, failed: true }, [{ type: "error", errorText: sayError(part.error) }]];
    case "custom":
      if (NOTICES.has(part.kind)) return [state, []];
      return [learn(state, "unread_parts", [part]), []];
    default:
      return [learn(state, "unread_parts", [part]), []];
  }
}

type Edge =
  | PartOf<"text-start" | "text-delta" | "text-end">
  | PartOf<"reasoning-start" | "reasoning-delta" | "reasoning-end">;

/** Records may come with any piece of a block; they leave together, with its end. */
function onBlock(state: State, kind: Open["kind"], part: Edge): Stepped {
  const key = `${kind} ${part.id}`;
  const known = state.open.get(key);
  const records = join(known?.records ?? {}, part);
  const begun: UiChunk[] = known ? [] : [{ type: `${kind}-start`, id: part.id }];
  const block: Open = { kind, id: part.id, records };
  if (part.type === "text-end" || part.type === "reasoning-end") {
    const open = new Map(state.open);
    open.delete(key);
    const cited = "citations" in part ? (part.citations ?? []) : [];
    const [after, sources] = cited.reduce<Stepped>(
      ([at, chunks], { source }) => {
        const [next, made] = onSource(at, source);
        return [next, [...chunks, ...made]];
      },
      [{ ...state, open }, []],
    );
    return [after, [...begun, endOf(block), ...sources]];
  }
  const delta = "delta" in part ? part.delta : "";
  const said = state.said || (kind === "text" && delta !== "");
  const open = new Map(state.open).set(key, block);
  const chunks: UiChunk[] = delta === "" ? [] : [{ type: `${kind}-delta`, id: part.id, delta }];
  return [{ ...state, open, said }, [...begun, ...chunks]];
}

const endOf = ({ kind, id, records }: Open): UiChunk => ({
  type: `${kind}-end`,
  id,
  ...recorded(records),
});

const closeAll = ({ open }: State): UiChunk[] => [...open.values()].map(endOf);

function onInputStart(state: State, part: PartOf<"tool-input-start">): Stepped {
  const inputs = new Map(state.inputs).set(part.id, { name: part.toolName, json: "" });
  const { id: toolCallId, toolName } = part;
  return [
    { ...state, inputs },
    [{ type: "tool-input-start", toolCallId, toolName, ...where(part) }],
  ];
}

function onInputDelta(state: State, { id, delta }: PartOf<"tool-input-delta">): Stepped {
  const input = state.inputs.get(id);
  if (!input || delta === "") return [state, []];
  const inputs = new Map(state.inputs).set(id, { ...input, json: input.json + delta });
  return [
    { ...state, inputs },
    [{ type: "tool-input-delta", toolCallId: id, inputTextDelta: delta }],
  ];
}

function onCall(state: State, part: PartOf<"tool-call">): Stepped {
  const { toolCallId, toolName } = part;
  const inputs = new Map(state.inputs);
  const begun: UiChunk[] = inputs.delete(toolCallId)
    ? []
    : [{ type: "tool-input-start", toolCallId, toolName, ...where(part) }];
  const call: UiChunk = {
    ...parseInput(toolCallId, toolName, part.input),
    ...where(part),
    ...recorded(join({}, part)),
  };
  return [{ ...state, inputs, said: true }, [...begun, call]];
}

/** Who runs the tool: a call that the provider ran itself is not ours to run again. */
const where = (part: { readonly providerExecuted?: boolean; readonly dynamic?: boolean }) => ({
  ...(part.providerExecuted && { providerExecuted: true }),
  ...(part.dynamic && { dynamic: true }),
});

function resultChunk(part: PartOf<"tool-result">): UiChunk {
  const { toolCallId, result } = part;
  const by = {
    providerExecuted: true,
    ...("preliminary" in part && part.preliminary && { preliminary: true }),
  };
  return part.isError
    ? { type: "tool-output-error", toolCallId, errorText: sayError(result), ...by }
    : { type: "tool-output-available", toolCallId, output: asJson(result), ...by };
}

function onFile(state: State, part: PartOf<"file"> | PartOf<"reasoning-file">): Stepped {
  const { mediaType } = part;
  const thought = part.type === "reasoning-file" && { reasoning: true };
  const url = urlOf(part.data, mediaType);
  const chunk: UiChunk = { type: "file", url, mediaType, ...thought, ...recorded(join({}, part)) };
  return [{ ...state, said: state.said || !thought }, [chunk]];
}

function onSource(state: State, part: PartOf<"source">): Stepped {
  if (part.sourceType !== "url") return [learn(state, "unread_parts", [part]), []];
  const { id: sourceId, url, title } = part;
  return [state, [{ type: "source-url", sourceId, url, ...(title !== undefined && { title }) }]];
}

function onFinish(state: State, part: PartOf<"finish">): Stepped {
  const finish = readFinish(part.finishReason);
  const lost = [...state.inputs].map(([toolCallId, { name, json }]): UiChunk => {
    const errorText = "the answer ended before the call was complete";
    return { type: "tool-input-error", toolCallId, toolName: name, input: json, errorText };
  });
  const metadata = metadataChunk(usageOf(part.usage), finish.reason, state.about);
  return [
    { ...state, phase: "over", open: new Map() },
    [...closeAll(state), ...lost, metadata, ...lastOf(state, finish)],
  ];
}

/** A failure that was told already is not told again. */
function lastOf({ failed, said }: State, { reason, raw }: Finish): UiChunk[] {
  if (failed) return [];
  if (reason === undefined) return [cutShort];
  const silent = !said && (reason === "content-filter" || reason === "other");
  if (reason !== "error" && !silent) return [{ type: "finish-step" }];
  return [{ type: "error", errorText: `the model stopped without an answer: ${raw ?? reason}` }];
}

function withResponse(state: State, part: PartOf<"response-metadata">): State {
  const about = {
    ...state.about,
    ...(part.modelId !== undefined && { model: part.modelId }),
    ...(part.id !== undefined && { response_id: part.id }),
  };
  return { ...state, about };
}

function learn(state: State, key: "warnings" | "unread_parts", found: readonly unknown[]): State {
  if (found.length === 0) return state;
  const all = [...(state.about[key] ?? []), ...found.map(asJson)];
  return { ...state, about: { ...state.about, [key]: all } };
}

/** Later records of a provider go over its earlier ones, field by field. */
function join(known: ProviderMetadata, part: object): ProviderMetadata {
  const { providerMetadata = {} } = part as Records;
  const fresh = Object.entries(providerMetadata).map(
    ([key, record]) => [key, { ...known[key], ...record }] as const,
  );
  return { ...known, ...Object.fromEntries(fresh) };
}

const recorded = (records: ProviderMetadata) =>
  Object.keys(records).length > 0 ? { providerMetadata: records } : {};
