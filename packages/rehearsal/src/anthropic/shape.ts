/**
 * The body of `POST /v1/messages` as a closed shape, after `MessageCreateParamsBase` of
 * `@anthropic-ai/sdk` 1.8, and the few types the rules need to read it.
 */
import {
  anything,
  byType,
  choice,
  type Fields,
  flag,
  integer,
  into,
  type Json,
  list,
  nullable,
  number,
  object,
  optional,
  record,
  type Shape,
  tagged,
  text,
} from "../check.ts";
import { cacheControl, contentBlock, skill, textBlock, toolOptions } from "./blocks.ts";

/** Documented under "Versions". */
export const API_VERSIONS = ["2026-10-21", "2023-06-01", "2023-01-01"] as const;
export type ApiVersion = (typeof API_VERSIONS)[number];

export type Block = Json & {
  readonly type: string;
  readonly cache_control?: { readonly ttl?: string } | null;
};
export type Message = {
  readonly role: "user" | "assistant" | "system";
  readonly content: string | readonly Block[];
};
export type Tool = Json & { readonly name?: string; readonly type?: string | null };
export type MessagesBody = {
  readonly model: string;
  readonly max_tokens: number;
  readonly messages: readonly Message[];
  readonly system?: string | readonly Block[];
  readonly stream?: boolean;
  readonly stop_sequences?: readonly string[];
  readonly tools?: readonly Tool[];
  readonly tool_choice?: { readonly type: string; readonly name?: string };
  readonly thinking?: { readonly type: string; readonly budget_tokens?: number };
  readonly temperature?: number;
  readonly top_p?: number;
  readonly top_k?: number;
  readonly cache_control?: { readonly ttl?: string } | null;
};

const message = object({
  role: choice("user", "assistant", "system"),
  content: byType({ string: text(), array: list(contentBlock) }),
});

const customTool = object({
  name: text({ pattern: /^[a-zA-Z0-9_-]{1,128}$/ }),
  input_schema: object(
    {
      type: choice("object"),
      properties: optional(nullable(record())),
      required: optional(nullable(list(text()))),
    },
    { open: true },
  ),
  type: optional(nullable(choice("custom"))),
  description: optional(text()),
  eager_input_streaming: optional(nullable(flag)),
  input_examples: optional(list(record())),
  ...toolOptions,
});

/** Tools of Anthropic's own: named and versioned by them, and open, because we offer none. */
const providerTool = object({ type: text() }, { open: true });

const tool: Shape = (value, path, report) => {
  const type = (value as Json | null)?.type;
  const custom = type === undefined || type === null || type === "custom";
  return custom
    ? customTool(value, into(path, "custom"), report)
    : providerTool(value, path, report);
};

const display = optional(nullable(choice("summarized", "omitted")));
const parallel = { disable_parallel_tool_use: optional(flag) };

const FIELDS: Fields = {
  model: text({ min: 1 }),
  messages: list(message, { max: 100_000 }),
  // Documented: 0 fills the prompt cache without an answer.
  max_tokens: integer({ min: 0 }),
  cache_control: optional(cacheControl),
  container: optional(
    nullable(
      byType({
        string: text(),
        object: object({
          id: optional(nullable(text())),
          skills: optional(nullable(list(skill))),
        }),
      }),
    ),
  ),
  diagnostics: optional(nullable(object({ previous_message_id: optional(nullable(text())) }))),
  inference_geo: optional(nullable(text())),
  metadata: optional(object({ user_id: optional(nullable(text({ max: 256 }))) })),
  output_config: optional(
    object({
      effort: optional(nullable(choice("low", "medium", "high", "xhigh", "max"))),
      format: optional(nullable(object({ type: choice("json_schema"), schema: record() }))),
    }),
  ),
  service_tier: optional(choice("auto", "standard_only")),
  speed: optional(nullable(choice("standard", "fast"))),
  stop_sequences: optional(list(text({ min: 1 }))),
  stream: optional(flag),
  system: optional(byType({ string: text(), array: list(tagged("type", { text: textBlock })) })),
  thinking: optional(
    tagged(
      "type",
      {
        enabled: object({
          type: choice("enabled"),
          budget_tokens: integer({ min: 1_024 }),
          display,
        }),
        disabled: object({ type: choice("disabled") }),
        between_tools: object({ type: choice("between_tools") }),
        adaptive: object({ type: choice("adaptive"), display }),
      },
      true,
    ),
  ),
  tool_choice: optional(
    tagged(
      "type",
      {
        auto: object({ type: choice("auto"), ...parallel }),
        any: object({ type: choice("any"), ...parallel }),
        tool: object({ type: choice("tool"), name: text(), ...parallel }),
        none: object({ type: choice("none") }),
      },
      true,
    ),
  ),
  tools: optional(list(tool)),
};

/** Documented: API version 2026-10-21 removed these. */
const SAMPLING_FIELDS: Fields = {
  temperature: optional(number({ min: 0, max: 1 })),
  top_p: optional(number({ min: 0, max: 1 })),
  top_k: optional(integer({ min: 0 })),
};

/** Known only to callers that send an `anthropic-beta` header; open, because they change. */
const BETA_FIELDS: Fields = Object.fromEntries(
  [
    "compaction",
    "context_management",
    "fallback_credit_token",
    "fallbacks",
    "mcp_servers",
    "output_format",
    "thread",
  ].map((name) => [name, optional(anything)]),
);

const messagesBody = object(FIELDS);
const betaBody = object({ ...FIELDS, ...BETA_FIELDS });
const samplingBody = object({ ...FIELDS, ...SAMPLING_FIELDS });
const betaSamplingBody = object({ ...FIELDS, ...SAMPLING_FIELDS, ...BETA_FIELDS });

export function bodyShape(version: ApiVersion, isBeta: boolean): Shape {
  if (version === "2026-10-21") return isBeta ? betaBody : messagesBody;
  return isBeta ? betaSamplingBody : samplingBody;
}
