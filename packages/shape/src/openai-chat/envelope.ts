/** What stands around the messages of a Chat Completions request, the most stable first. */
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
import { dialectOf } from "./dialect.ts";

/** `developer` is newer and only OpenAI's; it reads `system` the same way, and so does everybody. */
const SYSTEM = { open: '{"role":"system","content":[', type: "text" } as const;

export function envelope(input: EnvelopeInput): Envelope {
  let before = `{"model":${wireJson(input.profile.id)}`;
  const tools = input.tools.map((tool) => ({ type: "function", function: functionOf(tool) }));
  if (tools.length > 0) before += `,"tools":${wireJson(tools)}`;
  const { head, traces } = withLayers(`${before},"messages":[`, input.layers, SYSTEM);
  const fields = fieldsOf(input);
  const tail = `],${wireJson(fields).slice(1)}`;
  return { head, tail, traces, leftOut: leftOut(input.settings, fields, SPELLING) };
}

const SPELLING: Spelling = {
  temperature: "temperature",
  topP: "top_p",
  stop: "stop",
  reasoning: "reasoning_effort",
};

function fieldsOf({ profile, settings, tools, toolChoice }: EnvelopeInput) {
  const dialect = dialectOf(profile);
  const limit = settings.maxOutput ?? (dialect.sayLimit ? profile.maxOutput : undefined);
  // Such a model refuses tools unless it is told not to reason; asking for both asks for tools.
  const quiet = tools.length > 0 && profile.tools === "without-reasoning";
  const effort = quiet ? "none" : effortOf(profile, settings);
  const sampling = takesSampling(profile, effort);
  const cacheKey = dialect.cacheKey ? cacheKeyOf(settings) : undefined;
  return {
    ...(toolChoice && tools.length > 0 && { tool_choice: choice(toolChoice) }),
    ...(limit !== undefined && { [dialect.limit]: limit }),
    ...(effort && { reasoning_effort: effort }),
    ...(settings.temperature !== undefined && sampling && { temperature: settings.temperature }),
    ...(settings.topP !== undefined && sampling && { top_p: settings.topP }),
    ...(settings.stop && sampling && { stop: settings.stop }),
    ...(cacheKey !== undefined && { prompt_cache_key: cacheKey }),
    stream: settings.stream,
    ...(settings.stream && { stream_options: { include_usage: true } }),
  };
}

function choice(toolChoice: ToolChoice) {
  return typeof toolChoice === "object"
    ? { type: "function", function: { name: toolName(toolChoice.tool) } }
    : toolChoice;
}

export const endpoint = (input: EndpointInput): Endpoint => postTo("/chat/completions", input);
