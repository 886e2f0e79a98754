/**
 * Answers in the words of Chat Completions: the whole completion, and its chunks.
 *
 * Reasoning is sent as `reasoning_content`, which OpenAI itself keeps to itself but the servers that
 * speak its protocol send; as OpenAI does, the rehearsal refuses it when it comes back.
 */
import type { Heard } from "../heard.ts";
import { jsonPieces, type Said, saidId, saidText, type Usage } from "../said.ts";
import { type WireEvent, wireEvent } from "../wire.ts";

export function wholeCompletion(said: Said, heard: Heard): unknown {
  const text = saidText(said);
  const message = {
    role: "assistant",
    content: text === "" ? null : text,
    refusal: said.refusal ?? null,
    ...(said.reasoning !== undefined && { reasoning_content: said.reasoning }),
    ...(said.toolCalls.length > 0 && {
      tool_calls: said.toolCalls.map(({ id, name, input }) => ({
        id,
        type: "function",
        function: { name, arguments: JSON.stringify(input ?? {}) },
      })),
    }),
    annotations: [],
  };
  const finish_reason = FINISH_REASONS[said.stop];
  return {
    ...envelope(said, heard, "chat.completion"),
    choices: [{ index: 0, message, logprobs: null, finish_reason }],
    usage: usage(said.usage),
  };
}

export function completionEvents(said: Said, heard: Heard): WireEvent[] {
  const wantsUsage = includesUsage(heard);
  const base = {
    ...envelope(said, heard, "chat.completion.chunk"),
    // Documented: with include_usage, `usage` is null on every chunk but the last.
    ...(wantsUsage && { usage: null }),
  };
  const chunk = (delta: Record<string, unknown>, finish_reason: string | null = null) =>
    wireEvent({ ...base, choices: [{ index: 0, delta, logprobs: null, finish_reason }] });
  return [
    chunk({ role: "assistant", content: "", refusal: null }),
    ...(said.reasoning === undefined ? [] : [chunk({ reasoning_content: said.reasoning })]),
    ...said.chunks.map((content) => chunk({ content })),
    ...(said.refusal === undefined ? [] : [chunk({ refusal: said.refusal })]),
    ...said.toolCalls.flatMap(callDeltas).map((call) => chunk({ tool_calls: [call] })),
    chunk({}, FINISH_REASONS[said.stop]),
    ...(wantsUsage ? [wireEvent({ ...base, choices: [], usage: usage(said.usage) })] : []),
    { data: "[DONE]" },
  ];
}

const envelope = (said: Said, heard: Heard, object: string) => ({
  id: saidId("chatcmpl", said.number),
  object,
  created: said.createdSeconds,
  model: heard.model,
  service_tier: "default",
  system_fingerprint: "fp_rehearsal",
});

/** The id and the name come once, with empty arguments; then the arguments in pieces. */
function callDeltas({ id, name, input }: Said["toolCalls"][number], index: number) {
  return [
    { index, id, type: "function", function: { name, arguments: "" } },
    ...jsonPieces(input).map((piece) => ({ index, function: { arguments: piece } })),
  ];
}

const FINISH_REASONS: { readonly [S in Said["stop"]]: string } = {
  stop: "stop",
  length: "length",
  "tool-calls": "tool_calls",
  // Documented: a refusal ends with "stop" and has its words in `refusal`.
  refusal: "stop",
};

function includesUsage({ body }: Heard): boolean {
  const options = body.stream_options as { include_usage?: boolean } | null | undefined;
  return options?.include_usage === true;
}

const usage = ({ input, output, cacheRead, reasoning }: Usage) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: cacheRead, audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: reasoning,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
});
