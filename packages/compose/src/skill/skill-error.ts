/**
 * Why there is no composition: one of six names, with what an author or a planner needs to act.
 * A refusal is a value; nothing here is thrown.
 */
import type { ArtifactRef } from "./composition.ts";
import type { PackageFault } from "./package-faults.ts";
import type { SchemaIssue } from "./ports.ts";
import type { WithheldReason } from "./tool-ceiling.ts";

export type SizedArtifact = ArtifactRef & { readonly tokens: number };

export type ToolReference = {
  readonly tool: string;
  /** Where the name stands, such as `artifacts[0].stages[1].tools`. */
  readonly by: string;
  readonly reason: WithheldReason;
};

type Data = {
  readonly MissingRequiredField: { readonly fields: readonly PackageFault[] };
  readonly MalformedTemplate: {
    readonly where: string;
    readonly artifact?: string;
    readonly reason: "syntax" | "undefined" | "limit" | "failed" | "condition";
    readonly line?: number;
    readonly column?: number;
    readonly fix: string;
  };
  readonly UnknownTool: {
    readonly references: readonly ToolReference[];
    readonly available_tools: readonly string[];
  };
  readonly ParameterMismatch: { readonly issues: readonly Omit<SchemaIssue, "at">[] };
  readonly ArtifactBudgetExceeded: {
    readonly limit: number;
    readonly tokens: number;
    readonly artifacts: readonly SizedArtifact[];
    /** Left out of the request (`leave_out`), the rest fits. */
    readonly trimming: readonly SizedArtifact[];
    readonly tokens_after: number;
  };
  readonly CapabilityNarrowing: {
    readonly tool_surface: readonly string[];
    readonly caller_capabilities: readonly string[];
    readonly missing: readonly string[];
  };
};

export type SkillErrorName = keyof Data;
export type SkillError = {
  [N in SkillErrorName]: {
    readonly name: N;
    /** A sentence for a person. */
    readonly message: string;
    readonly data: Data[N];
  };
}[SkillErrorName];

type Refusal = { readonly ok: false; readonly error: SkillError };

export const SKILL_ERROR_NAMES: readonly SkillErrorName[] = [
  "MissingRequiredField",
  "MalformedTemplate",
  "UnknownTool",
  "ParameterMismatch",
  "ArtifactBudgetExceeded",
  "CapabilityNarrowing",
];

export function refuse<N extends SkillErrorName>(name: N, message: string, data: Data[N]): Refusal {
  // The three belong together by their type parameter, which a union does not keep.
  return { ok: false, error: { name, message, data } as SkillError };
}
