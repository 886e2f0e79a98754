/** Which protocol value speaks for a profile: the one table to extend when a protocol is added. */
import {
  anthropicMessages,
  geminiGenerate,
  type ModelProfile,
  openAiChat,
  openAiResponses,
  type Protocol,
  type ProtocolId,
} from "@galley/shape";

const PROTOCOLS: { readonly [K in ProtocolId]: Protocol } = {
  "anthropic-messages": anthropicMessages,
  "openai-responses": openAiResponses,
  "openai-chat": openAiChat,
  "gemini-generate": geminiGenerate,
};

export const protocolOf = ({ protocol }: Pick<ModelProfile, "protocol">): Protocol =>
  PROTOCOLS[protocol];
