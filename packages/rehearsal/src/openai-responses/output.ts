/** The output items of an answer and the response object around them. */
import type { Heard } from "../heard.ts";
import { type Said, saidId, saidText, type Usage } from "../said.ts";
import { seal } from "../seal.ts";
import type { Item } from "./items.ts";
import type { ResponsesBody } from "./shape.ts";

/** The body passed the shape before it became a `Heard`. */
export const bodyOf = (heard: Heard): ResponsesBody => heard.body as ResponsesBody;

export function outputItems(said: Said, heard: Heard): Item[] {
  const text = saidText(said);
  const status = said.stop === "length" ? "incomplete" : "completed";
  const content = [
    ...(text === "" ? [] : [outputText(text)]),
    ...(said.refusal === undefined ? [] : [{ type: "refusal", refusal: said.refusal }]),
  ];
  return [
    ...(said.reasoning === undefined ? [] : [reasoningItem(said.reasoning, said, heard)]),
    ...(content.length === 0
      ? []
      : [
          {
            type: "message",
            id: saidId("msg", said.number),
            role: "assistant",
            status,
            content,
          },
        ]),
    ...said.toolCalls.map(({ id, name, input }, index) => ({
      type: "function_call",
      id: saidId("fc", said.number, index),
      call_id: id,
      name,
      arguments: JSON.stringify(input ?? {}),
      status: "completed",
    })),
  ];
}

export const outputText = (text: string) => ({
  type: "output_text",
  text,
  annotations: [],
  logprobs: [],
});

/** Documented: the encrypted form is given only to those who ask for it in `include`. */
function reasoningItem(text: string, said: Said, heard: Heard): Item {
  const id = saidId("rs", said.number);
  const asked = bodyOf(heard).include?.includes("reasoning.encrypted_content") ?? false;
  return {
    type: "reasoning",
    id,
    summary: [{ type: "summary_text", text }],
    ...(asked && { encrypted_content: seal(id) }),
  };
}

type Status = "in_progress" | "completed" | "incomplete";

export const finalStatus = (said: Said): Status =>
  said.stop === "length" ? "incomplete" : "completed";

export function responseObject(
  said: Said,
  heard: Heard,
  status: Status,
  output: readonly Item[],
): unknown {
  const { body } = heard;
  const isDone = status !== "in_progress";
  return {
    id: saidId("resp", said.number),
    object: "response",
    created_at: said.createdSeconds,
    status,
    access_programs: null,
    background: false,
    completed_at: status === "completed" ? said.createdSeconds : null,
    error: null,
    incomplete_details: status === "incomplete" ? { reason: "max_output_tokens" } : null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: body.max_tool_calls ?? null,
    metadata: body.metadata ?? {},
    model: heard.model,
    output,
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: body.previous_response_id ?? null,
    reasoning: body.reasoning ?? { effort: null, summary: null },
    safety_identifier: body.safety_identifier ?? null,
    service_tier: "default",
    store: body.store ?? true,
    temperature: body.temperature ?? 1,
    text: body.text ?? { format: { type: "text" } },
    tool_choice: body.tool_choice ?? "auto",
    tools: body.tools ?? [],
    top_logprobs: body.top_logprobs ?? 0,
    top_p: body.top_p ?? 1,
    truncation: body.truncation ?? "disabled",
    usage: isDone ? usage(said.usage) : null,
    user: body.user ?? null,
  };
}

const usage = ({ input, output, cacheRead, reasoning }: Usage) => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: cacheRead },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: reasoning },
  total_tokens: input + output,
});
