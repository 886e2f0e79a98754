/** Anthropic stream events to UI message chunks. */
import type { FinishReason, UiChunk, Usage } from "@galley/parts";
import { cutShort, metadataChunk, parseInput, unreadable } from "../decode.ts";
import type { JsonObject } from "../json-value.ts";
import { decodingOf, type Stepper, type WireEvent } from "../protocol.ts";
import { type AnthropicEvent, type Counts, readEvent } from "./event.ts";

type Open =
  | { readonly kind: "text" | "reasoning"; readonly id: string; readonly signature?: string }
  | { readonly kind: "tool"; readonly id: string; readonly name: string; readonly json: string }
  | { readonly kind: "other" };

type State = {
  readonly started: boolean;
  readonly open: ReadonlyMap<number, Open>;
  readonly usage: Usage;
  readonly stop: FinishReason | undefined;
  readonly about: {
    readonly model?: string;
    readonly response_id?: string;
    /** Blocks and deltas of kinds that were not asked for, as they came. */
    readonly unread_parts?: readonly unknown[];
  };
  readonly done: boolean;
};
type Stepped = readonly [State, readonly UiChunk[]];

const START: State = {
  started: false,
  open: new Map(),
  usage: { input: 0, output: 0, reasoning: 0, cache_read: 0, cache_write: 0 },
  stop: undefined,
  about: {},
  done: false,
};

const STOPS: ReadonlyMap<string, FinishReason> = new Map([
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["pause_turn", "stop"],
  ["tool_use", "tool-calls"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["refusal", "content-filter"],
]);

const stepper: Stepper<State> = { start: START, step, end };
export const decoding = decodingOf(stepper);

function step(state: State, { data }: WireEvent): Stepped {
  if (state.done) return [state, []];
  const event = readEvent(data);
  if (!event) return fail(state, unreadable(data));
  if (event.type === "error") return fail(state, { type: "error", errorText: event.error });
  const [next, chunks] = onEvent(state, event);
  if (state.started || (chunks.length === 0 && event.type !== "message_start")) {
    return [next, chunks];
  }
  return [{ ...next, started: true }, [{ type: "start-step" }, ...chunks]];
}

function onEvent(state: State, event: AnthropicEvent): Stepped {
  switch (event.type) {
    case "message_start":
      return onStart(state, event);
    case "content_block_start":
      return onBlockStart(state, event);
    case "content_block_delta":
      return onDelta(state, event);
    case "content_block_stop":
      return onBlockStop(state, event.index);
    case "message_delta":
      return onMessageDelta(state, event);
    case "message_stop":
      return onStop(state);
    default:
      // `ping`, and event types of a later version, which the API asks clients to let pass.
      return [state, []];
  }
}

function onStart(state: State, { id, model, counts }: AnthropicEvent): Stepped {
  const about = {
    ...state.about,
    ...(model !== undefined && { model }),
    ...(id !== undefined && { response_id: id }),
  };
  return [{ ...state, about, usage: count(state.usage, counts) }, []];
}

function onBlockStart(before: State, { index, block }: AnthropicEvent): Stepped {
  // An index that is still open was never closed: what stood there ends here.
  const [state, ended] = onBlockStop(before, index);
  const id = String(index);
  switch (block.type) {
    case "text": {
      const first: UiChunk[] = block.text ? [{ type: "text-delta", id, delta: block.text }] : [];
      const chunks: UiChunk[] = [...ended, { type: "text-start", id }, ...first];
      return [withOpen(state, index, { kind: "text", id }), chunks];
    }
    case "thinking": {
      const chunks: UiChunk[] = [...ended, { type: "reasoning-start", id }];
      return [withOpen(state, index, { kind: "reasoning", id }), chunks];
    }
    case "redacted_thinking": {
      const about = { id, providerMetadata: { anthropic: { redactedData: block.data } } };
      const chunks: UiChunk[] = [
        { type: "reasoning-start", ...about },
        { type: "reasoning-end", ...about },
      ];
      return [state, [...ended, ...chunks]];
    }
    case "tool_use": {
      const tool = { kind: "tool", id: block.id ?? id, name: block.name ?? "", json: "" } as const;
      const chunk = { type: "tool-input-start", toolCallId: tool.id, toolName: tool.name } as const;
      return [withOpen(state, index, tool), [...ended, chunk]];
    }
    default:
      return [withOpen(unread(state, block.raw), index, { kind: "other" }), ended];
  }
}

function onDelta(state: State, { index, delta }: AnthropicEvent): Stepped {
  const open = state.open.get(index);
  switch (delta.type) {
    case "text_delta":
    case "thinking_delta": {
      const kind = delta.type === "text_delta" ? "text" : "reasoning";
      if (open?.kind !== kind) return [unread(state, delta.raw), []];
      const said = kind === "text" ? delta.text : delta.thinking;
      return [state, said === "" ? [] : [{ type: `${kind}-delta`, id: open.id, delta: said }]];
    }
    case "signature_delta": {
      if (open?.kind !== "reasoning") return [unread(state, delta.raw), []];
      const signature = (open.signature ?? "") + delta.signature;
      return [withOpen(state, index, { ...open, signature }), []];
    }
    case "input_json_delta": {
      if (open?.kind !== "tool") return [unread(state, delta.raw), []];
      if (delta.json === "") return [state, []];
      const next = withOpen(state, index, { ...open, json: open.json + delta.json });
      return [
        next,
        [{ type: "tool-input-delta", toolCallId: open.id, inputTextDelta: delta.json }],
      ];
    }
    default:
      return [unread(state, delta.raw), []];
  }
}

function onBlockStop(state: State, index: number): Stepped {
  const open = state.open.get(index);
  if (!open) return [state, []];
  const rest = new Map(state.open);
  rest.delete(index);
  return [{ ...state, open: rest }, close(open)];
}

function close(open: Open): UiChunk[] {
  switch (open.kind) {
    case "text":
      return [{ type: "text-end", id: open.id }];
    case "reasoning": {
      const providerMetadata = open.signature && { anthropic: { signature: open.signature } };
      return [
        { type: "reasoning-end", id: open.id, ...(providerMetadata && { providerMetadata }) },
      ];
    }
    case "tool":
      return [parseInput(open.id, open.name, open.json)];
    case "other":
      return [];
  }
}

function onMessageDelta(state: State, { delta, counts }: AnthropicEvent): Stepped {
  const { stopReason } = delta;
  const stop = stopReason === undefined ? state.stop : (STOPS.get(stopReason) ?? "other");
  return [{ ...state, stop, usage: count(state.usage, counts) }, []];
}

function onStop(state: State): Stepped {
  const open = [...state.open.values()].flatMap(close);
  const finish = metadataChunk(state.usage, state.stop ?? "other", state.about);
  return [{ ...state, open: new Map(), done: true }, [...open, finish, { type: "finish-step" }]];
}

function fail(state: State, error: UiChunk): Stepped {
  const metadata = metadataChunk(state.usage, "error", state.about);
  return [{ ...state, open: new Map(), done: true }, [...hush(state), metadata, error]];
}

function end(state: State): readonly UiChunk[] {
  if (state.done) return [];
  return [...hush(state), metadataChunk(state.usage, undefined, state.about), cutShort];
}

/** Ends what was being said. A tool's input stays open: half of it is no input. */
function hush(state: State): UiChunk[] {
  return [...state.open.values()].filter(({ kind }) => kind !== "tool").flatMap(close);
}

/** Counts are totals so far; a later event that names one replaces it. */
function count(usage: Usage, counts: Counts): Usage {
  const reasoning = counts.thinking ?? usage.reasoning;
  const output = counts.output ?? usage.output + usage.reasoning;
  return {
    input: counts.input ?? usage.input,
    output: Math.max(0, output - reasoning),
    reasoning,
    cache_read: counts.cacheRead ?? usage.cache_read,
    cache_write: counts.cacheWrite ?? usage.cache_write,
  };
}

const withOpen = (state: State, index: number, open: Open): State => ({
  ...state,
  open: new Map(state.open).set(index, open),
});

const unread = (state: State, raw: JsonObject): State => ({
  ...state,
  about: { ...state.about, unread_parts: [...(state.about.unread_parts ?? []), raw] },
});
