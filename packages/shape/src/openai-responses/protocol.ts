/** OpenAI Responses, used without storing anything there, as a value. */
import { errorText } from "../openai/error-text.ts";
import type { Protocol } from "../protocol.ts";
import { decoding } from "./decode.ts";
import { encodeStep, encodes, encodeUser } from "./encode.ts";
import { endpoint, envelope } from "./envelope.ts";

export const openAiResponses: Protocol = {
  id: "openai-responses",
  namespace: "openai",
  encodes,
  answerMedia: () => false,
  signed: (metadata) =>
    typeof metadata.itemId === "string" && typeof metadata.reasoningEncryptedContent === "string"
      ? metadata
      : undefined,
  encodeUser,
  encodeStep,
  envelope,
  endpoint,
  decoding,
  errorText,
};
