/**
 * From an assembled context to an AI SDK prompt: the fifth way out, for every provider that has an
 * AI SDK model. Lowering is the same as for the wire protocols, so every part has its outcome; the
 * bytes are the SDK's, so an outcome has none.
 */
import type {
  LanguageModelV4FilePart,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { AssembledContext, ContextMessage, ToolDefinition } from "@galley/assemble";
import type { Outcome } from "@galley/parts";
import type { AnswerBlock, MediaBlock, ToolResultBlock, UserBlock } from "../block.ts";
import { mediaSpelling } from "../catalogue/lookup.ts";
import type { ModelProfile } from "../catalogue/model.ts";
import { lowerUser, type PartOutcome } from "../lower.ts";
import { type AnswerTarget, lowerAssistant, type Step } from "../lower-assistant.ts";
import { inputObject, toolCallId, toolName } from "../tool-names.ts";
import { keysOf, ownRecords, targetOf } from "./target.ts";

export type AiSdkPrompt = {
  readonly prompt: LanguageModelV4Prompt;
  readonly tools: LanguageModelV4FunctionTool[];
  readonly outcomes: readonly Outcome[];
};

type Message<R extends LanguageModelV4Message["role"]> = Extract<
  LanguageModelV4Message,
  { role: R }
>;
type Answer = Message<"assistant">["content"][number];
type Lowered = {
  readonly messages: readonly LanguageModelV4Message[];
  readonly outcomes: readonly PartOutcome[];
};

/** `provider` is the model's own `provider`, for example `anthropic.messages`. */
export function toPrompt(
  context: AssembledContext,
  profile: ModelProfile,
  provider: string = profile.provider,
): AiSdkPrompt {
  const keys = keysOf(provider);
  const target = targetOf(profile, keys);
  const lowered = context.messages.map((message) =>
    message.role === "user"
      ? lowerUserMessage(message, target, profile)
      : lowerAnswer(ownRecords(message, keys), target, profile),
  );
  return {
    prompt: [...system(context), ...joinNeighbours(lowered.flatMap(({ messages }) => messages))],
    tools: context.tools.map(declare),
    outcomes: context.messages.flatMap((message, index) =>
      (lowered[index]?.outcomes ?? []).map((outcome) => withoutBytes(outcome, message)),
    ),
  };
}

/** One message, because many servers behind these providers take only one. */
function system({ layers }: AssembledContext): LanguageModelV4Message[] {
  if (layers.length === 0) return [];
  return [{ role: "system", content: layers.map(({ text }) => text).join("\n\n") }];
}

const declare = ({ name, description, input_schema }: ToolDefinition) =>
  ({
    type: "function",
    name: toolName(name),
    description,
    // The SDK's type of a JSON Schema is closed; ours is whatever the tool's author wrote.
    inputSchema: input_schema as LanguageModelV4FunctionTool["inputSchema"],
  }) satisfies LanguageModelV4FunctionTool;

function withoutBytes(outcome: PartOutcome, { id }: ContextMessage): Outcome {
  const { part, ...rest } = outcome;
  return { part, ...(id !== undefined && { message_id: id }), ...rest, bytes: [] };
}

function lowerUserMessage(
  message: Extract<ContextMessage, { role: "user" }>,
  target: AnswerTarget,
  profile: ModelProfile,
): Lowered {
  const { blocks, outcomes } = lowerUser(message, target);
  return { messages: userMessage(blocks, profile), outcomes };
}

function userMessage(
  blocks: readonly { readonly block: UserBlock }[],
  profile: ModelProfile,
): LanguageModelV4Message[] {
  if (blocks.length === 0) return [];
  const content = blocks.map(({ block }) =>
    block.type === "text"
      ? ({ type: "text", text: block.text } as const)
      : filePart(block, profile),
  );
  return [{ role: "user", content }];
}

function lowerAnswer(
  message: Extract<ContextMessage, { role: "assistant" }>,
  target: AnswerTarget,
  profile: ModelProfile,
): Lowered {
  const { steps, outcomes } = lowerAssistant(message, target);
  return { messages: steps.flatMap((step) => stepMessages(step, profile)), outcomes };
}

function stepMessages(step: Step, profile: ModelProfile): LanguageModelV4Message[] {
  const results = step.results.map(({ block }) => ({
    type: "tool-result" as const,
    toolCallId: toolCallId(block.id),
    toolName: toolName(block.name),
    output: outputOf(block, profile),
  }));
  return [
    { role: "assistant", content: step.blocks.map(({ block }) => answerPart(block, profile)) },
    ...(results.length > 0 ? [{ role: "tool", content: results } as const] : []),
    ...userMessage(step.hoisted, profile),
  ];
}

function answerPart(block: AnswerBlock, profile: ModelProfile): Answer {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text, ...recorded(block.metadata) };
    case "reasoning":
      return { type: "reasoning", text: block.text, ...recorded(block.signed) };
    case "media":
      return filePart(block, profile);
    case "tool-call":
      return {
        type: "tool-call",
        toolCallId: toolCallId(block.id),
        toolName: toolName(block.name),
        input: inputObject(block.input),
        ...recorded(block.metadata),
      };
  }
}

/** The records were taken from stored JSON by `ownRecords`, keyed by provider: what the SDK wants. */
const recorded = (records: Readonly<Record<string, unknown>> | undefined) =>
  records ? { providerOptions: records as SharedV4ProviderOptions } : {};

function filePart({ mime, base64, name }: MediaBlock, profile: ModelProfile) {
  return {
    type: "file",
    mediaType: mediaSpelling(profile, mime) ?? mime,
    data: { type: "data", data: base64 },
    ...(name !== undefined && { filename: name }),
  } satisfies LanguageModelV4FilePart;
}

/** Text in the plainest form there is: some providers write a list of contents out as JSON. */
function outputOf(block: ToolResultBlock, profile: ModelProfile): LanguageModelV4ToolResultOutput {
  const { content, isError } = block;
  const texts = content.flatMap((each) => (each.type === "text" ? [each.text] : []));
  if (texts.length === content.length) {
    return { type: isError ? "error-text" : "text", value: texts.join("\n") };
  }
  const value = content.map((each) =>
    each.type === "text" ? ({ type: "text", text: each.text } as const) : filePart(each, profile),
  );
  // Contents have no form for a failure, so it is said in words.
  const failed = isError ? [{ type: "text", text: "[the tool reported an error]" } as const] : [];
  return { type: "content", value: [...failed, ...value] };
}

/** Neighbours of one role are one message, as they share a frame on the wire. */
function joinNeighbours(messages: readonly LanguageModelV4Message[]): LanguageModelV4Message[] {
  const joined: LanguageModelV4Message[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (!last || last.role !== message.role || typeof last.content === "string") {
      joined.push(message);
    } else {
      // Both have the same role, so their contents are of one kind.
      const content = [...last.content, ...message.content];
      joined[joined.length - 1] = { ...last, content } as LanguageModelV4Message;
    }
  }
  return joined;
}
