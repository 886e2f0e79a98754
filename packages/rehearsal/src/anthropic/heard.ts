/** A valid Messages body → what the model heard. */
import { isJson, type Json } from "../check.ts";
import type { Heard, HeardBlock } from "../heard.ts";
import { heardAddress, heardInline } from "../media.ts";
import { markersOf } from "./limits.ts";
import type { Block, MessagesBody } from "./shape.ts";
import { blocksOf } from "./turns.ts";

export function hear(body: MessagesBody): Omit<Heard, "inputTokens" | "body"> {
  const system: HeardBlock[] =
    typeof body.system === "string"
      ? [{ kind: "text", text: body.system }]
      : (body.system ?? []).map(hearBlock);
  const messages = body.messages.map((message) => ({
    role: message.role,
    blocks: message.content.length === 0 ? [] : blocksOf(message).map(hearBlock),
  }));
  const tools = (body.tools ?? []).map(({ cache_control, ...tool }) => ({
    name: tool.name ?? String(tool.type),
    json: JSON.stringify(tool),
    ...(cache_control ? { cacheMarker: true as const } : {}),
  }));
  return {
    protocol: "anthropic-messages",
    model: body.model,
    stream: body.stream ?? false,
    system,
    messages: body.cache_control ? markLast(messages) : messages,
    tools,
    maxOutput: body.max_tokens,
    cacheMarkers: markersOf(body).length,
  };
}

/** Documented: the top-level marker goes to the last block of the request that can carry one. */
function markLast(messages: Heard["messages"]): Heard["messages"] {
  const last = messages.at(-1);
  const block = last?.blocks.at(-1);
  if (!last || !block) return messages;
  const blocks = [...last.blocks.slice(0, -1), { ...block, cacheMarker: true as const }];
  return [...messages.slice(0, -1), { ...last, blocks }];
}

function hearBlock(block: Block): HeardBlock {
  const heard = hearPlain(block);
  return block.cache_control ? { ...heard, cacheMarker: true } : heard;
}

function hearPlain(block: Block): HeardBlock {
  switch (block.type) {
    case "text":
      return { kind: "text", text: String(block.text) };
    case "thinking":
      return { kind: "reasoning", text: String(block.thinking) };
    case "image":
    case "document":
      return hearSource(block, isJson(block.source) ? block.source : {});
    case "tool_use":
      return {
        kind: "tool-call",
        id: String(block.id),
        name: String(block.name),
        input: block.input,
      };
    case "tool_result":
      return {
        kind: "tool-result",
        id: String(block.tool_use_id),
        isError: block.is_error === true,
        blocks: hearContent(block.content),
      };
    default:
      return { kind: "other", type: block.type, json: JSON.stringify(block) };
  }
}

function hearContent(content: unknown): HeardBlock[] {
  if (typeof content === "string") return content === "" ? [] : [{ kind: "text", text: content }];
  return Array.isArray(content) ? (content as Block[]).map(hearBlock) : [];
}

function hearSource(block: Block, source: Json): HeardBlock {
  const name = typeof block.title === "string" ? block.title : undefined;
  switch (source.type) {
    case "base64":
      return heardInline(String(source.data), String(source.media_type), name);
    case "text":
      return { kind: "text", text: String(source.data) };
    case "url":
      return heardAddress("url", String(source.url), undefined, name);
    case "file":
      return heardAddress("file", String(source.file_id), undefined, name);
    default:
      return { kind: "other", type: block.type, json: JSON.stringify(source) };
  }
}
