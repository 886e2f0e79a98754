/** The interrupts of a contract as references to nodes of this subgraph. */
import type { CompositionNote, PlacedInterrupt } from "./composition.ts";
import type { Subject } from "./expression/evaluate.ts";
import { FIXED_NODES, INPUT_NODE, OUTPUT_NODE, stageNode } from "./graph-node.ts";
import type { SkillInterrupt } from "./package.ts";
import { applies } from "./select-artifacts.ts";

export type PlacedInterrupts = {
  readonly placed: readonly PlacedInterrupt[];
  readonly notes: readonly CompositionNote[];
};

/** What a name says about its place: `on_ambiguous_input` is raised where input is checked. */
const BY_NAME: readonly (readonly [RegExp, string])[] = [
  [/input|parameter/i, INPUT_NODE],
  [/output|result/i, OUTPUT_NODE],
];

/** `work` are the nodes in which a model works. */
export function placeInterrupts(
  declared: readonly SkillInterrupt[],
  work: readonly string[],
  subject: Subject,
): PlacedInterrupts {
  const notes: CompositionNote[] = [];
  const placed = declared.flatMap(({ name, at, when, message }): PlacedInterrupt[] => {
    const nodes = nodesFor(name, at, work);
    if (nodes.length === 0) {
      const says = `${name} is at ${at}, which this invocation does not pass`;
      notes.push({ code: "interrupt-without-place", says });
      return [];
    }
    return [
      {
        name,
        nodes,
        ...(when !== undefined && { when, holds: applies(when, subject) }),
        ...(message !== undefined && { message }),
      },
    ];
  });
  return { placed, notes };
}

function nodesFor(
  name: string,
  at: string | undefined,
  work: readonly string[],
): readonly string[] {
  const byName = BY_NAME.find(([pattern]) => pattern.test(name))?.[1];
  if (at === undefined) return byName === undefined ? work : [byName];
  if (at === INPUT_NODE || at === OUTPUT_NODE) return [at];
  // A stage may be called as a node is: the author's stages go first.
  const stage = work.filter((node) => node === at || node === stageNode(at));
  return stage.length > 0 || !FIXED_NODES.includes(at) ? stage : work;
}
