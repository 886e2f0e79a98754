/** What stands around the contents of a Gemini request, the most stable first. */
import type { ToolChoice } from "@galley/assemble";
import type { ModelProfile } from "../catalogue/model.ts";
import { leftOut, type Spelling } from "../left-out.ts";
import type { Endpoint, EndpointInput, Envelope, EnvelopeInput, Settings } from "../protocol.ts";
import { toolName } from "../tool-names.ts";
import { wireJson } from "../wire-json.ts";

export function envelope(input: EnvelopeInput): Envelope {
  let head = "{";
  if (input.tools.length > 0) head += `"tools":${wireJson([declarations(input)])},`;
  const traces: { layer: string; start: number; end: number }[] = [];
  if (input.layers.length > 0) {
    head += '"systemInstruction":{"parts":[';
    input.layers.forEach(({ id, text }, index) => {
      if (index > 0) head += ",";
      const start = head.length;
      head += wireJson({ text });
      traces.push({ layer: id, start, end: head.length });
    });
    head += "]},";
  }
  head += '"contents":[';
  const fields = fieldsOf(input);
  const tail = `],${wireJson(fields).slice(1)}`;
  const left = leftOut(input.settings, fields.generationConfig, SPELLING);
  return { head, tail, traces, leftOut: left };
}

const SPELLING: Spelling = {
  temperature: "temperature",
  topP: "topP",
  stop: "stopSequences",
  reasoning: "thinkingConfig",
};

/** `parametersJsonSchema` takes JSON Schema as it is; `parameters` would take only a subset. */
function declarations({ tools }: EnvelopeInput) {
  const functionDeclarations = tools.map(({ name, description, input_schema }) => ({
    name: toolName(name),
    description,
    parametersJsonSchema: input_schema,
  }));
  return { functionDeclarations };
}

function fieldsOf({ profile, settings, tools, toolChoice }: EnvelopeInput) {
  const thinkingConfig = thinkingOf(settings, profile);
  return {
    ...(toolChoice && tools.length > 0 && { toolConfig: choice(toolChoice) }),
    generationConfig: {
      maxOutputTokens: settings.maxOutput ?? profile.maxOutput,
      ...(settings.temperature !== undefined && { temperature: settings.temperature }),
      ...(settings.topP !== undefined && { topP: settings.topP }),
      ...(settings.stop && { stopSequences: settings.stop }),
      ...(thinkingConfig && { thinkingConfig }),
    },
  };
}

/** The API refuses the whole field for a model that does not think, and a level beside a budget. */
function thinkingOf({ reasoning }: Settings, profile: ModelProfile) {
  if (!reasoning || !profile.reasoning) return undefined;
  const { effort = "medium", budget } = reasoning;
  const includeThoughts = true;
  // A budget is the control that every thinking model takes, so it serves where none is known.
  if (profile.reasoning === true || profile.reasoning.control === "budget") {
    return { thinkingBudget: budget ?? BUDGETS[effort], includeThoughts };
  }
  const { words } = profile.reasoning;
  const wanted = reasoning.effort ?? (budget === undefined ? effort : levelOf(budget));
  const level = words.includes(wanted) ? wanted : words.at(-1);
  return { ...(level && { thinkingLevel: level.toUpperCase() }), includeThoughts };
}

/** What Gemini's own OpenAI-compatible door makes of the three words. */
const BUDGETS = { low: 1024, medium: 8192, high: 24_576 } as const;

function levelOf(budget: number): keyof typeof BUDGETS {
  if (budget <= BUDGETS.low) return "low";
  return budget <= BUDGETS.medium ? "medium" : "high";
}

const MODES = { auto: "AUTO", required: "ANY", none: "NONE" } as const;

function choice(toolChoice: ToolChoice) {
  const functionCallingConfig =
    typeof toolChoice === "object"
      ? { mode: MODES.required, allowedFunctionNames: [toolName(toolChoice.tool)] }
      : { mode: MODES[toolChoice] };
  return { functionCallingConfig };
}

export function endpoint({ baseUrl, key, profile, stream }: EndpointInput): Endpoint {
  const call = stream ? ":streamGenerateContent?alt=sse" : ":generateContent";
  return {
    method: "POST",
    url: `${versioned(baseUrl)}/${modelPath(profile.id)}${call}`,
    headers: {
      "content-type": "application/json",
      ...(key !== undefined && { "x-goog-api-key": key }),
    },
  };
}

/** Base addresses are written with the version and without it. */
function versioned(baseUrl: string): string {
  const base = baseUrl.replace(/\/+$/, "");
  return /\/v\d+[a-z0-9]*$/.test(base) ? base : `${base}/v1beta`;
}

/** Tuned models bring their own collection: `tunedModels/…`. */
function modelPath(id: string): string {
  const path = id.includes("/") ? id : `models/${id}`;
  return path
    .split("/")
    .map((segment) => encodeURIComponent(segment.toWellFormed()))
    .join("/");
}
