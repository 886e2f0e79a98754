/**
 * An MCP prompt to the parts that its command leaves: every message, its role and what kind of
 * content it was. Content comes from outside and is data; what has no part becomes a placeholder.
 */
import { base64Size, decodeBase64, type ExpansionPart } from "@galley/parts";
import type { PromptMessage } from "../host.ts";
import type { Note } from "../note.ts";
import { toBase64 } from "../paste.ts";

type Block = Readonly<Record<string, unknown>>;

export function promptParts(
  prompt: string,
  messages: readonly PromptMessage[],
  notes: Note[],
): ExpansionPart[] {
  return messages.flatMap(({ role, content }, index) => {
    const blocks = Array.isArray(content) ? content : [content];
    return blocks.map((block): ExpansionPart => {
      const part = blockPart(asBlock(block), `${prompt} ${index + 1}`, notes);
      return role === "assistant" ? { ...part, role } : part;
    });
  });
}

const asBlock = (value: unknown): Block =>
  typeof value === "object" && value !== null ? (value as Block) : { type: typeof value };

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined;

function blockPart(block: Block, label: string, notes: Note[]): ExpansionPart {
  switch (block.type) {
    case "text":
      return { type: "text", text: textOf(block.text) ?? "" };
    case "image":
    case "audio":
      return attachment(label, block.mimeType, block.data, { mcp_type: block.type });
    case "resource":
      return resourcePart(asBlock(block.resource), label);
    case "resource_link":
      return linkPart(block);
    default: {
      const type = textOf(block.type) ?? "unknown";
      notes.push({
        code: "unsupported-content",
        message: `the prompt holds content of the type ${type}, which is not shown`,
      });
      return { type: "text", text: `[prompt content not shown: ${type}]`, mcp_type: type };
    }
  }
}

type Extra = Readonly<Record<string, string>>;

function attachment(name: string, mime: unknown, data: unknown, extra: Extra): ExpansionPart {
  const base = {
    type: "file-attachment" as const,
    name,
    mime: textOf(mime) ?? "application/octet-stream",
    ...extra,
  };
  const base64 = textOf(data);
  if (base64 === undefined || decodeBase64(base64) === undefined) {
    return { ...base, delivery: "descriptor", reason: "the server's data is not base64" };
  }
  return { ...base, size: base64Size(base64), data: base64 };
}

function resourcePart(resource: Block, label: string): ExpansionPart {
  const uri = textOf(resource.uri) ?? "";
  const name = lastSegment(uri) || label;
  const extra = { mcp_type: "resource", ...(uri !== "" && { uri }) };
  const text = textOf(resource.text);
  if (text === undefined) return attachment(name, resource.mimeType, resource.blob, extra);
  const bytes = new TextEncoder().encode(text);
  return {
    type: "file-attachment",
    name,
    mime: textOf(resource.mimeType) ?? "text/plain",
    size: bytes.length,
    data: toBase64(bytes),
    ...extra,
  };
}

function linkPart(link: Block): ExpansionPart {
  const uri = textOf(link.uri) ?? "";
  const name = textOf(link.name);
  if (!URL.canParse(uri)) {
    return { type: "text", text: `[resource: ${name ?? uri}]`, mcp_type: "resource_link" };
  }
  return {
    type: "file-ref",
    ref: { kind: "url", url: uri },
    ...(name !== undefined && { name }),
    mcp_type: "resource_link",
  };
}

const lastSegment = (uri: string): string =>
  uri.split(/[/\\?#]/).findLast((each) => each !== "") ?? "";
