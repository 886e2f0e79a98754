/** A valid chat body → what the model heard. */
import { isJson } from "../check.ts";
import type { Heard, HeardBlock, HeardMessage } from "../heard.ts";
import { heardInline } from "../media.ts";
import { hearArguments, hearFile, hearUrl } from "../openai/hear.ts";
import { toolName } from "./options.ts";
import type { ChatBody, Message, Part, ToolCall } from "./shape.ts";

export function hear(body: ChatBody): Omit<Heard, "inputTokens" | "body"> {
  // Only the leading instructions are the system text; one further down keeps its place and role.
  const turn = body.messages.findIndex(({ role }) => role !== "system" && role !== "developer");
  const start = turn === -1 ? body.messages.length : turn;
  const maxOutput = body.max_completion_tokens ?? body.max_tokens;
  return {
    protocol: "openai-chat",
    model: body.model,
    stream: body.stream === true,
    system: body.messages.slice(0, start).flatMap((message) => hearContent(message.content)),
    messages: body.messages.slice(start).map(hearMessage),
    tools: (body.tools ?? []).map((tool) => ({
      name: toolName(tool),
      json: JSON.stringify(tool),
    })),
    ...(typeof maxOutput === "number" && { maxOutput }),
    cacheMarkers: 0,
  };
}

function hearMessage(message: Message): HeardMessage {
  const blocks = hearContent(message.content);
  if (message.role === "tool") {
    const id = message.tool_call_id ?? "";
    return { role: "tool", blocks: [{ kind: "tool-result", id, isError: false, blocks }] };
  }
  const refusal: HeardBlock[] = message.refusal ? [{ kind: "text", text: message.refusal }] : [];
  return {
    role: message.role,
    blocks: [...blocks, ...refusal, ...(message.tool_calls ?? []).map(hearCall)],
  };
}

const hearCall = (call: ToolCall): HeardBlock => ({
  kind: "tool-call",
  id: call.id,
  name: call.function?.name ?? call.custom?.name ?? "",
  input: call.function ? hearArguments(call.function.arguments) : call.custom?.input,
});

function hearContent(content: Message["content"]): HeardBlock[] {
  if (content === null || content === undefined || content === "") return [];
  return typeof content === "string" ? [{ kind: "text", text: content }] : content.map(hearPart);
}

function hearPart(part: Part): HeardBlock {
  const inner = isJson(part[part.type]) ? (part[part.type] as Record<string, unknown>) : {};
  switch (part.type) {
    case "text":
      return { kind: "text", text: String(part.text) };
    case "refusal":
      return { kind: "text", text: String(part.refusal) };
    case "image_url":
      return hearUrl(String(inner.url), "image/*");
    case "input_audio":
      return heardInline(String(inner.data), `audio/${inner.format}`);
    default:
      return hearFile(inner);
  }
}
