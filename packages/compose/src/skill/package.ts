/**
 * What a skill is: metadata, framing, contract and typed artifacts. One shape, whether it was a
 * folder or a row; its keys are those that people write. What stands in no field of ours is kept.
 *
 * The schema says what a field may be; how fields must agree is in package-faults.ts.
 */
import { z } from "zod";

/** Ids stand in headers and node names, so they are plain words. */
export const SkillWord = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, {
  error: "up to 64 letters, digits, dots, hyphens and underscores",
});

export const ARTIFACT_KINDS = ["PromptTemplate", "Description", "Example", "Approach"] as const;
export type ArtifactKind = (typeof ARTIFACT_KINDS)[number];

/** `prompt_template` and `prompt-template` are `PromptTemplate`. */
export const readArtifactKind = (written: string): ArtifactKind | undefined =>
  ARTIFACT_KINDS.find((kind) => kind.toLowerCase() === written.toLowerCase().replace(/[-_ ]/g, ""));

const Version = z.int().min(1).default(1);
const ToolName = z.string().min(1);
export const JsonSchemaObject = z.record(z.string(), z.unknown());
export type JsonSchemaObject = z.infer<typeof JsonSchemaObject>;

const shared = {
  id: SkillWord,
  version: Version,
  /** A condition (expression/parse.ts); absent: always. */
  include_when: z.string().optional(),
  tags: z.array(z.string()).default([]),
  /** Of the bytes that it was read from, where a host knows it. */
  digest: z.string().optional(),
};

export const Stage = z.looseObject({
  id: SkillWord,
  instructions: z.string().min(1),
  /** Absent: all that the approach has. */
  tools: z.array(ToolName).optional(),
  include_when: z.string().optional(),
});
export type Stage = z.infer<typeof Stage>;

const prose = <K extends ArtifactKind>(kind: K) =>
  z.looseObject({ ...shared, kind: z.literal(kind), body: z.string().min(1) });

export const Approach = z.looseObject({
  ...shared,
  kind: z.literal("Approach"),
  body: z.string().default(""),
  /** The subset of tools that this way of working needs. */
  tools: z.array(ToolName).optional(),
  stages: z.array(Stage).min(1).optional(),
});
export type Approach = z.infer<typeof Approach>;

export const SkillArtifact = z.discriminatedUnion("kind", [
  prose("PromptTemplate"),
  prose("Description"),
  prose("Example"),
  Approach,
]);
export type SkillArtifact = z.infer<typeof SkillArtifact>;
export type ArtifactOf<K extends ArtifactKind> = Extract<SkillArtifact, { readonly kind: K }>;

export const SkillInterrupt = z.looseObject({
  name: SkillWord,
  /** A stage or a node; absent: where its name says, else wherever work is done. */
  at: z.string().optional(),
  /** A condition on the request; absent: the node decides. */
  when: z.string().optional(),
  message: z.string().optional(),
});
export type SkillInterrupt = z.infer<typeof SkillInterrupt>;

export const INVOCATION_SOURCES = ["explicit", "agent-selected", "scheduled"] as const;
export const InvocationSource = z.enum(INVOCATION_SOURCES);
export type InvocationSource = z.infer<typeof InvocationSource>;

export const FRAMING_KINDS = ["prose", "template"] as const;

export const SkillPackage = z.looseObject({
  name: z.string().regex(/^[^\p{C}\s](?:[^\p{C}]{0,126}[^\p{C}\s])?$/u, {
    error: "1 to 128 characters, none of them a control character, no space at either end",
  }),
  version: Version,
  description: z.string().default(""),
  tags: z.array(z.string()).default([]),
  enabled: z.boolean().default(true),
  /** Who may ask for it; absent: every source. */
  permissions: z.looseObject({ sources: z.array(InvocationSource).optional() }).optional(),
  framing: z.union([z.string(), z.looseObject({ artifact: SkillWord })]),
  framing_kind: z.enum(FRAMING_KINDS).default("prose"),
  parameters: JsonSchemaObject,
  /** Absent: the skill names no tools and works with what its caller has. */
  tool_surface: z.array(ToolName).optional(),
  requires_tools: z.union([z.boolean(), z.array(ToolName)]).default(false),
  interrupts: z.array(SkillInterrupt).default([]),
  output_schema: JsonSchemaObject.optional(),
  tool_call_budget: z.int().min(1).optional(),
  planner_delegates_shape: z.boolean().default(false),
  model_preference: z.string().min(1).optional(),
  artifacts: z.array(SkillArtifact).default([]),
  /** Files beside SKILL.md that the skill's own text leads to; paths inside its folder. */
  resources: z.array(z.string()).default([]),
});
export type SkillPackage = z.infer<typeof SkillPackage>;
/** As it is written: what has a default may be absent. */
export type SkillPackageInput = z.input<typeof SkillPackage>;

export const artifactsOf = <K extends ArtifactKind>(
  skill: SkillPackage,
  kind: K,
): readonly ArtifactOf<K>[] =>
  skill.artifacts.filter((each): each is ArtifactOf<K> => each.kind === kind);
