/** The result half of a tool pair: from a stored part in any state to content a model can read. */
import {
  type AssistantPartShapes,
  base64Head,
  base64Size,
  canonicalJson,
  isBase64,
  sniffMedia,
  type ToolState,
} from "@galley/parts";
import type { MediaBlock, TextBlock, ToolResultBlock, UserBlock } from "./block.ts";
import { isObject } from "./json-value.ts";
import type { AnswerTarget } from "./lower-assistant.ts";
import { descriptorText, plainName } from "./render.ts";

type ToolPart = AssistantPartShapes["tool"];
type Content = TextBlock | MediaBlock;

export type Result = {
  readonly result: ToolResultBlock;
  readonly hoisted: readonly UserBlock[];
  readonly note?: string;
};

/** States in which a call was frozen before it had an output, and what the model is told. */
const FROZEN: Partial<Record<ToolState, string>> = {
  "input-streaming": "interrupted while the call was being written; it did not run",
  "input-available": "interrupted; whether it took effect is unknown",
  "approval-requested": "interrupted before it was approved; it did not run",
  "approval-responded": "interrupted; whether it took effect is unknown",
};

export function toolResult(part: ToolPart, name: string, target: AnswerTarget): Result {
  const make = (content: readonly Content[], isError: boolean): ToolResultBlock => ({
    type: "tool-result",
    id: part.toolCallId,
    name,
    content: content.length > 0 ? content : [text("[no output]")],
    isError,
  });
  const frozen = FROZEN[part.state];
  if (frozen) return { result: make([text(`[${frozen}]`)], true), hoisted: [], note: frozen };
  if (part.state === "output-error") {
    const said = textContent(part.errorText ?? "");
    return {
      result: make(said.length > 0 ? said : [text("[failed without a message]")], true),
      hoisted: [],
    };
  }
  if (part.state === "output-denied") {
    return { result: make([text("[the user did not allow this call]")], true), hoisted: [] };
  }
  const { content, isError } = readOutput(part.output, target);
  if (target.toolResultMedia) return { result: make(content, isError), hoisted: [] };
  return hoist(content, (kept) => make(kept, isError));
}

/** Results that take only text say that a picture follows, and the picture follows. */
function hoist(content: readonly Content[], make: (kept: Content[]) => ToolResultBlock): Result {
  const hoisted = content.filter((block) => block.type === "media");
  const kept = content.map((block) =>
    block.type === "media" ? text(`[${block.mime}: see the next message]`) : block,
  );
  return { result: make(kept), hoisted };
}

function readOutput(
  output: unknown,
  target: AnswerTarget,
): { content: Content[]; isError: boolean } {
  if (isObject(output) && output.type === "error" && typeof output.error_text === "string") {
    return { content: textContent(output.error_text), isError: true };
  }
  const data =
    isObject(output) && output.type === "output" && "data" in output ? output.data : output;
  return { content: readContent(data, target), isError: isObject(data) && data.isError === true };
}

function readContent(data: unknown, target: AnswerTarget): Content[] {
  if (data === undefined || data === null) return [];
  if (typeof data === "string") return textContent(data);
  if (!isObject(data)) return [text(canonicalJson(data))];
  const { content, ...beside } = data;
  if (!Array.isArray(content) || content.length === 0 || !content.every(isContentItem)) {
    return [text(canonicalJson(data))];
  }
  const rest = Object.entries(beside).filter(([key]) => !MCP_KEYS.has(key));
  const aside = rest.length > 0 ? [text(canonicalJson(Object.fromEntries(rest)))] : [];
  return [...content.flatMap((item) => readItem(item, target)), ...aside];
}

/** What may stand beside a content list and says nothing more: structured content repeats it. */
const MCP_KEYS = new Set(["isError", "structuredContent", "_meta"]);

type ContentItem = Readonly<Record<string, unknown>> & { readonly type: string };

/** An item of a content list as MCP spells it: its type is a word we know. */
const ITEM_TYPES = new Set(["text", "image", "audio", "media", "resource", "resource_link"]);

const isContentItem = (item: unknown): item is ContentItem =>
  isObject(item) && typeof item.type === "string" && ITEM_TYPES.has(item.type);

function readItem(item: ContentItem, target: AnswerTarget): Content[] {
  const held = isObject(item.resource) ? item.resource : item;
  if (typeof held.text === "string") return textContent(held.text);
  const base64 = typeof held.blob === "string" ? held.blob : held.data;
  // `mime` is our own spelling of `mimeType`.
  const declared = held.mime ?? held.mimeType;
  const about = { name: "of a tool result", ...(typeof declared === "string" && { declared }) };
  return typeof base64 === "string"
    ? [readMedia(base64, about, target)]
    : [text(canonicalJson(item))];
}

type About = { readonly name: string; readonly declared?: string };

function readMedia(raw: string, { name, declared }: About, target: AnswerTarget): Content {
  // Some servers wrap base64 in lines; providers take it in one.
  const base64 = raw.replace(/\s+/g, "");
  const intact = isBase64(base64);
  const mime = intact ? sniffMedia(base64Head(base64)) : undefined;
  const size = base64Size(base64);
  const reason = !intact
    ? "its base64 is broken"
    : mime === undefined
      ? "its format is not known"
      : target.refuses(mime, size, base64);
  if (mime !== undefined && reason === undefined) return { type: "media", mime, base64 };
  const kind = mime ?? (declared && plainName(declared));
  const facts = { mime: kind, size: intact ? size : undefined, reason };
  return text(descriptorText({ what: "media", name, ...facts }));
}

const textContent = (value: string): Content[] => (value.trim() === "" ? [] : [text(value)]);
const text = (value: string): TextBlock => ({ type: "text", text: value });
