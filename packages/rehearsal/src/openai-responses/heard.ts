/** A valid Responses body, with its references resolved → what the model heard. */
import type { Json } from "../check.ts";
import type { Heard, HeardBlock, HeardMessage } from "../heard.ts";
import { heardAddress } from "../media.ts";
import { hearArguments, hearFile, hearUrl } from "../openai/hear.ts";
import type { Item } from "./items.ts";
import type { ResponsesBody } from "./shape.ts";

export function hear(
  body: ResponsesBody,
  items: readonly Item[],
): Omit<Heard, "inputTokens" | "body"> {
  return {
    protocol: "openai-responses",
    model: body.model,
    stream: body.stream === true,
    system: body.instructions ? [{ kind: "text", text: body.instructions }] : [],
    messages: items.map(hearItem),
    tools: (body.tools ?? []).map((tool) => ({
      name: tool.name ?? tool.type,
      json: JSON.stringify(tool),
    })),
    ...(typeof body.max_output_tokens === "number" && { maxOutput: body.max_output_tokens }),
    cacheMarkers: 0,
  };
}

function hearItem(item: Item): HeardMessage {
  switch (item.type) {
    case "message":
      return { role: String(item.role), blocks: hearContent(item.content) };
    case "reasoning":
      return { role: "assistant", blocks: [{ kind: "reasoning", text: summaryOf(item) }] };
    case "function_call":
    case "custom_tool_call":
      return { role: "assistant", blocks: [hearCall(item)] };
    case "function_call_output":
    case "custom_tool_call_output":
      return {
        role: "tool",
        blocks: [
          {
            kind: "tool-result",
            id: String(item.call_id),
            isError: false,
            blocks: hearContent(item.output),
          },
        ],
      };
    default: {
      const json = JSON.stringify(item);
      return { role: "item", blocks: [{ kind: "other", type: item.type, json }] };
    }
  }
}

const hearCall = (item: Item): HeardBlock => ({
  kind: "tool-call",
  id: String(item.call_id),
  name: String(item.name),
  input: item.type === "function_call" ? hearArguments(String(item.arguments)) : item.input,
});

const summaryOf = (item: Item): string =>
  (item.summary as readonly { text: string }[]).map(({ text }) => text).join("\n");

function hearContent(content: unknown): HeardBlock[] {
  if (typeof content === "string") return content === "" ? [] : [{ kind: "text", text: content }];
  return Array.isArray(content) ? (content as Json[]).map(hearPart) : [];
}

function hearPart(part: Json): HeardBlock {
  switch (part.type) {
    case "input_image":
      return typeof part.image_url === "string"
        ? hearUrl(part.image_url, "image/*")
        : heardAddress("file", String(part.file_id), "image/*");
    case "input_file":
      return hearFile(part);
    case "refusal":
      return { kind: "text", text: String(part.refusal) };
    default:
      return { kind: "text", text: String(part.text) };
  }
}
