/**
 * Lowering of an assistant message: one UI message becomes the model calls it was made of.
 *
 * A step is one call: what the model said and asked for, then the results. Each tool call leaves
 * paired with a result, whatever state it was frozen in; a call without one would make the
 * provider refuse the whole conversation.
 */
import type { AssistantContext } from "@galley/assemble";
import {
  type AssistantPart,
  type AssistantPartKind,
  type AssistantPartShapes,
  base64Head,
  base64Size,
  isBase64,
  kindOfAssistantPart,
  sniffMedia,
  toolNameOf,
} from "@galley/parts";
import type { AnswerBlock, Origin, ToolResultBlock, UserBlock } from "./block.ts";
import { outcomeOf, type PartOutcome, type Target } from "./lower.ts";
import { descriptorText, plainName } from "./render.ts";
import { toolResult } from "./tool-result.ts";

export interface AnswerTarget extends Target {
  /** The key under which this provider's own records stand in `providerMetadata`. */
  readonly namespace: string;
  /** What proves that this provider wrote the reasoning; undefined when nothing does. */
  signed(
    metadata: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, unknown>> | undefined;
  /** Whether a tool result may hold media; otherwise they follow it in the user's voice. */
  readonly toolResultMedia: boolean;
  /** Whether the model's own turn may hold media of this type. */
  answerMedia(mime: string): boolean;
}

export type Step = {
  readonly blocks: readonly Origin<AnswerBlock>[];
  readonly results: readonly Origin<ToolResultBlock>[];
  /** Media of the results, where results take only text. */
  readonly hoisted: readonly Origin<UserBlock>[];
};

export type LoweredAssistant = {
  readonly steps: readonly Step[];
  readonly outcomes: readonly PartOutcome[];
};

type Draft = {
  blocks: Origin<AnswerBlock>[];
  results: Origin<ToolResultBlock>[];
  hoisted: Origin<UserBlock>[];
};

type Yield = Omit<PartOutcome, "part" | "type"> & {
  readonly blocks?: readonly AnswerBlock[];
  readonly result?: ToolResultBlock;
  readonly hoisted?: readonly UserBlock[];
};

type Lowerer<K extends AssistantPartKind> = (
  part: AssistantPartShapes[K],
  target: AnswerTarget,
  elided: string | undefined,
) => Yield;

const LOWERERS: { readonly [K in AssistantPartKind]: Lowerer<K> } = {
  text: (part, target) =>
    part.text.trim() === ""
      ? { outcome: "resolved-out", note: "blank text" }
      : { outcome: "text", blocks: [answerText(part, target)] },
  reasoning: lowerReasoning,
  tool: lowerTool,
  file: lowerFile,
  source: () => ({ outcome: "resolved-out", detail: "a source is shown to people" }),
  data: lowerData,
  "step-start": () => ({ outcome: "resolved-out", detail: "the boundary of a step" }),
  foreign: (part) => {
    const known = typeof part.text === "string" && part.text.trim() !== "";
    const text = known ? String(part.text) : `[unsupported part: ${plainName(part.type)}]`;
    const note = "a part of unknown type";
    return { outcome: known ? "text" : "placeholder", note, blocks: [{ type: "text", text }] };
  },
};

export function lowerAssistant(message: AssistantContext, target: AnswerTarget): LoweredAssistant {
  const steps: Draft[] = [];
  const outcomes = message.parts.map((part, index): PartOutcome => {
    const lowered = lowerOne(part, target, message.elided?.[index]);
    const { blocks = NONE, result, hoisted = NONE } = lowered;
    const step = stepFor(steps, part, blocks);
    for (const block of blocks) step.blocks.push({ part: index, block });
    if (result) step.results.push({ part: index, block: result });
    for (const block of hoisted) step.hoisted.push({ part: index, block });
    return outcomeOf(index, part.type, lowered);
  });
  const stranded = takeStranded(steps);
  return {
    steps: steps.filter(({ blocks }) => blocks.length > 0),
    outcomes:
      stranded.size === 0
        ? outcomes
        : outcomes.map((each) => (stranded.has(each.part) ? leftOut(each) : each)),
  };
}

const NONE: readonly never[] = [];

/** Reasoning that was cut off before it led to anything: every provider refuses it at the end. */
function takeStranded(steps: readonly Draft[]): ReadonlySet<number | undefined> {
  const stranded = new Set<number | undefined>();
  for (const { blocks } of steps) {
    while (blocks.at(-1)?.block.type === "reasoning") stranded.add(blocks.pop()?.part);
  }
  return stranded;
}

const leftOut = ({ part, type }: PartOutcome): PartOutcome => ({
  part,
  type,
  outcome: "resolved-out",
  note: "reasoning that led to nothing",
});

function lowerOne(part: AssistantPart, target: AnswerTarget, elided: string | undefined): Yield {
  const kind = kindOfAssistantPart(part.type);
  // A tool result is elided inside its pair: the call stays. Every other part gives way whole.
  if (elided !== undefined && kind !== "tool") {
    const note = "left out to fit the budget";
    return { outcome: "elided", note, blocks: [{ type: "text", text: elided }] };
  }
  return (LOWERERS[kind] as Lowerer<AssistantPartKind>)(part, target, elided);
}

/** A new step begins at its marker, and wherever the model speaks again after its calls. */
function stepFor(steps: Draft[], part: AssistantPart, blocks: readonly AnswerBlock[]): Draft {
  const last = steps.at(-1);
  const speaks = blocks.some(({ type }) => type !== "tool-call");
  if (!last || part.type === "step-start" || (speaks && last.results.length > 0)) {
    const fresh: Draft = { blocks: [], results: [], hoisted: [] };
    steps.push(fresh);
    return fresh;
  }
  return last;
}

function answerText(part: AssistantPartShapes["text"], target: AnswerTarget): AnswerBlock {
  const metadata = part.providerMetadata?.[target.namespace];
  return { type: "text", text: part.text, ...(metadata && { metadata }) };
}

function lowerReasoning(part: AssistantPartShapes["reasoning"], target: AnswerTarget): Yield {
  const signed = target.signed(part.providerMetadata?.[target.namespace] ?? {});
  if (!signed) {
    return { outcome: "resolved-out", note: "reasoning that this provider did not sign" };
  }
  return { outcome: "native", blocks: [{ type: "reasoning", text: part.text, signed }] };
}

function lowerTool(
  part: AssistantPartShapes["tool"],
  target: AnswerTarget,
  elided: string | undefined,
): Yield {
  const name = toolNameOf(part);
  const metadata = part.callProviderMetadata?.[target.namespace];
  const call: AnswerBlock = {
    type: "tool-call",
    id: part.toolCallId,
    name,
    input: part.input ?? {},
    ...(metadata && { metadata }),
  };
  if (elided !== undefined) {
    const content = [{ type: "text", text: elided }] as const;
    const result = {
      type: "tool-result",
      id: part.toolCallId,
      name,
      content,
      isError: false,
    } as const;
    return { outcome: "elided", note: "left out to fit the budget", blocks: [call], result };
  }
  const { result, hoisted, note } = toolResult(part, name, target);
  return { outcome: "native", ...(note && { note }), blocks: [call], result, hoisted };
}

const DATA_URL = /^data:([^;,]*)(?:;[^,]*)?;base64,(.*)$/s;

function lowerFile(part: AssistantPartShapes["file"], target: AnswerTarget): Yield {
  const [, , base64] = DATA_URL.exec(part.url) ?? [];
  const bytes = base64 !== undefined && isBase64(base64) ? base64 : undefined;
  const mime = bytes === undefined ? undefined : sniffMedia(base64Head(bytes));
  if (bytes !== undefined && mime !== undefined && takesBack(mime, bytes, target)) {
    return { outcome: "native", detail: mime, blocks: [{ type: "media", mime, base64: bytes }] };
  }
  const reason = "a file that the model made, in a form it does not take back";
  const name = part.filename ?? (base64 === undefined ? part.url : "unnamed");
  const text = descriptorText({ what: "file", name, mime: mime ?? part.mediaType, reason });
  return { outcome: "descriptor", note: reason, blocks: [{ type: "text", text }] };
}

const takesBack = (mime: string, base64: string, target: AnswerTarget): boolean =>
  target.answerMedia(mime) && target.refuses(mime, base64Size(base64), base64) === undefined;

function lowerData(part: AssistantPartShapes["data"]): Yield {
  const summary = summaryOf(part);
  if (summary !== undefined) return { outcome: "text", blocks: [{ type: "text", text: summary }] };
  return { outcome: "resolved-out", detail: "data is shown to people" };
}

/** A compaction's summary; older writers put it beside `data`, not inside. */
function summaryOf(part: AssistantPartShapes["data"]): string | undefined {
  if (part.type !== "data-compaction") return undefined;
  const inside = part.data as { summary?: unknown } | null;
  const summary = inside?.summary ?? part.summary;
  return typeof summary === "string" && summary.trim() !== "" ? summary : undefined;
}
