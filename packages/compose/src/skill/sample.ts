/**
 * Small ports, a sample skill and skills made by chance, for the tests of this folder. The renderer
 * knows `{{ name }}` alone and is strict about it; the schema check knows `type` and `required`.
 */
import type { Json } from "../draft.ts";
import type { SkillPackageInput } from "./package.ts";
import type { Rendered, SchemaIssue, SkillPorts } from "./ports.ts";
import type { ComposeSkillRequest } from "./request.ts";

const SLOT = /\{\{\s*([\w.]+)\s*\}\}/g;

function renderSlots(source: string, context: Readonly<Record<string, Json>>): Rendered {
  const lost = [...source.matchAll(SLOT)].find(
    ([, name = ""]) => lookUp(context, name) === undefined,
  );
  if (lost !== undefined) {
    const line = source.slice(0, lost.index).split("\n").length;
    return { ok: false, reason: "undefined", says: "undefined value", line };
  }
  const text = source.replace(SLOT, (_, name: string) => String(lookUp(context, name)));
  return { ok: true, text };
}

const lookUp = (context: unknown, name: string): unknown =>
  name
    .split(".")
    .reduce<unknown>(
      (value, key) =>
        typeof value === "object" && value !== null && Object.hasOwn(value, key)
          ? (value as Readonly<Record<string, unknown>>)[key]
          : undefined,
      context,
    );

function checkTypes(schema: Readonly<Record<string, unknown>>, value: Json): SchemaIssue[] {
  if (schema.type === "nonsense") return [{ at: "schema", pointer: "/type", says: "no such type" }];
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  const given = typeof value === "object" && value !== null ? value : {};
  return required
    .filter((key) => !Object.hasOwn(given, key))
    .map((key) => ({ at: "value", pointer: `/${key}`, says: "is required" }));
}

export const SAMPLE_PORTS: SkillPorts = { renderTemplate: renderSlots, checkSchema: checkTypes };

export const SAMPLE_SKILL: SkillPackageInput = {
  name: "release-notes",
  version: 4,
  description: "Writes release notes.",
  framing: "Write notes in {{ lang }}.",
  framing_kind: "template",
  parameters: {
    type: "object",
    properties: { lang: { type: "string" }, style: { type: "string", default: "short" } },
    required: ["lang"],
  },
  tool_surface: ["read", "grep", "write"],
  requires_tools: true,
  interrupts: [
    { name: "on_ambiguous_input", message: "Which release?" },
    { name: "on_conflict", at: "draft" },
  ],
  output_schema: { type: "object" },
  tool_call_budget: 12,
  model_preference: "anthropic/some-model",
  artifacts: [
    { id: "tone", kind: "Description", version: 2, body: "Be plain." },
    {
      id: "channels",
      kind: "Description",
      body: "Name the channel.",
      include_when: 'scope == "channel"',
    },
    { id: "ex-go", kind: "Example", body: "Go example", tags: ["go"] },
    { id: "ex-any", kind: "Example", body: "Any example" },
    { id: "ex-ts", kind: "Example", version: 3, body: "TS example", tags: ["ts"] },
    {
      id: "two-steps",
      kind: "Approach",
      body: "Read, then write.",
      stages: [
        { id: "gather", instructions: "Read the log.", tools: ["grep", "read"] },
        { id: "draft", instructions: "Write it." },
        { id: "shout", instructions: "Shout.", include_when: 'parameters.style == "loud"' },
      ],
    },
  ],
};

export const SAMPLE_REQUEST: ComposeSkillRequest = {
  skill_package: SAMPLE_SKILL,
  user_request: "Notes for 1.2, please.",
  invocation_source: "explicit",
  channel_id: null,
  thread_id: "ses_1",
  memory_context: [
    { id: "mem_2", tier: "user", text: "Prefers lists." },
    { id: "mem_1", tier: "project", text: "Releases on Mondays." },
  ],
  available_tools: [{ name: "write" }, { name: "read" }, { name: "grep" }],
  caller_capabilities: ["grep", "read", "write", "bash"],
  parameters: { lang: "ts" },
};

export const withSkill = (
  change: Partial<SkillPackageInput>,
  rest: Partial<ComposeSkillRequest> = {},
): ComposeSkillRequest => ({
  ...SAMPLE_REQUEST,
  ...rest,
  skill_package: { ...SAMPLE_SKILL, ...change },
});
