/**
 * Responses stream events to UI message chunks. Every event names its item by its place in the
 * output; items stream side by side, and `decode-item.ts` follows each one.
 */
import type { FinishReason, UiChunk, Usage } from "@galley/parts";
import { cutShort, metadataChunk, parseEvent, unreadable } from "../decode.ts";
import { asList, asObject, asText, type JsonObject } from "../json-value.ts";
import { sayError } from "../openai/error-text.ts";
import { namelessCall } from "../openai/tool-input.ts";
import { NO_USAGE, responsesUsage } from "../openai/usage.ts";
import { decodingOf, type Stepper, type WireEvent } from "../protocol.ts";
import {
  catchUp,
  closeItem,
  dropItem,
  growBlock,
  growCall,
  type Item,
  openItem,
  speech,
  textBlock,
  thoughtBlock,
} from "./decode-item.ts";

type State = {
  readonly started: boolean;
  readonly open: ReadonlyMap<string, Item>;
  readonly called: boolean;
  readonly refused: boolean;
  readonly usage: Usage;
  readonly about: { readonly model?: string; readonly response_id?: string };
  readonly done: boolean;
};
type Stepped = readonly [State, readonly UiChunk[]];

const START: State = {
  started: false,
  open: new Map(),
  called: false,
  refused: false,
  usage: NO_USAGE,
  about: {},
  done: false,
};

const INCOMPLETE: ReadonlyMap<string, FinishReason> = new Map([
  ["max_output_tokens", "length"],
  ["content_filter", "content-filter"],
]);

const stepper: Stepper<State> = { start: START, step, end };
export const decoding = decodingOf(stepper);

function step(state: State, { data }: WireEvent): Stepped {
  // The API does not send `[DONE]`; servers that also speak Chat Completions do.
  if (state.done || data.trim() === "[DONE]") return [state, []];
  const event = parseEvent<JsonObject>(data);
  if (!event) return fail(state, unreadable(data));
  if (event.type === "error" || (event.type === undefined && event.error)) {
    const { code, message } = event;
    const errorText = sayError(event.error || { code, message });
    return fail(state, { type: "error", errorText });
  }
  if (event.type === "response.failed") return onFailed(state, asObject(event.response));
  const [next, chunks] = onEvent(state, event);
  if (state.started) return [next, chunks];
  return [{ ...next, started: true }, [{ type: "start-step" }, ...chunks]];
}

function onEvent(state: State, event: JsonObject): Stepped {
  switch (event.type) {
    case "response.created":
      return [withAbout(state, asObject(event.response)), []];
    case "response.output_item.added":
      return onAdded(state, keyOf(event), asObject(event.item));
    case "response.output_item.done":
      return onDone(state, keyOf(event), asObject(event.item));
    case "response.function_call_arguments.delta":
      return onItem(state, event, undefined, (item) => growCall(item, asText(event.delta)));
    case "response.completed":
      return finish(state, asObject(event.response), "completed");
    case "response.incomplete":
      return finish(state, asObject(event.response), "incomplete");
    default:
      return onSpeech(state, event);
  }
}

function onSpeech(state: State, event: JsonObject): Stepped {
  const { content_index: content, summary_index: summary, delta, part } = event;
  const grow = (kind: "text" | "reasoning", block: string) =>
    onItem(state, event, kind, (item) => growBlock(item, block, asText(delta)));
  const whole = (kind: "text" | "reasoning", block: string, text: unknown) =>
    onItem(state, event, kind, (item) => catchUp(item, block, asText(text)));
  switch (event.type) {
    case "response.content_part.added":
      return asObject(part).type === "reasoning_text"
        ? grow("reasoning", thoughtBlock(content))
        : grow("text", textBlock(content));
    case "response.output_text.delta":
    case "response.refusal.delta":
      return grow("text", textBlock(content));
    case "response.output_text.done":
      return whole("text", textBlock(content), event.text);
    case "response.refusal.done":
      return whole("text", textBlock(content), event.refusal);
    case "response.reasoning_summary_part.added":
    case "response.reasoning_summary_text.delta":
      return grow("reasoning", textBlock(summary));
    case "response.reasoning_summary_text.done":
      return whole("reasoning", textBlock(summary), event.text);
    case "response.reasoning_text.delta":
      return grow("reasoning", thoughtBlock(content));
    case "response.reasoning_text.done":
      return whole("reasoning", thoughtBlock(content), event.text);
    default:
      // Progress, the ends of parts that the item's end repeats, and tools that were not asked for.
      return [state, []];
  }
}

/** By its place: some servers give an item another id with every event. */
const keyOf = ({ output_index: index, item_id: id }: JsonObject): string =>
  typeof index === "number" ? String(index) : asText(id);

function onAdded(state: State, key: string, item: JsonObject): Stepped {
  const before = state.open.get(key);
  const ended = before ? dropItem(before) : [];
  const [made, chunks] = openItem(key, item) ?? [];
  if (!made) return [without(state, key), ended];
  const called = state.called || made.kind === "call";
  return [{ ...withItem(state, key, made), called }, [...ended, ...(chunks ?? [])]];
}

/** `kind` is what an item must be whose beginning did not arrive; a call cannot do without. */
function onItem(
  state: State,
  event: JsonObject,
  kind: "text" | "reasoning" | undefined,
  grow: (item: Item) => readonly [Item, readonly UiChunk[]],
): Stepped {
  const key = keyOf(event);
  const item = state.open.get(key) ?? (kind && speech(kind, key, asText(event.item_id)));
  if (!item) return [state, []];
  const refused = state.refused || asText(event.type).startsWith("response.refusal.");
  const [next, chunks] = grow(item);
  return [{ ...withItem(state, key, next), refused }, chunks];
}

function onDone(state: State, key: string, item: JsonObject): Stepped {
  const [ready, opened] = state.open.has(key) ? [state, []] : onAdded(state, key, item);
  const open = ready.open.get(key);
  if (!open) {
    const nameless = item.type === "function_call" ? [namelessCall(asText(item.arguments))] : [];
    return [ready, [...opened, ...nameless]];
  }
  const refused = asList(item.content).some((part) => asObject(part).type === "refusal");
  return [
    { ...without(ready, key), refused: ready.refused || refused },
    [...opened, ...closeItem(open, item)],
  ];
}

function finish(state: State, response: JsonObject, status: "completed" | "incomplete"): Stepped {
  const known = withAbout(state, response);
  const ended = [...state.open.values()].flatMap((item) => closeItem(item, { status }));
  const reason = asText(asObject(response.incomplete_details).reason);
  const whole = status === "completed";
  const finishReason = whole ? reasonOf(state) : (INCOMPLETE.get(reason) ?? "other");
  const metadata = metadataChunk(known.usage, finishReason, known.about);
  return [{ ...known, open: new Map(), done: true }, [...ended, metadata, { type: "finish-step" }]];
}

/** Calls want to be run, also beside a refusal. */
function reasonOf({ called, refused }: State): FinishReason {
  if (called) return "tool-calls";
  return refused ? "content-filter" : "stop";
}

function onFailed(state: State, response: JsonObject): Stepped {
  const errorText = sayError(response.error);
  return fail(withAbout(state, response), { type: "error", errorText });
}

function fail(state: State, error: UiChunk): Stepped {
  const metadata = metadataChunk(state.usage, "error", state.about);
  return [{ ...state, open: new Map(), done: true }, [...drop(state), metadata, error]];
}

function end(state: State): readonly UiChunk[] {
  if (state.done) return [];
  return [...drop(state), metadataChunk(state.usage, undefined, state.about), cutShort];
}

const drop = (state: State): UiChunk[] => [...state.open.values()].flatMap(dropItem);

function withAbout(state: State, { id, model, usage }: JsonObject): State {
  const about = {
    ...state.about,
    ...(asText(model) && { model: asText(model) }),
    ...(asText(id) && { response_id: asText(id) }),
  };
  return { ...state, about, usage: usage ? responsesUsage(usage) : state.usage };
}

const withItem = (state: State, key: string, item: Item): State => ({
  ...state,
  open: new Map(state.open).set(key, item),
});

function without(state: State, key: string): State {
  const open = new Map(state.open);
  open.delete(key);
  return { ...state, open };
}
