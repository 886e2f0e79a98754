/**
 * A skill and a request to a prompt and a subgraph: nine steps in a fixed order, each a function of
 * what came in. The same request gives the same bytes. The first step that cannot go on refuses.
 *
 * It grants nothing, remembers nothing and rewords nothing.
 */
import type { Json } from "../draft.ts";
import type { ComposedSkill, PassedOver, SkillComposition } from "./composition.ts";
import { type Plan, planShape } from "./delegated-shape.ts";
import type { Subject } from "./expression/evaluate.ts";
import { type Framing, renderFraming } from "./framing.ts";
import { placeInterrupts } from "./interrupts.ts";
import { type Approach, artifactsOf, type SkillArtifact, type SkillPackage } from "./package.ts";
import { SKILL_LIMITS, type SkillLimits, type SkillPorts } from "./ports.ts";
import { assemblePrompt, orderMemory } from "./prompt.ts";
import { type ComposeSkillRequest, scopeOf } from "./request.ts";
import {
  applies,
  fitArtifacts,
  refOf,
  type Selection,
  selectArtifacts,
  sum,
} from "./select-artifacts.ts";
import { exitOf, joinSubgraph, shapeWork } from "./shape-subgraph.ts";
import { refuse } from "./skill-error.ts";
import { sortedSet, type ToolCeiling } from "./tool-ceiling.ts";
import { validateRequest } from "./validate-request.ts";

export async function composeSkill(
  request: ComposeSkillRequest,
  ports: SkillPorts,
  limits: SkillLimits = SKILL_LIMITS,
): Promise<ComposedSkill> {
  const valid = await validateRequest(request, ports);
  if (!valid.ok) return valid;
  const { skill, parameters, ceiling } = valid;
  const subject = { parameters, scope: scopeOf(request), tags: sortedSet(request.tags ?? []) };

  const framing = await renderFraming(skill, parameters, ports, limits.template);
  if (!framing.ok) return framing;

  const selection = selectArtifacts(skill, request, subject, limits.examples);
  const fitted = fitArtifacts(selection, limits.artifactTokens, ports.estimate ?? byBytes);
  if (!fitted.ok) return tooLarge(fitted, limits.artifactTokens);

  const known = { request, skill, parameters, subject, ceiling, selection, framing };
  return shapeAndRecord(known, ports, limits);
}

type Known = {
  readonly request: ComposeSkillRequest;
  readonly skill: SkillPackage;
  readonly parameters: Readonly<Record<string, Json>>;
  readonly subject: Subject;
  readonly ceiling: ToolCeiling;
  readonly selection: Selection;
  readonly framing: Framing;
};

async function shapeAndRecord(
  known: Known,
  ports: SkillPorts,
  limits: SkillLimits,
): Promise<ComposedSkill> {
  const { request, skill, parameters, subject, ceiling, selection, framing } = known;
  const memory = orderMemory(request.memory_context);
  const prompt = assemblePrompt({
    framing,
    selection,
    memory,
    parameters,
    userRequest: request.user_request,
  });

  const approach = artifactsOf(skill, "Approach").find(
    ({ id, include_when }) => !request.leave_out?.includes(id) && applies(include_when, subject),
  );
  const plan = await planShape(skill, approach, askOf(known, approach, limits), ports);
  const shaped = shapeWork(skill, plan.approach, ceiling, subject);
  if (!shaped.ok) {
    const names = sortedSet(shaped.references.map(({ tool }) => tool)).join(", ");
    const message = `${skill.name} names tools that this invocation does not have: ${names}`;
    const { references } = shaped;
    return refuse("UnknownTool", message, { references, available_tools: ceiling.allowed });
  }

  const work = shaped.work.nodes.map(({ id }) => id);
  const interrupts = placeInterrupts(skill.interrupts, work, subject);
  const exit = exitOf(skill, interrupts.placed.length > 0);
  const composition: SkillComposition = {
    skill: { name: skill.name, version: skill.version },
    thread_id: request.thread_id,
    prompt,
    subgraph: joinSubgraph(shaped.work, interrupts, exit, plan.decidedBy),
    ...accountOf(known, approach),
    expected_tool_calls: shaped.work.expected,
    declared_interrupts: interrupts.placed.map(({ name }) => name),
    exit_condition: exit,
    ...(skill.model_preference !== undefined && { model_preference: skill.model_preference }),
    used_memory: memory.map(({ id }) => id),
    parameters,
    notes: [...noteOf(plan), ...interrupts.notes],
  };
  return { ok: true, composition };
}

const askOf = (known: Known, approach: Approach | undefined, limits: SkillLimits) => ({
  skill: known.skill.name,
  narrative: approach?.body ?? "",
  user_request: known.request.user_request,
  parameters: known.parameters,
  tools: known.ceiling.allowed,
  most_stages: limits.stages,
});

const noteOf = ({ note }: Plan) => (note === undefined ? [] : [note]);

/** Every artifact once: read, or passed over and why. In the author's order. */
function accountOf(
  known: Known,
  approach: Approach | undefined,
): Pick<SkillComposition, "used_artifacts" | "passed_over"> {
  const { skill, selection, framing } = known;
  const chosen = new Set([...selection.descriptions, ...selection.examples].map(({ id }) => id));
  const isUsed = ({ id }: SkillArtifact): boolean =>
    chosen.has(id) || id === approach?.id || id === framing.artifact;
  return {
    used_artifacts: skill.artifacts.filter(isUsed).map(refOf),
    passed_over: skill.artifacts
      .filter((artifact) => !isUsed(artifact))
      .map((artifact) => ({ ...refOf(artifact), reason: reasonFor(artifact, known) })),
  };
}

function reasonFor(
  artifact: SkillArtifact,
  { selection, request, subject }: Known,
): PassedOver["reason"] {
  const selected = selection.passedOver.find(({ id }) => id === artifact.id);
  if (selected !== undefined) return selected.reason;
  if (artifact.kind !== "Approach") return "not-the-framing";
  if (request.leave_out?.includes(artifact.id)) return "left-out";
  return applies(artifact.include_when, subject) ? "another-approach" : "condition";
}

const encoder = new TextEncoder();
const byBytes = (text: string): number => Math.ceil(encoder.encode(text).length / 4);

function tooLarge(
  { tokens, artifacts, trimming }: Extract<ReturnType<typeof fitArtifacts>, { ok: false }>,
  limit: number,
): ComposedSkill {
  const names = trimming.map(({ id }) => id).join(", ");
  const message = `the artifacts have ${tokens} tokens, of at most ${limit}; without ${names} they fit`;
  const tokens_after = tokens - sum(trimming);
  return refuse("ArtifactBudgetExceeded", message, {
    limit,
    tokens,
    artifacts,
    trimming,
    tokens_after,
  });
}
