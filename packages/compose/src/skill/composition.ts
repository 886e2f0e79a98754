/** What the composer gives: a prompt, the shape of a subgraph, and an account of what it read. */
import type { Json } from "../draft.ts";
import type { ArtifactKind, JsonSchemaObject } from "./package.ts";
import type { SkillError } from "./skill-error.ts";
import type { WithheldReason } from "./tool-ceiling.ts";

export type ArtifactRef = {
  readonly id: string;
  readonly version: number;
  readonly kind: ArtifactKind;
  readonly digest?: string;
};

export type SectionKind =
  | "framing"
  | "description"
  | "example"
  | "memory"
  | "parameters"
  | "request";

export type PromptSection = {
  readonly kind: SectionKind;
  readonly title: string;
  readonly artifact?: string;
  /** Where its text stands in the prompt: UTF-16 units, half open, without the header. */
  readonly from: number;
  readonly to: number;
};

export type ComposedPrompt = {
  readonly text: string;
  /** What opens and closes a header; no line of any section begins with it. */
  readonly rule: string;
  readonly sections: readonly PromptSection[];
};

export type PassedOver = ArtifactRef & {
  readonly reason:
    | "condition"
    | "relevance"
    | "count"
    | "left-out"
    | "not-the-framing"
    | "another-approach";
};

export type GraphNode = {
  readonly id: string;
  readonly kind: "validate-input" | "work" | "stage" | "check-output";
  /** The author's words, verbatim. */
  readonly instructions?: string;
  readonly tools: readonly string[];
};

export type PlacedInterrupt = {
  readonly name: string;
  readonly nodes: readonly string[];
  readonly when?: string;
  /** Whether `when` holds for this request; absent: the node decides. */
  readonly holds?: boolean;
  readonly message?: string;
};

export type ExitKind = "output-schema" | "tool-call-budget" | "interrupt" | "cancelled";

export type ExitCondition = {
  /** What "done" is: the first that the contract names. */
  readonly kind: "output-schema" | "tool-call-budget" | "cancelled";
  /** Everything that ends the run. */
  readonly ends: readonly ExitKind[];
  readonly output_schema?: JsonSchemaObject;
  readonly tool_call_budget?: number;
};

export type WithheldTool = {
  readonly tool: string;
  readonly reason: WithheldReason | "approach";
};

export type SubgraphShape = {
  readonly kind: "loop" | "staged";
  /** Who decided it. */
  readonly decided_by: "author" | "model";
  readonly tool_availability: readonly string[];
  readonly withheld_tools: readonly WithheldTool[];
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly (readonly [string, string])[];
  readonly skipped_stages: readonly string[];
  readonly interrupts: readonly PlacedInterrupt[];
  readonly exit_condition: ExitCondition;
};

export type CompositionNote = {
  readonly code: "shape-not-delegated" | "shape-not-usable" | "interrupt-without-place";
  readonly says: string;
};

export type SkillComposition = {
  readonly skill: { readonly name: string; readonly version: number };
  readonly thread_id: string;
  readonly prompt: ComposedPrompt;
  readonly subgraph: SubgraphShape;
  /** With `passed_over`, every artifact of the package once. */
  readonly used_artifacts: readonly ArtifactRef[];
  readonly passed_over: readonly PassedOver[];
  /** A hint, not enforced. */
  readonly expected_tool_calls: readonly string[];
  readonly declared_interrupts: readonly string[];
  readonly exit_condition: ExitCondition;
  readonly model_preference?: string;
  /** Ids of the memory that the prompt depends on. */
  readonly used_memory: readonly string[];
  /** As the skill sees them, defaults included. */
  readonly parameters: Readonly<Record<string, Json>>;
  readonly notes: readonly CompositionNote[];
};

export type ComposedSkill =
  | { readonly ok: true; readonly composition: SkillComposition }
  | { readonly ok: false; readonly error: SkillError };
