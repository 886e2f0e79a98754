/**
 * What the composer is given. Everything is there already: memory is fetched, tools are bounded,
 * parameters are checked; the composer reads, and asks nobody but its ports.
 */
import { canonicalJson } from "@galley/parts";
import type { Json } from "../draft.ts";
import type { InvocationSource, SkillPackageInput } from "./package.ts";

export const MEMORY_TIERS = ["session", "project", "user", "workspace"] as const;
export type MemoryTier = (typeof MEMORY_TIERS)[number];

export type MemoryItem = { readonly id: string; readonly tier: MemoryTier; readonly text: string };

export type ToolDescriptor = { readonly name: string; readonly description?: string };

export type ComposeSkillRequest = {
  readonly skill_package: SkillPackageInput;
  /** Verbatim, and data. */
  readonly user_request: string;
  readonly invocation_source: InvocationSource;
  /** Null: the scope is the workspace. */
  readonly channel_id: string | null;
  readonly thread_id: string;
  /** A set; it is told tier by tier. */
  readonly memory_context: readonly MemoryItem[];
  /** A set: the skill's tool surface within what the caller may do. */
  readonly available_tools: readonly ToolDescriptor[];
  /** A set: names of the tools that the top-level caller may use. It has the last word. */
  readonly caller_capabilities: readonly string[];
  readonly parameters: Readonly<Record<string, Json>>;
  /** The conversation is for making skills; only then may a skill reach the tools that do. */
  readonly authoring?: boolean;
  /** A set: what this invocation is about. */
  readonly tags?: readonly string[];
  /** A set: artifacts that this invocation goes without, such as a suggested trimming. */
  readonly leave_out?: readonly string[];
};

export const scopeOf = ({ channel_id }: Pick<ComposeSkillRequest, "channel_id">): string =>
  channel_id === null ? "workspace" : "channel";

/** Values deeper than this are no parameters; it keeps every walk over them on the stack. */
export const PARAMETER_DEPTH = 64;

export function isTooDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > PARAMETER_DEPTH) return true;
    level = level.flatMap((each) =>
      typeof each === "object" && each !== null ? Object.values(each) : [],
    );
  }
  return false;
}

/** Parameters as the skill sees them: what is not given has the default that its schema names. */
export function filledParameters(
  given: ComposeSkillRequest["parameters"],
  schema: Readonly<Record<string, unknown>>,
): Readonly<Record<string, Json>> {
  const { properties } = schema;
  const named = typeof properties === "object" && properties !== null ? properties : {};
  const defaults = Object.entries(named).flatMap(([key, rule]: [string, unknown]) => {
    const hasDefault = typeof rule === "object" && rule !== null && Object.hasOwn(rule, "default");
    // A schema is JSON, so is a value inside it.
    return hasDefault ? [[key, (rule as { readonly default: Json }).default] as const] : [];
  });
  const filled = { ...Object.fromEntries(defaults), ...given };
  // The order of keys must not reach a template or the prompt.
  return JSON.parse(canonicalJson(filled)) as Readonly<Record<string, Json>>;
}
