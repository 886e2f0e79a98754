/**
 * A body in neutral words: what the model is told, whoever wrote the request and in whichever
 * protocol. Spelling that changes nothing (a string for a list of one text, an omitted default) is
 * made equal here; everything else stays visible and is compared.
 */
import type { ProviderName } from "./providers.ts";

type Fields = Readonly<Record<string, unknown>>;

export type Neutral = {
  readonly system: readonly string[];
  readonly tools: readonly Fields[];
  readonly toolChoice: unknown;
  readonly turns: readonly Fields[];
};

const fields = (value: unknown): Fields => (value ?? {}) as Fields;
const list = (value: unknown): Fields[] => (Array.isArray(value) ? value : []);
/** A string stands for a list of one text. */
const blocks = (value: unknown, type = "text"): Fields[] =>
  typeof value === "string" ? [{ type, text: value }] : list(value);

function dataUrl(url: unknown): Fields {
  const [, mime, data] = /^data:([^;]+);base64,(.*)$/s.exec(String(url)) ?? [];
  return { mime, data };
}

export const NEUTRAL: { readonly [N in ProviderName]: (body: Fields) => Neutral } = {
  anthropic: (body) => ({
    system: blocks(body.system).map(({ text }) => String(text)),
    tools: list(body.tools),
    toolChoice: fields(body.tool_choice).type ?? "auto",
    turns: list(body.messages).flatMap(({ role, content }) =>
      blocks(content).map((block) => ({ role, ...anthropicBlock(block) })),
    ),
  }),
  openai: (body) => {
    const items = list(body.input).flatMap(responsesItem);
    return {
      system: items.filter(({ role }) => role === "developer").map(({ text }) => String(text)),
      tools: list(body.tools).map(({ type: _, ...tool }) => tool),
      toolChoice: body.tool_choice ?? "auto",
      turns: items.filter(({ role }) => role !== "developer"),
    };
  },
  "openai-chat": (body) => {
    const items = list(body.messages).flatMap(chatMessage);
    return {
      system: items.filter(({ role }) => role === "system").map(({ text }) => String(text)),
      tools: list(body.tools).map((tool) => fields(tool.function)),
      toolChoice: body.tool_choice ?? "auto",
      turns: items.filter(({ role }) => role !== "system"),
    };
  },
  gemini: (body) => ({
    system: list(fields(body.systemInstruction).parts).map(({ text }) => String(text)),
    tools: list(body.tools).flatMap((tool) => list(tool.functionDeclarations)),
    toolChoice: fields(fields(body.toolConfig).functionCallingConfig).mode ?? "AUTO",
    turns: list(body.contents).flatMap(({ role, parts }) =>
      list(parts).map((part) => ({ role, ...geminiPart(part) })),
    ),
  }),
};

function anthropicBlock({ type, ...block }: Fields): Fields {
  if (type !== "tool_result") return { type, ...block };
  return { type, ...block, content: blocks(block.content), is_error: block.is_error ?? false };
}

function responsesItem(item: Fields): Fields[] {
  if (item.role === undefined) return [item];
  return blocks(item.content).map((block) => ({ role: item.role, ...responsesContent(block) }));
}

function responsesContent({ type, ...block }: Fields): Fields {
  if (type === "input_image")
    return { type, ...dataUrl(block.image_url), detail: block.detail ?? "auto" };
  if (type === "input_file") return { type, filename: block.filename, ...dataUrl(block.file_data) };
  return { type: "text", text: block.text };
}

function chatMessage({ role, content, tool_calls, tool_call_id }: Fields): Fields[] {
  const said = blocks(content).map((block) => ({
    role,
    ...(tool_call_id !== undefined && { id: tool_call_id }),
    ...chatContent(block),
  }));
  const calls = list(tool_calls).map(({ id, function: call }) => ({
    role,
    type: "call",
    id,
    ...fields(call),
  }));
  return [...said, ...calls];
}

function chatContent({ type, ...block }: Fields): Fields {
  if (type === "image_url") return { type, ...dataUrl(fields(block.image_url).url) };
  const file = fields(block.file);
  if (type === "file") return { type, filename: file.filename, ...dataUrl(file.file_data) };
  return { type, ...block };
}

function geminiPart(part: Fields): Fields {
  const answered = fields(part.functionResponse);
  if (part.functionResponse === undefined) return part;
  const { name: _, error, ...response } = fields(answered.response);
  const [under = "error", result = error] = Object.entries(response)[0] ?? [];
  return { type: "result", id: answered.id, name: answered.name, under, result };
}
