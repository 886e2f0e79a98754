/**
 * What the AI SDK's own providers send: the same conversation, through its own conversion, caught at
 * `fetch`. It never opens a connection.
 */
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import type { Layer, ToolDefinition } from "@galley/assemble";
import type { Message } from "@galley/parts";
import {
  convertToModelMessages,
  jsonSchema,
  type LanguageModel,
  streamText,
  tool,
  type UIMessage,
} from "ai";
import type { ProviderName } from "./providers.ts";

type Fields = Record<string, unknown>;
type Fetch = typeof fetch;

const MODELS: { readonly [N in ProviderName]: (fetch: Fetch) => LanguageModel } = {
  anthropic: (fetch) => createAnthropic({ apiKey: "k", fetch })("claude-haiku-5-5"),
  openai: (fetch) => createOpenAI({ apiKey: "k", fetch }).responses("gpt-5.5"),
  "openai-chat": (fetch) => createOpenAI({ apiKey: "k", fetch }).chat("gpt-4.1"),
  gemini: (fetch) => createGoogleGenerativeAI({ apiKey: "k", fetch })("gemini-3.8-flash"),
};

export type Conversation = {
  readonly messages: readonly Message[];
  readonly layers: readonly Layer[];
  readonly tools: readonly ToolDefinition[];
};

export async function aiSdkBody(name: ProviderName, given: Conversation): Promise<Fields> {
  let caught: Fields | undefined;
  const model = MODELS[name](async (_url, init) => {
    caught = JSON.parse(String(init?.body));
    return new Response("{}", { status: 400 });
  });
  const result = streamText({
    model,
    maxRetries: 0,
    ...(given.layers.length > 0 && {
      instructions: given.layers.map(({ text }) => ({ role: "system" as const, content: text })),
    }),
    messages: await convertToModelMessages(given.messages.map(asUiMessage)),
    tools: Object.fromEntries(
      given.tools.map(({ name: called, description, input_schema }) => [
        called,
        tool({ description, inputSchema: jsonSchema(input_schema) }),
      ]),
    ),
    // The refusal above is the end of it: the request is what we came for.
    onError: () => {},
  });
  await result.consumeStream({ onError: () => {} });
  if (!caught) throw new Error(`${name} sent nothing`);
  return caught;
}

/** Answers already have the AI SDK's shape; of the user's parts only text and files do. */
function asUiMessage(message: Message): Omit<UIMessage, "id"> {
  const isAnswer = message.role === "assistant";
  const parts = isAnswer ? message.parts : message.parts.map(asUiPart);
  // Both are the AI SDK's parts by construction, which the loose schemas do not say.
  return { role: isAnswer ? "assistant" : "user", parts: parts as UIMessage["parts"] };
}

function asUiPart(part: Message["parts"][number]) {
  if (part.type !== "file-attachment") return part;
  const { mime, data, name } = part as { mime: string; data: string; name: string };
  return { type: "file", mediaType: mime, filename: name, url: `data:${mime};base64,${data}` };
}
