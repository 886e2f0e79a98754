/** What no stream can do to the decoder: throw, leave a block open, or depend on where it was cut. */
import fc from "fast-check";
import { decoderContract } from "../decoder-contract.test.ts";
import { geminiGenerate } from "./protocol.ts";

/** Something that looks like a field of the API, with a value of any type. */
const value = fc.oneof(
  fc.constantFrom("STOP", "SAFETY", "x", "", 3, -1, 0.5, null, true, [], {}, [[]]),
  fc.jsonValue({ maxDepth: 2 }),
);
const record = <K extends string>(...keys: K[]) =>
  fc.record(Object.fromEntries(keys.map((key) => [key, value])), { requiredKeys: [] });
const part = fc.oneof(
  value,
  record("text", "thought", "thoughtSignature"),
  fc.record({ text: fc.string(), thought: fc.boolean() }),
  fc.record({ functionCall: fc.oneof(value, record("id", "name", "args", "partialArgs")) }),
  fc.record({ inlineData: fc.oneof(value, record("mimeType", "data")) }),
  record("fileData", "executableCode", "toolCall"),
);
const candidate = fc.record(
  {
    content: fc.oneof(value, fc.record({ parts: fc.oneof(value, fc.array(part)) })),
    finishReason: value,
    groundingMetadata: fc.oneof(
      value,
      fc.record({ groundingChunks: fc.array(fc.record({ web: record("uri", "title") })) }),
    ),
  },
  { requiredKeys: [] },
);
const event = fc.record(
  {
    candidates: fc.oneof(value, fc.array(fc.oneof(value, candidate), { maxLength: 2 })),
    promptFeedback: fc.oneof(value, record("blockReason")),
    usageMetadata: fc.oneof(value, record("promptTokenCount", "cachedContentTokenCount")),
    responseId: value,
    modelVersion: value,
  },
  { requiredKeys: [] },
);

decoderContract({
  protocol: geminiGenerate,
  folder: new URL("recordings/", import.meta.url),
  event,
  withoutStep: ["error"],
});
