/**
 * The body of `POST /v1/chat/completions` as a closed shape, after `ChatCompletionCreateParamsBase`
 * of `openai` 7.53, and the few types the rules need to read it.
 */
import {
  anything,
  byType,
  choice,
  flag,
  integer,
  type Json,
  list,
  nullable,
  number,
  object,
  optional,
  record,
  type Shape,
  tagged,
  text,
} from "../check.ts";
import {
  cacheBreakpoint,
  effort,
  grammarFormat,
  SHARED_FIELDS,
  stopSequences,
  toolName,
} from "../openai/fields.ts";

export type Part = Json & { readonly type: string };
export type ToolCall = {
  readonly id: string;
  readonly type: string;
  readonly function?: { readonly name: string; readonly arguments: string };
  readonly custom?: { readonly name: string; readonly input: string };
};
export type Message = {
  readonly role: "developer" | "system" | "user" | "assistant" | "tool" | "function";
  readonly content?: string | readonly Part[] | null;
  readonly refusal?: string | null;
  readonly function_call?: unknown;
  readonly audio?: unknown;
  readonly tool_calls?: readonly ToolCall[];
  readonly tool_call_id?: string;
};
export type Tool = {
  readonly type: string;
  readonly function?: {
    readonly name: string;
    readonly parameters?: unknown;
    strict?: boolean | null;
  };
  readonly custom?: { readonly name: string };
};
export type ChatBody = {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly tools?: readonly Tool[];
  readonly tool_choice?: string | (Json & { readonly type: string });
  readonly parallel_tool_calls?: boolean;
  readonly stream?: boolean | null;
  readonly stream_options?: { readonly include_usage?: boolean } | null;
  readonly max_tokens?: number | null;
  readonly max_completion_tokens?: number | null;
  readonly temperature?: number | null;
  readonly top_p?: number | null;
  readonly n?: number | null;
  readonly response_format?: Json & { readonly type: string };
};

const textPart = object({ type: choice("text"), text: text(), ...cacheBreakpoint });
const PARTS = {
  text: textPart,
  image_url: object({
    type: choice("image_url"),
    image_url: object({
      url: text({ min: 1 }),
      detail: optional(choice("auto", "low", "high", "original")),
    }),
    ...cacheBreakpoint,
  }),
  input_audio: object({
    type: choice("input_audio"),
    input_audio: object({ data: text(), format: choice("wav", "mp3") }),
    ...cacheBreakpoint,
  }),
  file: object({
    type: choice("file"),
    file: object({
      file_data: optional(text()),
      file_id: optional(text()),
      filename: optional(text()),
    }),
    ...cacheBreakpoint,
  }),
};
const refusalPart = object({ type: choice("refusal"), refusal: text() });

const textOr = (parts: { readonly [type: string]: Shape }): Shape =>
  byType({ string: text(), array: list(tagged("type", parts), { min: 1 }) });
/** Every part type is known in every role; which role may hold which is a rule of its own. */
const content = textOr(PARTS);

/** Documented maximum of a tool call's id in Chat Completions: 40. */
const callId = text({ max: 40 });
const toolCall = tagged("type", {
  function: object({
    id: callId,
    type: choice("function"),
    function: object({ name: toolName, arguments: text() }),
  }),
  custom: object({
    id: callId,
    type: choice("custom"),
    custom: object({ name: toolName, input: text() }),
  }),
});

const name = { name: optional(text()) };
const message = tagged("role", {
  system: object({ role: choice("system"), content, ...name }),
  assistant: object({
    role: choice("assistant"),
    content: optional(nullable(textOr({ text: textPart, refusal: refusalPart }))),
    ...name,
    audio: optional(nullable(object({ id: text() }))),
    function_call: optional(nullable(object({ name: toolName, arguments: text() }))),
    refusal: optional(nullable(text())),
    // Not in the SDK's type, but part of every answer, and taken when the answer comes back.
    annotations: optional(list(anything)),
    tool_calls: optional(list(toolCall, { min: 1 })),
  }),
  user: object({ role: choice("user"), content, ...name }),
  function: object({ role: choice("function"), content: nullable(text()), name: text() }),
  tool: object({ role: choice("tool"), content, tool_call_id: callId }),
  developer: object({ role: choice("developer"), content, ...name }),
});

const functionDefinition = object({
  name: toolName,
  description: optional(text()),
  parameters: optional(record()),
  strict: optional(nullable(flag)),
});

const tool = tagged("type", {
  function: object({ type: choice("function"), function: functionDefinition }),
  custom: object({
    type: choice("custom"),
    custom: object({
      name: toolName,
      description: optional(text()),
      format: optional(grammarFormat),
    }),
  }),
});

const named = object({ name: text() });
const toolChoice = byType({
  string: choice("none", "auto", "required"),
  object: tagged("type", {
    function: object({ type: choice("function"), function: named }),
    custom: object({ type: choice("custom"), custom: named }),
    allowed_tools: object({
      type: choice("allowed_tools"),
      allowed_tools: object({ mode: choice("auto", "required"), tools: list(record()) }),
    }),
  }),
});

const responseFormat = tagged("type", {
  text: object({ type: choice("text") }),
  json_object: object({ type: choice("json_object") }),
  json_schema: object({
    type: choice("json_schema"),
    json_schema: object({
      name: toolName,
      description: optional(text()),
      schema: optional(record()),
      strict: optional(nullable(flag)),
    }),
  }),
});

const penalty = optional(nullable(number({ min: -2, max: 2 })));
const tokens = optional(nullable(integer({ min: 1 })));

export const chatBody: Shape = object({
  ...SHARED_FIELDS,
  model: text({ min: 1 }),
  messages: list(message, { min: 1 }),
  audio: optional(nullable(record())),
  frequency_penalty: penalty,
  function_call: optional(byType({ string: choice("none", "auto"), object: named })),
  functions: optional(list(functionDefinition, { min: 1, max: 128 })),
  logit_bias: optional(nullable(record(number({ min: -100, max: 100 })))),
  logprobs: optional(nullable(flag)),
  max_completion_tokens: tokens,
  max_tokens: tokens,
  modalities: optional(nullable(list(choice("text", "audio")))),
  n: optional(nullable(integer({ min: 1, max: 128 }))),
  parallel_tool_calls: optional(flag),
  prediction: optional(nullable(record())),
  presence_penalty: penalty,
  reasoning_effort: effort,
  response_format: optional(responseFormat),
  seed: optional(nullable(integer())),
  service_tier: optional(nullable(choice("auto", "default", "flex", "scale", "priority", "fast"))),
  stop: optional(nullable(byType({ string: text(), array: stopSequences }))),
  stream_options: optional(
    nullable(object({ include_usage: optional(flag), include_obfuscation: optional(flag) })),
  ),
  tool_choice: optional(toolChoice),
  tools: optional(list(tool, { min: 1, max: 128 })),
  verbosity: optional(nullable(choice("low", "medium", "high"))),
  web_search_options: optional(record()),
});
