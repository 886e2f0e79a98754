/**
 * Answers in Anthropic's words: the whole message, and the same message as its stream of events.
 * The order of events is the one documented under "Streaming messages".
 */
import type { Heard } from "../heard.ts";
import { jsonPieces, type Said, saidId, saidText, type Usage } from "../said.ts";
import { seal } from "../seal.ts";
import { type WireEvent, wireEvent } from "../wire.ts";

type ContentBlock = { readonly type: string } & Record<string, unknown>;

export function wholeMessage(said: Said, heard: Heard): unknown {
  return {
    ...message(said, heard, contentOf(said)),
    stop_reason: STOP_REASONS[said.stop],
    stop_details: stopDetails(said),
    usage: usage(said.usage, said.usage.output),
  };
}

export function messageEvents(said: Said, heard: Heard): WireEvent[] {
  const start = {
    ...message(said, heard, []),
    stop_reason: null,
    stop_details: null,
    usage: usage(said.usage, 1),
  };
  const blocks = contentOf(said).flatMap((block, index) => blockEvents(block, index, said));
  const delta = {
    container: null,
    stop_details: stopDetails(said),
    stop_reason: STOP_REASONS[said.stop],
    stop_sequence: null,
  };
  return [
    named({ type: "message_start", message: start }),
    named({ type: "ping" }),
    ...blocks,
    named({ type: "message_delta", delta, usage: deltaUsage(said.usage) }),
    named({ type: "message_stop" }),
  ];
}

/** Every event carries its name twice: as the SSE event and as `type`. */
const named = (data: { readonly type: string } & Record<string, unknown>): WireEvent =>
  wireEvent(data, data.type);

const message = (said: Said, heard: Heard, content: readonly ContentBlock[]) => ({
  id: saidId("msg", said.number),
  type: "message",
  role: "assistant",
  model: heard.model,
  content,
  stop_sequence: null,
  container: null,
  diagnostics: null,
});

const STOP_REASONS: { readonly [S in Said["stop"]]: string } = {
  stop: "end_turn",
  length: "max_tokens",
  "tool-calls": "tool_use",
  refusal: "refusal",
};

const stopDetails = ({ refusal }: Said) =>
  refusal === undefined ? null : { type: "refusal", category: null, explanation: refusal };

function contentOf(said: Said): ContentBlock[] {
  const text = saidText(said);
  return [
    ...(said.reasoning === undefined
      ? []
      : [{ type: "thinking", thinking: said.reasoning, signature: seal(said.reasoning) }]),
    ...(text === "" ? [] : [{ type: "text", text, citations: null }]),
    ...said.toolCalls.map(({ id, name, input }) => ({
      type: "tool_use",
      id,
      name,
      input: input ?? {},
      caller: { type: "direct" },
    })),
  ];
}

function blockEvents(block: ContentBlock, index: number, said: Said): WireEvent[] {
  const delta = (data: Record<string, unknown>) =>
    named({ type: "content_block_delta", index, delta: data });
  const [empty, deltas] = opened(block, said);
  return [
    named({ type: "content_block_start", index, content_block: empty }),
    ...deltas.map(delta),
    named({ type: "content_block_stop", index }),
  ];
}

/** A block as it is announced, empty, and the deltas that fill it. */
function opened(block: ContentBlock, said: Said): [ContentBlock, Record<string, unknown>[]] {
  switch (block.type) {
    case "thinking":
      return [
        { ...block, thinking: "", signature: "" },
        [
          { type: "thinking_delta", thinking: block.thinking },
          { type: "signature_delta", signature: block.signature },
        ],
      ];
    case "text":
      return [{ ...block, text: "" }, said.chunks.map((text) => ({ type: "text_delta", text }))];
    default:
      return [
        { ...block, input: {} },
        ["", ...jsonPieces(block.input)].map((partial_json) => ({
          type: "input_json_delta",
          partial_json,
        })),
      ];
  }
}

/** `input_tokens` is what was neither read from the cache nor written to it (documented). */
const usage = ({ input, cacheRead, cacheWrite, reasoning }: Usage, output: number) => ({
  input_tokens: input - cacheRead - cacheWrite,
  cache_creation_input_tokens: cacheWrite,
  cache_read_input_tokens: cacheRead,
  cache_creation: { ephemeral_5m_input_tokens: cacheWrite, ephemeral_1h_input_tokens: 0 },
  output_tokens: output,
  output_tokens_details: { thinking_tokens: reasoning },
  server_tool_use: null,
  service_tier: "standard",
  inference_geo: null,
  speed: "standard",
});

const deltaUsage = (given: Usage) => ({
  input_tokens: given.input - given.cacheRead - given.cacheWrite,
  cache_creation_input_tokens: given.cacheWrite,
  cache_read_input_tokens: given.cacheRead,
  output_tokens: given.output,
  output_tokens_details: { thinking_tokens: given.reasoning },
  server_tool_use: null,
});
