/**
 * The shape that a model gave for a skill that asks for one. It is read like any text of a
 * stranger: what is no shape is not used, and the tools it names are bounded like an author's.
 */
import { z } from "zod";
import type { CompositionNote } from "./composition.ts";
import { type Approach, type SkillPackage, SkillWord } from "./package.ts";
import type { ShapeAsk, SkillPorts } from "./ports.ts";

const DelegatedShape = z.object({
  tools: z.array(z.string().min(1)).optional(),
  stages: z
    .array(
      z.object({
        id: SkillWord,
        instructions: z.string().min(1).max(10_000),
        tools: z.array(z.string().min(1)).optional(),
      }),
    )
    .optional(),
});

export type Plan = {
  readonly approach?: Approach;
  readonly decidedBy: "author" | "model";
  readonly note?: CompositionNote;
};

export async function planShape(
  skill: SkillPackage,
  approach: Approach | undefined,
  ask: ShapeAsk,
  ports: Pick<SkillPorts, "delegateShape">,
): Promise<Plan> {
  const authored: Plan = { decidedBy: "author", ...(approach && { approach }) };
  if (!skill.planner_delegates_shape || approach === undefined) return authored;
  if (ports.delegateShape === undefined) {
    const says = "there is no model to ask for the shape: it is the author's";
    return { ...authored, note: { code: "shape-not-delegated", says } };
  }
  const read = DelegatedShape.safeParse(await ports.delegateShape(ask));
  const unusable = read.success
    ? faultOf(read.data.stages ?? [], ask.most_stages)
    : "it is no shape";
  if (!read.success || unusable !== undefined) {
    const says = `the model's shape is not used, the author's is: ${unusable}`;
    return { ...authored, note: { code: "shape-not-usable", says } };
  }
  const { stages = [], tools } = read.data;
  const { stages: _stages, tools: _tools, ...kept } = approach;
  const shaped: Approach = {
    ...kept,
    ...(tools && { tools }),
    ...(stages.length > 0 && {
      stages: stages.map(({ tools: own, ...rest }) => ({ ...rest, ...(own && { tools: own }) })),
    }),
  };
  return { approach: shaped, decidedBy: "model" };
}

function faultOf(stages: readonly { readonly id: string }[], most: number): string | undefined {
  if (stages.length > most) return `it has ${stages.length} stages, of at most ${most}`;
  const ids = new Set(stages.map(({ id }) => id));
  return ids.size < stages.length ? "two of its stages have one id" : undefined;
}
