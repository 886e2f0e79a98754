/** What stands around the input of a Responses request, the most stable first. */
import type { ToolChoice } from "@galley/assemble";
import { leftOut, type Spelling } from "../left-out.ts";
import { cacheKeyOf } from "../openai/cache-key.ts";
import { effortOf, takesSampling } from "../openai/effort.ts";
import { postTo } from "../openai/endpoint.ts";
import { withLayers } from "../openai/layers.ts";
import { functionOf } from "../openai/tool.ts";
import type { Endpoint, EndpointInput, Envelope, EnvelopeInput } from "../protocol.ts";
import { toolName } from "../tool-names.ts";
import { wireJson } from "../wire-json.ts";

/**
 * Layers are an input item, not `instructions`: those are one text, in which a layer has no bounds
 * of its own.
 */
const SYSTEM = {
  open: '{"type":"message","role":"developer","content":[',
  type: "input_text",
} as const;

export function envelope(input: EnvelopeInput): Envelope {
  let before = `{"model":${wireJson(input.profile.id)},"store":false`;
  // Functions are strict unless told otherwise, and most JSON Schemas are not written for that.
  const tools = input.tools.map((tool) => ({
    type: "function",
    ...functionOf(tool),
    strict: false,
  }));
  if (tools.length > 0) before += `,"tools":${wireJson(tools)}`;
  const { head, traces } = withLayers(`${before},"input":[`, input.layers, SYSTEM);
  const fields = fieldsOf(input);
  const tail = `],${wireJson(fields).slice(1)}`;
  return { head, tail, traces, leftOut: leftOut(input.settings, fields, SPELLING) };
}

/** The protocol has no word for texts that end an answer. */
const SPELLING: Spelling = {
  temperature: "temperature",
  topP: "top_p",
  reasoning: "reasoning",
};

function fieldsOf({ profile, settings, tools, toolChoice }: EnvelopeInput) {
  const effort = effortOf(profile, settings);
  const sampling = takesSampling(profile, effort);
  const cacheKey = cacheKeyOf(settings);
  return {
    ...(toolChoice && tools.length > 0 && { tool_choice: choice(toolChoice) }),
    // Absent, it is the model's own limit; a number counts against the account's rate, used or not.
    ...(settings.maxOutput !== undefined && { max_output_tokens: settings.maxOutput }),
    ...(effort && { reasoning: { effort, summary: "auto" } }),
    // A model that reasons does so unasked, and what is not stored comes back only if it is sent
    // along. A model that does not reason refuses the field.
    ...((profile.reasoning || effort) && { include: ["reasoning.encrypted_content"] }),
    ...(settings.temperature !== undefined && sampling && { temperature: settings.temperature }),
    ...(settings.topP !== undefined && sampling && { top_p: settings.topP }),
    ...(cacheKey !== undefined && { prompt_cache_key: cacheKey }),
    stream: settings.stream,
  };
}

function choice(toolChoice: ToolChoice) {
  return typeof toolChoice === "object"
    ? { type: "function", name: toolName(toolChoice.tool) }
    : toolChoice;
}

export const endpoint = (input: EndpointInput): Endpoint => postTo("/responses", input);
