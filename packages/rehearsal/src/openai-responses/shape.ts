/**
 * The body of `POST /v1/responses` as a closed shape, after `ResponseCreateParamsBase` of `openai`
 * 7.53, and the few types the rules need to read it.
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
  object,
  optional,
  record,
  type Shape,
  tagged,
  text,
} from "../check.ts";
import { effort, grammarFormat, SHARED_FIELDS, toolName } from "../openai/fields.ts";
import { type Item, inputItem } from "./items.ts";

export type Tool = Json & { readonly type: string; readonly name?: string };
export type ResponsesBody = {
  readonly model: string;
  readonly input?: string | readonly Item[];
  readonly instructions?: string | null;
  readonly previous_response_id?: string | null;
  readonly conversation?: unknown;
  readonly prompt?: unknown;
  readonly tools?: readonly Tool[];
  readonly tool_choice?: string | (Json & { readonly type: string });
  readonly stream?: boolean | null;
  readonly store?: boolean | null;
  readonly include?: readonly string[] | null;
  readonly max_output_tokens?: number | null;
  readonly temperature?: number | null;
  readonly top_p?: number | null;
  readonly text?: { readonly format?: Json };
};

const callers = { allowed_callers: optional(nullable(list(text()))) };
const functionTool = object({
  type: choice("function"),
  name: toolName,
  // Typed as required; the API fills both in when they are absent (observed).
  parameters: optional(nullable(record())),
  strict: optional(nullable(flag)),
  description: optional(nullable(text())),
  output_schema: optional(nullable(record())),
  async: optional(flag),
  defer_loading: optional(flag),
  ...callers,
});
const customTool = object({
  type: choice("custom"),
  name: toolName,
  description: optional(text()),
  format: optional(grammarFormat),
  async: optional(flag),
  defer_loading: optional(flag),
  ...callers,
});

const HOSTED_TOOLS = [
  ...["file_search", "computer", "computer_use_preview", "web_search", "web_search_2025_08_26"],
  ...["web_search_preview", "web_search_preview_2025_03_11", "mcp", "code_interpreter"],
  ...["programmatic_tool_calling", "image_generation", "local_shell", "shell", "namespace"],
  ...["tool_search", "apply_patch"],
];
const open = (types: readonly string[]) =>
  Object.fromEntries(types.map((type) => [type, object({ type: text() }, { open: true })]));

const tool = tagged("type", { function: functionTool, custom: customTool, ...open(HOSTED_TOOLS) });

const toolChoice = byType({
  string: choice("none", "auto", "required"),
  object: tagged("type", {
    function: object({ type: choice("function"), name: text() }),
    custom: object({ type: choice("custom"), name: text() }),
    allowed_tools: object({
      type: choice("allowed_tools"),
      mode: choice("auto", "required"),
      tools: list(record()),
    }),
    ...open(HOSTED_TOOLS),
  }),
});

const format = tagged("type", {
  text: object({ type: choice("text") }),
  json_object: object({ type: choice("json_object") }),
  json_schema: object({
    type: choice("json_schema"),
    name: toolName,
    schema: record(),
    description: optional(text()),
    strict: optional(nullable(flag)),
  }),
});

const summary = optional(nullable(choice("auto", "concise", "detailed")));

export const responsesBody: Shape = object({
  ...SHARED_FIELDS,
  model: text({ min: 1 }),
  input: optional(byType({ string: text(), array: list(inputItem) })),
  instructions: optional(nullable(text())),
  access_programs: optional(record()),
  background: optional(nullable(flag)),
  context_management: optional(nullable(list(record()))),
  conversation: optional(nullable(byType({ string: text(), object: object({ id: text() }) }))),
  image: optional(record()),
  include: optional(
    nullable(
      list(
        choice(
          "file_search_call.results",
          "web_search_call.results",
          "web_search_call.action.sources",
          "message.input_image.image_url",
          "computer_call_output.output.image_url",
          "code_interpreter_call.outputs",
          "reasoning.encrypted_content",
          "message.output_text.logprobs",
        ),
      ),
    ),
  ),
  // Observed: fewer than 16 are refused.
  max_output_tokens: optional(nullable(integer({ min: 16 }))),
  max_tool_calls: optional(nullable(integer({ min: 1 }))),
  parallel_tool_calls: optional(nullable(flag)),
  previous_response_id: optional(nullable(text())),
  prompt: optional(
    nullable(
      object({ id: text(), variables: optional(anything), version: optional(nullable(text())) }),
    ),
  ),
  reasoning: optional(
    nullable(
      object({
        context: optional(nullable(choice("auto", "current_turn", "all_turns"))),
        effort,
        generate_summary: summary,
        mode: optional(text()),
        summary,
      }),
    ),
  ),
  service_tier: optional(
    nullable(choice("auto", "default", "flex", "scale", "priority", "fast", "ultrafast")),
  ),
  stream_options: optional(nullable(object({ include_obfuscation: optional(flag) }))),
  text: optional(
    object({
      format: optional(format),
      verbosity: optional(nullable(choice("low", "medium", "high"))),
    }),
  ),
  tool_choice: optional(toolChoice),
  tools: optional(list(tool)),
  truncation: optional(nullable(choice("auto", "disabled"))),
});
