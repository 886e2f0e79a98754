/** What no stream can do to the decoder: throw, leave a block open, or depend on where it was cut. */
import fc from "fast-check";
import { decoderContract } from "../decoder-contract.test.ts";
import { openAiResponses } from "./protocol.ts";

const value = fc.oneof(
  fc.constantFrom("incomplete", "__proto__", "x", "", 0, 1, -1, 0.5, null, true, [], {}),
  fc.jsonValue({ maxDepth: 2 }),
);
const record = (...keys: string[]) =>
  fc.record(Object.fromEntries(keys.map((key) => [key, value])), { requiredKeys: [] });
const parts = fc.oneof(value, fc.array(fc.oneof(value, record("type", "text", "refusal"))));
const item = fc.oneof(
  value,
  fc.record(
    {
      type: fc.constantFrom("message", "reasoning", "function_call", "web_search_call"),
      id: value,
      call_id: value,
      name: fc.oneof(value, fc.constant("f")),
      arguments: value,
      status: value,
      phase: value,
      encrypted_content: value,
      content: parts,
      summary: parts,
    },
    { requiredKeys: ["type"] },
  ),
);
const response = fc.oneof(
  value,
  record("id", "model", "usage", "error", "incomplete_details", "output"),
);
const SPEECH = [
  "content_part.added",
  "output_text.delta",
  "output_text.done",
  "refusal.delta",
  "refusal.done",
  "reasoning_summary_part.added",
  "reasoning_summary_text.delta",
  "reasoning_summary_text.done",
  "reasoning_text.delta",
  "reasoning_text.done",
  "function_call_arguments.delta",
];
const named = <T>(types: readonly string[], rest: Record<string, fc.Arbitrary<T | unknown>>) =>
  fc.record(
    { type: fc.constantFrom(...types.map((type) => `response.${type}`)), ...rest },
    { requiredKeys: ["type"] },
  );
const place = fc.oneof({ weight: 4, arbitrary: fc.nat(2) }, { weight: 1, arbitrary: value });
const speech = named(SPEECH, {
  output_index: place,
  item_id: value,
  content_index: place,
  summary_index: place,
  delta: fc.oneof(value, fc.string()),
  text: fc.oneof(value, fc.string()),
  refusal: value,
  part: record("type", "text"),
});
const event = fc.oneof(
  { weight: 8, arbitrary: speech },
  {
    weight: 6,
    arbitrary: named(["output_item.added", "output_item.done"], { output_index: place, item }),
  },
  {
    weight: 1,
    arbitrary: named(["created", "completed", "incomplete", "failed"], { response }),
  },
  { weight: 1, arbitrary: record("type", "error", "code", "message") },
);

decoderContract({
  protocol: openAiResponses,
  folder: new URL("recordings/", import.meta.url),
  event,
  withoutStep: ["message-metadata", "error"],
});
