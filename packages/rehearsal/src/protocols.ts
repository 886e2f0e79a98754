/** The table of protocols. A new one is a folder and a row here. */
import { anthropicMessages } from "./anthropic/protocol.ts";
import { geminiGenerate } from "./gemini/protocol.ts";
import { openaiChat } from "./openai-chat/protocol.ts";
import { openaiResponses } from "./openai-responses/protocol.ts";
import type { Protocol, ProtocolId } from "./protocol.ts";

export const PROTOCOLS: { readonly [P in ProtocolId]: Protocol } = {
  "anthropic-messages": anthropicMessages,
  "openai-responses": openaiResponses,
  "openai-chat": openaiChat,
  "gemini-generate": geminiGenerate,
};
