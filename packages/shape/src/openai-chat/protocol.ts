/** OpenAI Chat Completions, and the many servers that speak it, as a value. */
import { errorText } from "../openai/error-text.ts";
import type { Protocol } from "../protocol.ts";
import { decoding } from "./decode.ts";
import { encodeStep, encodes, encodeUser } from "./encode.ts";
import { endpoint, envelope } from "./envelope.ts";

export const openAiChat: Protocol = {
  id: "openai-chat",
  namespace: "openai",
  encodes,
  answerMedia: () => false,
  signed: () => undefined,
  encodeUser,
  encodeStep,
  envelope,
  endpoint,
  decoding,
  errorText,
};
