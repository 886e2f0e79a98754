/**
 * Chat Completions chunks to UI message chunks.
 *
 * A chunk has no notion of a block: text, reasoning and calls are deltas side by side. A text or
 * reasoning block is open until something else is said; calls are open until the answer is over.
 */
import type { FinishReason, UiChunk, Usage } from "@galley/parts";
import { cutShort, metadataChunk, parseEvent, unreadable } from "../decode.ts";
import { asList, asObject, asText, type JsonObject } from "../json-value.ts";
import { sayError } from "../openai/error-text.ts";
import { chatUsage, NO_USAGE } from "../openai/usage.ts";
import { decodingOf, type Stepper, type WireEvent } from "../protocol.ts";
import { type Call, closeCalls, pushCall } from "./decode-call.ts";

type Spoken = { readonly kind: "text" | "reasoning"; readonly id: string };

type State = {
  readonly started: boolean;
  readonly open: Spoken | undefined;
  /** How many text and reasoning blocks there were. */
  readonly blocks: number;
  readonly calls: readonly Call[];
  readonly refused: boolean;
  readonly usage: Usage;
  /** The provider's own word; undefined as long as the answer goes on. */
  readonly stop: string | undefined;
  readonly about: { readonly model?: string; readonly response_id?: string };
  readonly done: boolean;
};
type Stepped = readonly [State, readonly UiChunk[]];

const START: State = {
  started: false,
  open: undefined,
  blocks: 0,
  calls: [],
  refused: false,
  usage: NO_USAGE,
  stop: undefined,
  about: {},
  done: false,
};

const STOPS: ReadonlyMap<string, FinishReason> = new Map([
  ["stop", "stop"],
  ["length", "length"],
  ["model_length", "length"],
  ["content_filter", "content-filter"],
  ["tool_calls", "tool-calls"],
  ["function_call", "tool-calls"],
]);

/** Reasons that stop the model in the middle of what it writes. */
const CUT = new Set(["length", "model_length", "content_filter"]);

const stepper: Stepper<State> = { start: START, step, end };
export const decoding = decodingOf(stepper);

function step(state: State, { data }: WireEvent): Stepped {
  if (state.done) return [state, []];
  if (data.trim() === "[DONE]") return finish(state);
  const event = parseEvent<JsonObject>(data);
  if (!event) return fail(state, unreadable(data));
  if (event.error || event.object === "error") {
    return fail(state, { type: "error", errorText: sayError(event.error || event) });
  }
  const [next, chunks] = onChunk(state, event);
  if (state.started) return [next, chunks];
  return [{ ...next, started: true }, [{ type: "start-step" }, ...chunks]];
}

function onChunk(state: State, { id, model, usage, choices }: JsonObject): Stepped {
  const about = {
    ...(asText(model) && { model: asText(model) }),
    ...(asText(id) && { response_id: asText(id) }),
    ...state.about,
  };
  const known = { ...state, about, usage: usage ? chatUsage(usage) : state.usage };
  // One answer is asked for; the last chunk, which has the usage, has none.
  const choice = asList(choices)[0];
  return choice === undefined ? [known, []] : onChoice(known, asObject(choice));
}

function onChoice(state: State, choice: JsonObject): Stepped {
  const delta = asObject(choice.delta);
  const refusal = asText(delta.refusal);
  const stop = asText(choice.finish_reason);
  return chain(state, [
    // Two names for one thing, each used by some servers, by some both.
    (each) => say(each, "reasoning", asText(delta.reasoning_content) || asText(delta.reasoning)),
    (each) => say(each, "text", asText(delta.content)),
    (each) => say({ ...each, refused: each.refused || refusal !== "" }, "text", refusal),
    ...asList(delta.tool_calls).map((call) => (each: State) => onCall(each, asObject(call))),
    (each) => (stop === "" ? [each, []] : closeAll({ ...each, stop })),
  ]);
}

function say(state: State, kind: Spoken["kind"], delta: string): Stepped {
  if (delta === "") return [state, []];
  if (state.open?.kind === kind)
    return [state, [{ type: `${kind}-delta`, id: state.open.id, delta }]];
  const [silent, ended] = hush(state);
  const id = String(state.blocks);
  return [
    { ...silent, open: { kind, id }, blocks: state.blocks + 1 },
    [...ended, { type: `${kind}-start`, id }, { type: `${kind}-delta`, id, delta }],
  ];
}

function hush(state: State): Stepped {
  if (!state.open) return [state, []];
  const { kind, id } = state.open;
  return [{ ...state, open: undefined }, [{ type: `${kind}-end`, id }]];
}

function onCall(state: State, delta: JsonObject): Stepped {
  const [silent, ended] = hush(state);
  const [calls, chunks] = pushCall(state.calls, delta, state.about.response_id ?? "call");
  return [{ ...silent, calls }, [...ended, ...chunks]];
}

function closeAll(state: State): Stepped {
  const [silent, ended] = hush(state);
  const [calls, chunks] = closeCalls(state.calls, CUT.has(state.stop ?? ""));
  return [{ ...silent, calls }, [...ended, ...chunks]];
}

function finish(state: State): Stepped {
  const [closed, ended] = closeAll(state);
  const opening: UiChunk[] = state.started ? [] : [{ type: "start-step" }];
  const metadata = metadataChunk(state.usage, reasonOf(state), state.about);
  return [{ ...closed, done: true }, [...opening, ...ended, metadata, { type: "finish-step" }]];
}

/** Calls want to be run, whatever word stands beside them; a refusal comes with a plain `stop`. */
function reasonOf({ stop, calls, refused }: State): FinishReason {
  const reason = STOPS.get(stop ?? "") ?? "other";
  if (reason !== "stop" && reason !== "other") return reason;
  if (calls.length > 0) return "tool-calls";
  return refused ? "content-filter" : reason;
}

function fail(state: State, error: UiChunk): Stepped {
  const [silent, ended] = hush(state);
  const metadata = metadataChunk(state.usage, "error", state.about);
  return [{ ...silent, done: true }, [...ended, metadata, error]];
}

function end(state: State): readonly UiChunk[] {
  if (state.done) return [];
  // Some servers leave out the closing `[DONE]`; the reason to stop says as much.
  if (state.stop !== undefined) return finish(state)[1];
  return [...hush(state)[1], metadataChunk(state.usage, undefined, state.about), cutShort];
}

function chain(state: State, steps: readonly ((state: State) => Stepped)[]): Stepped {
  const chunks: UiChunk[] = [];
  let next = state;
  for (const each of steps) {
    const [after, made] = each(next);
    next = after;
    chunks.push(...made);
  }
  return [next, chunks];
}
