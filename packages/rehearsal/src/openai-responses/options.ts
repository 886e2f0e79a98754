/** Rules about everything beside the items: input at all, tools, output limits, sampling, media. */
import { isJson } from "../check.ts";
import type { RehearsalModel } from "../model.ts";
import { invalid } from "../openai/complain.ts";
import { refuseFileData, refuseImageUrl } from "../openai/media.ts";
import { refuseFormatSchema, refuseFunctionSchema } from "../openai/schema.ts";
import { type Complaint, firstComplaint } from "../refuse.ts";
import type { Item } from "./items.ts";
import type { ResponsesBody, Tool } from "./shape.ts";

export function refuseOptions(body: ResponsesBody, model: RehearsalModel): Complaint | undefined {
  return firstComplaint(
    () => refuseNoInput(body),
    () => refuseTools(body.tools ?? []),
    () => refuseToolChoice(body),
    () => refuseNumbers(body, model),
    () => refuseFormat(body),
  );
}

function refuseNoInput(body: ResponsesBody): Complaint | undefined {
  const { input, previous_response_id, prompt, conversation } = body;
  if (input !== undefined || previous_response_id || prompt || conversation) return undefined;
  return invalid(
    'One of "input" or "previous_response_id" or "prompt" or "conversation_id" must be provided.',
    "input",
    "missing_required_parameter",
  );
}

function refuseTools(tools: readonly Tool[]): Complaint | undefined {
  for (const [index, tool] of tools.entries()) {
    if (tool.type !== "function") continue;
    const param = `tools[${index}].parameters`;
    const strict = tool.strict === true;
    const complaint = refuseFunctionSchema(String(tool.name), tool.parameters, strict, param);
    if (complaint) return complaint;
  }
  return undefined;
}

function refuseToolChoice({ tools = [], tool_choice }: ResponsesBody): Complaint | undefined {
  if (!tool_choice || typeof tool_choice === "string") return undefined;
  const chosen =
    tool_choice.type === "allowed_tools"
      ? (tool_choice.tools as readonly Tool[])
      : [tool_choice as Tool];
  const absent = chosen.find(
    ({ type, name }) => !tools.some((tool) => tool.type === type && tool.name === name),
  );
  return absent
    ? invalid(
        `Tool choice '${absent.name ?? absent.type}' not found in 'tools' parameter.`,
        "tool_choice",
      )
    : undefined;
}

function refuseNumbers(body: ResponsesBody, model: RehearsalModel): Complaint | undefined {
  const wanted = body.max_output_tokens;
  if (typeof wanted === "number" && wanted > model.maxOutput) {
    return invalid(
      `Invalid 'max_output_tokens': integer above maximum value. Expected a value <= ${model.maxOutput}, but got ${wanted} instead.`,
      "max_output_tokens",
      "integer_above_max_value",
    );
  }
  if (model.sampling !== false && !model.reasoning) return undefined;
  const given = (["temperature", "top_p"] as const).find((name) => typeof body[name] === "number");
  return (
    given &&
    invalid(
      `Unsupported parameter: '${given}' is not supported with this model.`,
      given,
      "unsupported_parameter",
    )
  );
}

function refuseFormat({ text }: ResponsesBody): Complaint | undefined {
  const format = text?.format;
  return format?.type === "json_schema"
    ? refuseFormatSchema(
        String(format.name),
        format.schema,
        format.strict === true,
        "text.format.schema",
      )
    : undefined;
}

/** Documented under "File inputs": PDF, plain text and code, and office documents. */
const isReadableFile = (mediaType: string): boolean =>
  mediaType === "application/pdf" ||
  mediaType.startsWith("text/") ||
  mediaType === "application/json" ||
  mediaType.startsWith("application/vnd.openxmlformats-officedocument.") ||
  mediaType === "application/msword" ||
  mediaType.startsWith("application/vnd.ms-");

export function refuseMedia(items: readonly Item[], model: RehearsalModel): Complaint | undefined {
  for (const [index, item] of items.entries()) {
    for (const field of ["content", "output"] as const) {
      const parts = Array.isArray(item[field]) ? (item[field] as unknown[]) : [];
      for (const [place, part] of parts.entries()) {
        const param = `input[${index}].${field}[${place}]`;
        const complaint = isJson(part) ? refusePart(part, param, model) : undefined;
        if (complaint) return complaint;
      }
    }
  }
  return undefined;
}

function refusePart(
  part: { readonly [key: string]: unknown },
  param: string,
  model: RehearsalModel,
): Complaint | undefined {
  if (part.type === "input_image") {
    if (typeof part.image_url === "string") {
      return refuseImageUrl(part.image_url, `${param}.image_url`, model);
    }
    return part.file_id ? undefined : missing(`${param}.image_url`);
  }
  if (part.type !== "input_file" || part.file_id || part.file_url) return undefined;
  if (typeof part.file_data !== "string") return missing(`${param}.file_data`);
  // Observed: inline data wants a name.
  if (!part.filename) return missing(`${param}.filename`);
  return refuseFileData(part.file_data, `${param}.file_data`, isReadableFile);
}

const missing = (param: string): Complaint =>
  invalid(`Missing required parameter: '${param}'.`, param, "missing_required_parameter");
