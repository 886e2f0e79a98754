/** Whether a skill may be asked for at all, and what is recorded once it was. */
import type { ArtifactRef, ComposedSkill } from "./composition.ts";
import type { InvocationSource, SkillPackage } from "./package.ts";
import type { ComposeSkillRequest } from "./request.ts";
import type { SkillError } from "./skill-error.ts";

/** For a planner, before it dispatches: the composer itself arbitrates nothing. */
export function refusedDispatch(skill: SkillPackage, source: InvocationSource): string | undefined {
  if (!skill.enabled) return `the skill ${skill.name} is disabled`;
  const sources = skill.permissions?.sources;
  if (sources === undefined || sources.includes(source)) return undefined;
  return `the skill ${skill.name} may not be invoked as ${source}`;
}

export type SkillInvocation = {
  readonly skill: string;
  readonly version: number;
  readonly invocation_source: InvocationSource;
  readonly used_artifacts: readonly ArtifactRef[];
  readonly expected_tool_calls: readonly string[];
  readonly composed: boolean;
  readonly error?: SkillError;
};

export function invocationOf(
  request: ComposeSkillRequest,
  composed: ComposedSkill,
): SkillInvocation {
  const { name, version = 1 } = request.skill_package;
  const skill = { skill: name, version, invocation_source: request.invocation_source };
  if (!composed.ok) {
    const { error } = composed;
    return { ...skill, used_artifacts: [], expected_tool_calls: [], composed: false, error };
  }
  const { used_artifacts, expected_tool_calls } = composed.composition;
  return { ...skill, used_artifacts, expected_tool_calls, composed: true };
}
