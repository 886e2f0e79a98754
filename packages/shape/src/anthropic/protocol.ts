/** Anthropic Messages, as a value. */
import { asObject, textOrNone } from "../json-value.ts";
import type { Protocol } from "../protocol.ts";
import { decoding } from "./decode.ts";
import { encodeStep, encodeUser } from "./encode.ts";
import { endpoint, envelope, MARKER } from "./envelope.ts";

const NATIVE = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf"]);

/** An empty signature proves nothing, and the API refuses it. */
const isFilled = (value: unknown): boolean => typeof value === "string" && value !== "";

export const anthropicMessages: Protocol = {
  id: "anthropic-messages",
  namespace: "anthropic",
  marker: MARKER,
  encodes: (mime) => NATIVE.has(mime),
  answerMedia: () => false,
  signed: (metadata) =>
    isFilled(metadata.signature) || isFilled(metadata.redactedData) ? metadata : undefined,
  encodeUser,
  encodeStep,
  envelope,
  endpoint,
  decoding,
  errorText: (body) => textOrNone(asObject(asObject(body).error).message),
};
