/** Rules about everything beside the messages: tools, output limits, sampling, formats. */
import { isJson } from "../check.ts";
import type { RehearsalModel } from "../model.ts";
import { invalid } from "../openai/complain.ts";
import { refuseFormatSchema, refuseFunctionSchema } from "../openai/schema.ts";
import { type Complaint, firstComplaint } from "../refuse.ts";
import type { ChatBody, Tool } from "./shape.ts";

export function refuseOptions(body: ChatBody, model: RehearsalModel): Complaint | undefined {
  return firstComplaint(
    () => refuseToolSchemas(body.tools ?? []),
    () => refuseToolChoice(body),
    () => refuseOutput(body, model),
    () => refuseSampling(body, model),
    () => refuseStream(body),
    () => refuseFormat(body),
  );
}

export const toolName = (tool: Tool): string =>
  tool.function?.name ?? tool.custom?.name ?? tool.type;

function refuseToolSchemas(tools: readonly Tool[]): Complaint | undefined {
  for (const [index, tool] of tools.entries()) {
    if (!tool.function) continue;
    const { name, parameters, strict } = tool.function;
    const param = `tools[${index}].function.parameters`;
    const complaint = refuseFunctionSchema(name, parameters, strict === true, param);
    if (complaint) return complaint;
  }
  return undefined;
}

/** Observed: all three sentences. */
function refuseToolChoice({ tools, tool_choice, parallel_tool_calls }: ChatBody) {
  for (const [param, value] of Object.entries({ tool_choice, parallel_tool_calls })) {
    if (value === undefined || tools) continue;
    return invalid(
      `Invalid value for '${param}': '${param}' is only allowed when 'tools' are specified.`,
      param,
    );
  }
  const names = (tools ?? []).map(toolName);
  const absent = namesChosen(tool_choice).find((name) => !names.includes(name));
  return absent === undefined
    ? undefined
    : invalid(`Tool choice '${absent}' not found in 'tools' parameter.`, "tool_choice");
}

function namesChosen(choice: ChatBody["tool_choice"]): string[] {
  if (!choice || typeof choice === "string") return [];
  const chosen = choice[choice.type];
  if (!isJson(chosen)) return [];
  if (choice.type !== "allowed_tools") return [String(chosen.name)];
  return (chosen.tools as readonly Tool[]).map(toolName);
}

function refuseOutput(body: ChatBody, model: RehearsalModel): Complaint | undefined {
  const { max_tokens, max_completion_tokens } = body;
  if (typeof max_tokens === "number" && model.reasoning) {
    return invalid(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      "max_tokens",
      "unsupported_parameter",
    );
  }
  if (typeof max_tokens === "number" && typeof max_completion_tokens === "number") {
    return invalid(
      "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
      "max_tokens",
      "invalid_parameter_combination",
    );
  }
  for (const [param, value] of Object.entries({ max_tokens, max_completion_tokens })) {
    if (typeof value === "number" && value > model.maxOutput) {
      return invalid(
        `${param} is too large: ${value}. This model supports at most ${model.maxOutput} completion tokens, whereas you provided ${value}.`,
        param,
        "invalid_value",
      );
    }
  }
  return undefined;
}

function refuseSampling(body: ChatBody, model: RehearsalModel): Complaint | undefined {
  if (model.sampling !== false && !model.reasoning) return undefined;
  for (const param of ["temperature", "top_p"] as const) {
    const value = body[param];
    if (typeof value === "number" && value !== 1) {
      return invalid(
        `Unsupported value: '${param}' does not support ${value} with this model. Only the default (1) value is supported.`,
        param,
        "unsupported_value",
      );
    }
  }
  return undefined;
}

function refuseStream({ stream, stream_options, n }: ChatBody): Complaint | undefined {
  if (stream_options && !stream) {
    return invalid(
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
      "stream_options",
    );
  }
  // OpenAI would answer with n choices. A silent single answer would hide that we do not.
  return (n ?? 1) > 1 ? invalid("rehearsal: only n = 1 is rehearsed.", "n") : undefined;
}

function refuseFormat({ response_format }: ChatBody): Complaint | undefined {
  const schema = response_format?.json_schema;
  return isJson(schema)
    ? refuseFormatSchema(
        String(schema.name),
        schema.schema,
        schema.strict === true,
        "response_format",
      )
    : undefined;
}
