/** Gemini `generateContent`, as a value. */
import { asObject, textOrNone } from "../json-value.ts";
import type { Protocol } from "../protocol.ts";
import { decoding } from "./decode.ts";
import { encodeStep, encodeUser } from "./encode.ts";
import { endpoint, envelope } from "./envelope.ts";
import { answeredBefore, mediaName } from "./media.ts";

export const geminiGenerate: Protocol = {
  id: "gemini-generate",
  namespace: "google",
  encodes: (mime) => mediaName(mime) !== undefined,
  answerMedia: answeredBefore,
  // A thought without a signature is a summary for people; the model does not want it back.
  signed: (metadata) => (typeof metadata.thoughtSignature === "string" ? metadata : undefined),
  encodeUser,
  encodeStep,
  envelope,
  endpoint,
  decoding,
  errorText(body) {
    // A refused stream is answered with a list of one.
    const first = Array.isArray(body) ? body[0] : body;
    return textOrNone(asObject(asObject(first).error).message);
  },
};
