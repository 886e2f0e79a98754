/** What no stream can do to the decoder: throw, leave a block open, or depend on where it was cut. */
import fc from "fast-check";
import { decoderContract } from "../decoder-contract.test.ts";
import { anthropicMessages } from "./protocol.ts";

const hostile = fc.oneof(
  fc.constantFrom(null, 0, -1, 1.5, "", "x", [], {}, true),
  fc.jsonValue({ maxDepth: 1 }),
);
const mixed = (...good: unknown[]) =>
  fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...good) }, hostile);
const loose = (fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc.oneof({ weight: 5, arbitrary: fc.record(fields, { requiredKeys: [] }) }, hostile);

const usage = loose({
  input_tokens: mixed(1, 2),
  output_tokens: mixed(3),
  cache_read_input_tokens: mixed(4),
  output_tokens_details: loose({ thinking_tokens: mixed(9) }),
});
const event = fc.record(
  {
    type: mixed(
      "message_start",
      "content_block_start",
      "content_block_start",
      "content_block_delta",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
      "ping",
    ),
    index: mixed(0, 1, 2),
    message: loose({ id: mixed("msg"), model: mixed("m"), usage }),
    content_block: loose({
      type: mixed("text", "thinking", "redacted_thinking", "tool_use", "web_search_tool_result"),
      id: mixed("t1"),
      name: mixed("read", "constructor"),
      text: mixed("", "a"),
      data: mixed("zz"),
    }),
    delta: loose({
      type: mixed("text_delta", "thinking_delta", "signature_delta", "input_json_delta"),
      text: mixed("b"),
      thinking: mixed("c"),
      signature: mixed("s"),
      partial_json: mixed("{}", "{"),
      stop_reason: mixed("end_turn", "constructor", "__proto__"),
    }),
    usage,
    error: loose({ type: mixed("e"), message: mixed("m") }),
  },
  { requiredKeys: [] },
);

decoderContract({
  protocol: anthropicMessages,
  folder: new URL("recordings/", import.meta.url),
  event,
  withoutStep: ["message-metadata", "error"],
});
