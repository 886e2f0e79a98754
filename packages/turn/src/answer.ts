/**
 * Folds the chunks of an answer into its stored parts, the way `useChat` folds them on its side.
 *
 * Parts are values: a change puts another one in its place. Only a text that is being written grows
 * aside, one `+=` for each delta, and becomes a part when somebody looks. Nothing throws: a delta
 * without a beginning is the beginning, an output without a call keeps a call for itself.
 */
import {
  type AssistantPart,
  kindOfAssistantPart,
  type ProviderMetadata,
  type UiChunk,
} from "@galley/parts";
import { blankCall, type CallChunk, joinMetadata, nextCall, type ToolPart } from "./answer-call.ts";
import { type AnswerMetadata, foldMetadata, metadataOf, NO_STEPS } from "./answer-metadata.ts";

export interface Answer {
  /** A picture of this moment; parts that did not change are the same objects as before. */
  readonly parts: readonly AssistantPart[];
  /** Another object when something changed. */
  readonly metadata: AnswerMetadata;
  /** Gives the indexes of the parts that changed. */
  take(chunk: UiChunk): readonly number[];
  /** Nothing more comes: open texts are done, calls stay frozen as they are. */
  settle(): readonly number[];
}

type Spoken = "text" | "reasoning";
type Said = { readonly id: string; readonly providerMetadata?: ProviderMetadata | undefined };
type Growing = { readonly index: number; text: string };
type Draft = {
  readonly parts: AssistantPart[];
  /** Texts that are being written, by their id. */
  readonly open: Readonly<Record<Spoken | "input", Map<string, Growing>>>;
  /** Where each tool call stands. */
  readonly calls: Map<string, number>;
};

export function createAnswer(parts: readonly AssistantPart[] = []): Answer {
  const draft: Draft = {
    parts: [...parts],
    open: { text: new Map(), reasoning: new Map(), input: new Map() },
    calls: new Map(),
  };
  parts.forEach((part, index) => {
    if (isTool(part)) draft.calls.set(part.toolCallId, index);
  });
  let steps = NO_STEPS;
  let metadata = metadataOf(steps);
  let shown: readonly AssistantPart[] | undefined;
  return {
    get parts() {
      if (!shown) {
        catchUp(draft);
        shown = [...draft.parts];
      }
      return shown;
    },
    get metadata() {
      return metadata;
    },
    take(chunk) {
      const changed = fold(draft, chunk);
      if (changed.length > 0) shown = undefined;
      const next = foldMetadata(steps, chunk);
      if (next !== steps) metadata = metadataOf(next);
      steps = next;
      return changed;
    },
    settle() {
      shown = undefined;
      return settle(draft);
    },
  };
}

const NONE: readonly number[] = [];

function fold(draft: Draft, chunk: UiChunk): readonly number[] {
  switch (chunk.type) {
    case "text-delta":
      return onDelta(draft, "text", chunk);
    case "reasoning-delta":
      return onDelta(draft, "reasoning", chunk);
    case "text-start":
      return onStart(draft, "text", chunk);
    case "reasoning-start":
      return onStart(draft, "reasoning", chunk);
    case "text-end":
      return onEnd(draft, "text", chunk);
    case "reasoning-end":
      return onEnd(draft, "reasoning", chunk);
    case "start-step":
      return add(draft, { type: "step-start" });
    case "tool-input-start":
    case "tool-input-delta":
    case "tool-input-available":
    case "tool-input-error":
    case "tool-approval-request":
    case "tool-output-available":
    case "tool-output-error":
    case "tool-output-denied":
      return onCall(draft, chunk);
    case "start":
    case "finish-step":
    case "finish":
    case "abort":
    case "error":
    case "message-metadata":
      return NONE;
    default:
      // Files and sources are parts as they come; so is what a later version streams.
      return add(draft, { ...chunk });
  }
}

function add(draft: Draft, part: AssistantPart): readonly number[] {
  return [draft.parts.push(part) - 1];
}

function onStart(draft: Draft, kind: Spoken, said: Said): readonly number[] {
  const before = draft.open[kind].get(said.id);
  const ended = before ? finish(draft, kind, said.id, before) : NONE;
  return [...ended, begin(draft, kind, said).index];
}

function onDelta(draft: Draft, kind: Spoken, said: Said & { readonly delta: string }) {
  const growing = draft.open[kind].get(said.id) ?? begin(draft, kind, { id: said.id });
  growing.text += said.delta;
  if (said.providerMetadata) record(draft, growing.index, said.providerMetadata);
  return [growing.index];
}

function onEnd(draft: Draft, kind: Spoken, said: Said): readonly number[] {
  const known = draft.open[kind].get(said.id);
  // The end of nothing is nothing, unless it brings what the provider wants to see again.
  if (!known && !said.providerMetadata) return NONE;
  const growing = known ?? begin(draft, kind, { id: said.id });
  if (said.providerMetadata) record(draft, growing.index, said.providerMetadata);
  return finish(draft, kind, said.id, growing);
}

function begin(draft: Draft, kind: Spoken, { id, providerMetadata }: Said): Growing {
  const records = providerMetadata && { providerMetadata };
  const index = draft.parts.push({ type: kind, text: "", state: "streaming", ...records }) - 1;
  const growing = { index, text: "" };
  draft.open[kind].set(id, growing);
  return growing;
}

function finish(draft: Draft, kind: Spoken, id: string, { index, text }: Growing) {
  draft.open[kind].delete(id);
  patch(draft, index, { text, state: "done" });
  return [index];
}

function record(draft: Draft, index: number, news: ProviderMetadata): void {
  const part = draft.parts[index] as { providerMetadata?: ProviderMetadata };
  patch(draft, index, { providerMetadata: joinMetadata(part.providerMetadata, news) });
}

function onCall(draft: Draft, chunk: CallChunk): readonly number[] {
  const index = placeOf(draft, chunk.toolCallId);
  if (chunk.type === "tool-input-delta") {
    const growing = draft.open.input.get(chunk.toolCallId) ?? { index, text: "" };
    growing.text += chunk.inputTextDelta;
    draft.open.input.set(chunk.toolCallId, growing);
    return [index];
  }
  catchUp(draft);
  if (chunk.type !== "tool-input-start") draft.open.input.delete(chunk.toolCallId);
  draft.parts[index] = nextCall(draft.parts[index] as ToolPart, chunk);
  return [index];
}

function placeOf(draft: Draft, toolCallId: string): number {
  const known = draft.calls.get(toolCallId);
  if (known !== undefined) return known;
  const index = draft.parts.push(blankCall(toolCallId)) - 1;
  draft.calls.set(toolCallId, index);
  return index;
}

/** Puts what was written aside into the parts. */
function catchUp(draft: Draft): void {
  for (const [kind, texts] of Object.entries(draft.open)) {
    const key = kind === "input" ? "rawInput" : "text";
    for (const { index, text } of texts.values()) {
      const part: { readonly [key: string]: unknown } = draft.parts[index] ?? {};
      if (part[key] !== text) patch(draft, index, { [key]: text });
    }
  }
}

function settle(draft: Draft): readonly number[] {
  catchUp(draft);
  draft.open.input.clear();
  return (["text", "reasoning"] as const).flatMap((kind) =>
    [...draft.open[kind]].flatMap(([id, growing]) => finish(draft, kind, id, growing)),
  );
}

function patch(draft: Draft, index: number, changes: object): void {
  draft.parts[index] = { ...draft.parts[index], ...changes } as AssistantPart;
}

const isTool = (part: AssistantPart): part is ToolPart => kindOfAssistantPart(part.type) === "tool";
