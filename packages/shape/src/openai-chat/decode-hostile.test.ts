/** What no stream can do to the decoder: throw, leave a block open, or depend on where it was cut. */
import fc from "fast-check";
import { decoderContract } from "../decoder-contract.test.ts";
import { openAiChat } from "./protocol.ts";

const value = fc.oneof(
  fc.constantFrom("stop", "length", "__proto__", "x", "", 0, 1, -1, 0.5, null, true, [], {}),
  fc.jsonValue({ maxDepth: 2 }),
);
const record = (...keys: string[]) =>
  fc.record(Object.fromEntries(keys.map((key) => [key, value])), { requiredKeys: [] });
const call = fc.record(
  {
    index: fc.oneof(value, fc.nat(2)),
    id: fc.oneof(value, fc.constantFrom("a", "b")),
    function: fc.oneof(
      value,
      record("name", "arguments"),
      fc.record({ name: fc.constantFrom("", "f", "g"), arguments: fc.string() }),
    ),
  },
  { requiredKeys: [] },
);
const delta = fc.oneof(
  value,
  fc.record(
    {
      content: fc.oneof(value, fc.string()),
      refusal: value,
      reasoning_content: fc.oneof(value, fc.string()),
      reasoning: value,
      tool_calls: fc.oneof(value, fc.array(fc.oneof(value, call), { maxLength: 3 })),
    },
    { requiredKeys: [] },
  ),
);
const choice = fc.oneof(
  value,
  fc.record({ delta, finish_reason: fc.oneof(value, fc.constant(null)) }),
);
const details = record("cached_tokens", "cache_write_tokens", "reasoning_tokens");
const usage = fc.record(
  { prompt_tokens: value, prompt_tokens_details: details, completion_tokens_details: details },
  { requiredKeys: [] },
);
const event = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record(
      {
        id: value,
        model: value,
        choices: fc.oneof(value, fc.array(choice, { maxLength: 2 })),
        usage: fc.oneof(value, usage),
      },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: fc.record({ error: value, object: value }) },
);

decoderContract({
  protocol: openAiChat,
  folder: new URL("recordings/", import.meta.url),
  event,
  withoutStep: ["message-metadata", "error"],
});
