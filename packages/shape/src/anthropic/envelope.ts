/** What stands around the messages of an Anthropic request, the most stable first. */
import type { ToolChoice } from "@galley/assemble";
import type { ModelProfile } from "../catalogue/model.ts";
import { leftOut, type Spelling } from "../left-out.ts";
import type { Endpoint, EndpointInput, Envelope, EnvelopeInput, Settings } from "../protocol.ts";
import { toolName } from "../tool-names.ts";
import { wireJson } from "../wire-json.ts";

export const MARKER = ',"cache_control":{"type":"ephemeral"}';
const VERSION = "2023-06-01";

export function envelope(input: EnvelopeInput): Envelope {
  const { profile, settings } = input;
  const maxTokens = settings.maxOutput ?? profile.maxOutput;
  let head = `{"model":${wireJson(profile.id)},"max_tokens":${maxTokens}`;
  const tools = input.tools.map((tool) => ({ ...tool, name: toolName(tool.name) }));
  if (tools.length > 0) head += `,"tools":${wireJson(tools)}`;
  const traces: { layer: string; start: number; end: number }[] = [];
  if (input.layers.length > 0) {
    head += ',"system":[';
    input.layers.forEach(({ id, text }, index) => {
      const last = index === input.layers.length - 1;
      const marker = last && settings.cache === "auto" ? MARKER : "";
      if (index > 0) head += ",";
      const start = head.length;
      head += `{"type":"text","text":${wireJson(text)}${marker}}`;
      traces.push({ layer: id, start, end: head.length });
    });
    head += "]";
  }
  head += ',"messages":[';
  const fields = fieldsOf(input);
  const tail = `],${wireJson(fields).slice(1)}`;
  return { head, tail, traces, leftOut: leftOut(settings, fields, SPELLING) };
}

const SPELLING: Spelling = {
  temperature: "temperature",
  topP: "top_p",
  stop: "stop_sequences",
  reasoning: "thinking",
};

function fieldsOf({ profile, settings, tools, toolChoice }: EnvelopeInput) {
  const thinking = thinkingOf(profile, settings);
  // Thinking fixes the sampling: the API refuses a temperature beside it.
  const sampling = thinking || thinksByWord(profile) ? {} : samplingOf(settings);
  return {
    ...(toolChoice && tools.length > 0 && { tool_choice: choice(toolChoice) }),
    ...thinking,
    ...sampling,
    ...(settings.stop && { stop_sequences: settings.stop }),
    stream: settings.stream,
  };
}

function samplingOf({ temperature, topP }: Settings) {
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
  };
}

/** Such models think whenever they see fit, and refuse sampling settings altogether. */
const thinksByWord = ({ reasoning }: ModelProfile): boolean =>
  typeof reasoning === "object" && reasoning.control !== "budget";

/** Newer models take a word for how hard to think, older ones a number of tokens. */
function thinkingOf(profile: ModelProfile, { reasoning, maxOutput }: Settings) {
  if (!reasoning || !profile.reasoning) return undefined;
  const effort = reasoning.effort ?? "medium";
  if (thinksByWord(profile)) {
    return { thinking: { type: "adaptive" }, output_config: { effort } };
  }
  // The API counts thinking as output: half of that is kept for the answer.
  const room = Math.floor((maxOutput ?? profile.maxOutput) / 2);
  const budget = Math.min(Math.max(LEAST, reasoning.budget ?? BUDGETS[effort]), room);
  return budget < LEAST ? undefined : { thinking: { type: "enabled", budget_tokens: budget } };
}

const LEAST = 1024;
const BUDGETS = { low: 1024, medium: 4096, high: 16384 } as const;

function choice(toolChoice: ToolChoice) {
  if (typeof toolChoice === "object") return { type: "tool", name: toolName(toolChoice.tool) };
  return { type: toolChoice === "required" ? "any" : toolChoice };
}

export function endpoint({ baseUrl, key }: EndpointInput): Endpoint {
  return {
    method: "POST",
    url: `${baseUrl.replace(/\/+$/, "")}/v1/messages`,
    headers: {
      "content-type": "application/json",
      "anthropic-version": VERSION,
      ...(key !== undefined && { "x-api-key": key }),
    },
  };
}
