/**
 * Input items of the Responses API as closed shapes, after `ResponseInputItem` of `openai` 7.53.
 * Items that only OpenAI's own tools write are known by name and open: nobody but that server reads
 * them.
 */
import {
  anything,
  byType,
  choice,
  flag,
  isJson,
  type Json,
  list,
  nullable,
  object,
  optional,
  type Shape,
  tagged,
  text,
} from "../check.ts";
import { cacheBreakpoint, toolName } from "../openai/fields.ts";

export type Item = Json & {
  readonly type: string;
  readonly id?: string | null;
  readonly call_id?: string | null;
};

const status = optional(nullable(choice("in_progress", "completed", "incomplete")));
const itemId = optional(nullable(text()));
const detail = optional(nullable(choice("low", "high", "auto", "original")));

const inputText = object({ type: choice("input_text"), text: text(), ...cacheBreakpoint });
const inputImage = object({
  type: choice("input_image"),
  detail,
  file_id: optional(nullable(text())),
  image_url: optional(nullable(text())),
  ...cacheBreakpoint,
});
const inputFile = object({
  type: choice("input_file"),
  detail: optional(choice("auto", "low", "high")),
  file_data: optional(nullable(text())),
  file_id: optional(nullable(text())),
  file_url: optional(nullable(text())),
  filename: optional(nullable(text())),
  ...cacheBreakpoint,
});
const INPUT = { input_text: inputText, input_image: inputImage, input_file: inputFile };
const OUTPUT = {
  // Typed as required in the SDK; the API takes replayed text without them (observed).
  output_text: object({
    type: choice("output_text"),
    text: text(),
    annotations: optional(list(anything)),
    logprobs: optional(list(anything)),
  }),
  refusal: object({ type: choice("refusal"), refusal: text() }),
};

/** Observed: what an assistant said is `output_text`, what anyone else says is `input_*`. */
const message: Shape = (value, path, report) => {
  const isAssistant = isJson(value) && value.role === "assistant";
  return object({
    type: optional(choice("message")),
    role: choice("user", "assistant", "system", "developer"),
    content: byType({
      string: text(),
      array: list(tagged("type", isAssistant ? OUTPUT : INPUT)),
    }),
    id: itemId,
    status,
    phase: optional(nullable(choice("commentary", "final_answer"))),
  })(value, path, report);
};

/** Documented maximum of a call id in the Responses API: 64. */
const callId = text({ min: 1, max: 64 });
const caller = optional(nullable(object({ type: text() }, { open: true })));
const output = byType({ string: text(), array: list(tagged("type", INPUT)) });
const callFields = {
  id: itemId,
  call_id: callId,
  name: toolName,
  async: optional(flag),
  caller,
  namespace: optional(text()),
};

const ITEMS: { readonly [type: string]: Shape } = {
  message,
  function_call: object({
    type: choice("function_call"),
    ...callFields,
    arguments: text(),
    status,
  }),
  // Typed with an optional `call_id`; without one no call can be answered.
  function_call_output: object({
    type: choice("function_call_output"),
    id: itemId,
    call_id: callId,
    output,
    caller,
    name: optional(nullable(text())),
    namespace: optional(nullable(text())),
    status,
  }),
  custom_tool_call: object({ type: choice("custom_tool_call"), ...callFields, input: text() }),
  custom_tool_call_output: object({
    type: choice("custom_tool_call_output"),
    id: itemId,
    call_id: callId,
    output,
    caller,
  }),
  reasoning: object({
    type: choice("reasoning"),
    id: text(),
    summary: list(object({ type: choice("summary_text"), text: text() })),
    content: optional(list(object({ type: choice("reasoning_text"), text: text() }))),
    encrypted_content: optional(nullable(text())),
    status,
  }),
  item_reference: object({ type: optional(nullable(choice("item_reference"))), id: text() }),
  compaction: object({ type: choice("compaction"), encrypted_content: text(), id: itemId }),
};

const HOSTED = [
  ...["file_search_call", "web_search_call", "code_interpreter_call", "image_generation_call"],
  ...["computer_call", "computer_call_output", "local_shell_call", "local_shell_call_output"],
  ...["shell_call", "shell_call_output", "apply_patch_call", "apply_patch_call_output"],
  ...["mcp_list_tools", "mcp_approval_request", "mcp_approval_response", "mcp_call"],
  ...["tool_search_call", "tool_search_output", "additional_tools", "configuration_update"],
  ...["compaction_trigger", "program", "program_output"],
];

const byItemType = tagged("type", {
  ...ITEMS,
  ...Object.fromEntries(
    HOSTED.map((type) => [type, object({ type: choice(type) }, { open: true })]),
  ),
});

/** `type` may be left out of a message and of a reference; the read item always has it. */
export const inputItem: Shape = (value, path, report) => {
  if (!isJson(value) || (value.type !== undefined && value.type !== null)) {
    return byItemType(value, path, report);
  }
  const type = value.role === undefined && value.id !== undefined ? "item_reference" : "message";
  return byItemType({ ...value, type }, path, report);
};
