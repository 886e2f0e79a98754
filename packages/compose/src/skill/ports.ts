/**
 * What the composer asks of its host. Each port answers with a value, also when it cannot; one
 * that throws is a bug of the host.
 *
 * Templates and schemas come from strangers, so both run where time and memory are bounded,
 * which is not here.
 */
import type { Json } from "../draft.ts";
import type { JsonSchemaObject } from "./package.ts";

export type TemplateLimits = {
  /** Steps of the engine. */
  readonly fuel: number;
  readonly sourceChars: number;
  readonly outputChars: number;
};

export type Rendered =
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false;
      readonly reason: "syntax" | "undefined" | "limit" | "failed";
      /** The engine's words, without the values of variables. */
      readonly says: string;
      /** 1-based, in the template. */
      readonly line?: number;
    };

export type SchemaIssue = {
  /** `schema`: it is no schema, whatever the value. */
  readonly at: "schema" | "value";
  /** A JSON pointer. */
  readonly pointer: string;
  readonly says: string;
};

export type ShapeAsk = {
  readonly skill: string;
  readonly narrative: string;
  readonly user_request: string;
  readonly parameters: Readonly<Record<string, Json>>;
  /** No other tool will be granted, whatever the answer says. */
  readonly tools: readonly string[];
  readonly most_stages: number;
};

export interface SkillPorts {
  renderTemplate(
    source: string,
    context: Readonly<Record<string, Json>>,
    limits: TemplateLimits,
  ): Rendered | Promise<Rendered>;
  checkSchema(
    schema: JsonSchemaObject,
    value: Json,
  ): readonly SchemaIssue[] | Promise<readonly SchemaIssue[]>;
  /** The one model call, only for a skill that asks for it; its answer is not trusted. */
  delegateShape?(ask: ShapeAsk): Promise<unknown>;
  /** Tokens of a text; absent: a quarter of its bytes. */
  estimate?(text: string): number;
}

export type SkillLimits = {
  readonly examples: number;
  /** Tokens of all artifacts in the prompt. */
  readonly artifactTokens: number;
  readonly stages: number;
  readonly template: TemplateLimits;
};

export const SKILL_LIMITS: SkillLimits = {
  examples: 3,
  artifactTokens: 24_000,
  stages: 20,
  template: { fuel: 100_000, sourceChars: 100_000, outputChars: 200_000 },
};
