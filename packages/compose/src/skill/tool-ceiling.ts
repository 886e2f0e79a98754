/**
 * Which tools a skill may have: its surface within what the top-level caller may do, and nothing
 * that anybody says later makes it more. The same answer serves the request, the composition and
 * each single call, because none of them is to rely on the others.
 *
 * Names only; whether a caller may do something is decided elsewhere.
 */
import type { SkillComposition } from "./composition.ts";
import type { SkillPackage, SkillPackageInput } from "./package.ts";
import type { ComposeSkillRequest, ToolDescriptor } from "./request.ts";

export type WithheldReason =
  | "outside-tool-surface"
  | "outside-caller-capabilities"
  | "authoring-only"
  | "not-available";

/** They change skills: a skill at work reaches none of them. */
export const AUTHORING_TOOLS: readonly string[] = [
  "create_skill",
  "update_skill",
  "list_skills",
  "add_artifact",
];

/** Also behind the name of a server, as in `galley__create_skill`. */
const isAuthoring = (tool: string): boolean =>
  AUTHORING_TOOLS.some((each) => tool === each || tool.endsWith(`__${each}`));

export const sortedSet = (words: Iterable<string>): readonly string[] =>
  [...new Set(words)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));

type Bounds = Pick<ComposeSkillRequest, "caller_capabilities" | "authoring"> & {
  readonly tool_surface?: readonly string[] | undefined;
};

function outside(bounds: Bounds): (tool: string) => WithheldReason | undefined {
  const surface = bounds.tool_surface && new Set(bounds.tool_surface);
  const capabilities = new Set(bounds.caller_capabilities);
  return (tool) => {
    if (!capabilities.has(tool)) return "outside-caller-capabilities";
    if (surface !== undefined && !surface.has(tool)) return "outside-tool-surface";
    return isAuthoring(tool) && bounds.authoring !== true ? "authoring-only" : undefined;
  };
}

export type ToolCeiling = {
  /** In order of their names. */
  readonly allowed: readonly string[];
  reasonAgainst(tool: string): WithheldReason | undefined;
  /** What the skill or the request names and does not get. */
  readonly withheld: readonly { readonly tool: string; readonly reason: WithheldReason }[];
};

export function toolCeiling(skill: SkillPackage, request: ComposeSkillRequest): ToolCeiling {
  const given = new Set(request.available_tools.map(({ name }) => name));
  const against = outside({ ...request, tool_surface: skill.tool_surface });
  const reasonAgainst = (tool: string): WithheldReason | undefined =>
    against(tool) ?? (given.has(tool) ? undefined : "not-available");
  return {
    allowed: sortedSet(given).filter((tool) => reasonAgainst(tool) === undefined),
    reasonAgainst,
    withheld: sortedSet([...given, ...(skill.tool_surface ?? [])]).flatMap((tool) => {
      const reason = reasonAgainst(tool);
      return reason === undefined ? [] : [{ tool, reason }];
    }),
  };
}

/** The one on whose behalf everything in a turn happens, also what a skill asks of a skill. */
export type SkillCaller = {
  readonly thread_id: string;
  readonly channel_id: string | null;
  readonly capabilities: readonly string[];
  /** Every tool that the host has. */
  readonly tools: readonly ToolDescriptor[];
  readonly authoring?: boolean;
};

export type SkillAsk = Pick<
  ComposeSkillRequest,
  "user_request" | "invocation_source" | "memory_context" | "parameters" | "tags" | "leave_out"
> & { readonly skill_package: SkillPackageInput };

/** For a nested skill too, with the same caller: the surface of the skill that asks plays no part. */
export function skillRequest(caller: SkillCaller, ask: SkillAsk): ComposeSkillRequest {
  const { thread_id, channel_id, capabilities, tools, authoring = false } = caller;
  const against = outside({
    tool_surface: ask.skill_package.tool_surface,
    caller_capabilities: capabilities,
    authoring,
  });
  return {
    ...ask,
    thread_id,
    channel_id,
    caller_capabilities: capabilities,
    available_tools: tools.filter(({ name }) => against(name) === undefined),
    ...(authoring && { authoring }),
  };
}

/** Asked again at each call: whether this node may use this tool, and if not, why. */
export function refusedCall(
  { subgraph }: Pick<SkillComposition, "subgraph">,
  call: { readonly node: string; readonly tool: string },
  caller: Pick<SkillCaller, "capabilities" | "authoring">,
): string | undefined {
  const { node, tool } = call;
  if (outside({ caller_capabilities: caller.capabilities, ...caller })(tool) !== undefined) {
    return `the caller may not use ${tool}`;
  }
  if (!subgraph.tool_availability.includes(tool)) return `this skill does not have ${tool}`;
  const place = subgraph.nodes.find(({ id }) => id === node);
  if (place === undefined) return `this skill has no ${node}`;
  return place.tools.includes(tool) ? undefined : `${tool} is not for ${node}`;
}
