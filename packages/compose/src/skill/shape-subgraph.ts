/**
 * The shape of the graph that runs the prompt, as data: one loop, or the stages of the approach in
 * order, each with its tools. A tool that is named and not there refuses the whole shape.
 */
import type {
  ExitCondition,
  ExitKind,
  GraphNode,
  SubgraphShape,
  WithheldTool,
} from "./composition.ts";
import type { Subject } from "./expression/evaluate.ts";
import { INPUT_NODE, OUTPUT_NODE, stageNode, WORK_NODE } from "./graph-node.ts";
import type { PlacedInterrupts } from "./interrupts.ts";
import type { Approach, SkillPackage, Stage } from "./package.ts";
import { applies } from "./select-artifacts.ts";
import type { ToolReference } from "./skill-error.ts";
import { sortedSet, type ToolCeiling } from "./tool-ceiling.ts";

export type Work = {
  readonly kind: SubgraphShape["kind"];
  readonly nodes: readonly GraphNode[];
  readonly tools: readonly string[];
  readonly withheld: readonly WithheldTool[];
  readonly skipped: readonly string[];
  readonly expected: readonly string[];
};

export type ShapedWork =
  | { readonly ok: true; readonly work: Work }
  | { readonly ok: false; readonly references: readonly ToolReference[] };

export function shapeWork(
  skill: SkillPackage,
  approach: Approach | undefined,
  ceiling: ToolCeiling,
  subject: Subject,
): ShapedWork {
  const required = Array.isArray(skill.requires_tools) ? skill.requires_tools : [];
  const references = [
    ...unknownTools(required, "requires_tools", ceiling),
    ...(approach === undefined ? [] : unknownIn(approach, ceiling)),
  ];
  if (references.length > 0) return { ok: false, references };
  const tools = approach?.tools === undefined ? ceiling.allowed : sortedSet(approach.tools);
  const withheld = [
    ...ceiling.withheld,
    ...ceiling.allowed
      .filter((tool) => !tools.includes(tool))
      .map((tool) => ({ tool, reason: "approach" }) as const),
  ];
  const stages = approach?.stages ?? [];
  const taken = stages.filter(({ include_when }) => applies(include_when, subject));
  const staged = taken.length > 0;
  return {
    ok: true,
    work: {
      kind: staged ? "staged" : "loop",
      nodes: staged ? taken.map((stage) => nodeOf(stage, tools)) : [loopNode(approach, tools)],
      tools,
      withheld,
      skipped: stages.filter((stage) => !taken.includes(stage)).map(({ id }) => id),
      expected: staged
        ? taken.flatMap((stage) => stage.tools ?? [])
        : (approach?.tools ?? required),
    },
  };
}

const loopNode = (approach: Approach | undefined, tools: readonly string[]): GraphNode => ({
  id: WORK_NODE,
  kind: "work",
  ...(approach !== undefined && approach.body !== "" && { instructions: approach.body }),
  tools,
});

const nodeOf = (stage: Stage, tools: readonly string[]): GraphNode => ({
  id: stageNode(stage.id),
  kind: "stage",
  instructions: stage.instructions,
  tools: stage.tools === undefined ? tools : sortedSet(stage.tools),
});

function unknownIn(approach: Approach, ceiling: ToolCeiling): readonly ToolReference[] {
  const { id, tools, stages = [] } = approach;
  // A stage may not have what its approach goes without.
  const inside = tools === undefined ? undefined : new Set(tools);
  return [
    ...unknownTools(tools ?? [], `${id}.tools`, ceiling),
    ...stages.flatMap((stage) => {
      const by = `${id}.stages.${stage.id}.tools`;
      const own = stage.tools ?? [];
      const beyond = own.filter((tool) => inside?.has(tool) === false);
      return [
        ...unknownTools(own, by, ceiling),
        ...beyond
          .filter((tool) => ceiling.reasonAgainst(tool) === undefined)
          .map((tool) => ({ tool, by, reason: "not-available" }) as const),
      ];
    }),
  ];
}

const unknownTools = (
  tools: readonly string[],
  by: string,
  ceiling: ToolCeiling,
): readonly ToolReference[] =>
  tools.flatMap((tool) => {
    const reason = ceiling.reasonAgainst(tool);
    return reason === undefined ? [] : [{ tool, by, reason }];
  });

export function exitOf(skill: SkillPackage, hasInterrupts: boolean): ExitCondition {
  const { output_schema, tool_call_budget } = skill;
  const ends: readonly ExitKind[] = [
    ...(output_schema === undefined ? [] : (["output-schema"] as const)),
    ...(tool_call_budget === undefined ? [] : (["tool-call-budget"] as const)),
    ...(hasInterrupts ? (["interrupt"] as const) : []),
    "cancelled",
  ];
  const [first = "cancelled"] = ends;
  return {
    kind: first === "interrupt" ? "cancelled" : first,
    ends,
    ...(output_schema !== undefined && { output_schema }),
    ...(tool_call_budget !== undefined && { tool_call_budget }),
  };
}

/** Checks stand around the work where something asks for them. */
export function joinSubgraph(
  work: Work,
  { placed }: PlacedInterrupts,
  exit: ExitCondition,
  decidedBy: SubgraphShape["decided_by"],
): SubgraphShape {
  const asked = new Set(placed.flatMap(({ nodes }) => nodes));
  const check = (
    id: typeof INPUT_NODE | typeof OUTPUT_NODE,
    wanted: boolean,
  ): readonly GraphNode[] => (wanted || asked.has(id) ? [{ id, kind: id, tools: [] }] : []);
  const nodes = [
    ...check(INPUT_NODE, false),
    ...work.nodes,
    ...check(OUTPUT_NODE, exit.output_schema !== undefined),
  ];
  return {
    kind: work.kind,
    decided_by: decidedBy,
    tool_availability: work.tools,
    withheld_tools: work.withheld,
    nodes,
    edges: nodes.slice(1).map(({ id }, index) => [nodes[index]?.id ?? "", id] as const),
    skipped_stages: work.skipped,
    interrupts: placed,
    exit_condition: exit,
  };
}
