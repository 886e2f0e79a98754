/**
 * A tool from one schema: what the model is shown and what is checked are the same thing.
 *
 * A bad input is an error in the result, which names the field; a call that was stopped before it
 * began does nothing.
 */
import type { Tool, ToolContext, ToolOutput } from "@galley/turn";
import { z } from "zod";

export type ToolSpec<T> = {
  readonly name: string;
  /** What it does, what it does not do, and when to use it. */
  readonly description: string;
  readonly input: z.ZodType<T>;
  readonly parallel?: boolean;
  readonly subject?: (input: T) => string;
  readonly run: (input: T, context: ToolContext) => Promise<ToolOutput>;
};

export function defineTool<T>(spec: ToolSpec<T>): Tool {
  const { name, description, subject } = spec;
  return {
    definition: { name, description, input_schema: inputSchema(spec.input) },
    ...(spec.parallel && { parallel: true }),
    ...(subject && { subject: (input: unknown) => subjectOf(spec.input, subject, input) }),
    async run(input, context) {
      const read = spec.input.safeParse(input);
      if (!read.success) return refuse(sayIssues(read.error));
      return context.signal.aborted ? STOPPED : spec.run(read.data, context);
    },
  };
}

/** JSON Schema as providers take it: no dialect line, and no bounds that only say "a number". */
function inputSchema(schema: z.ZodType): Readonly<Record<string, unknown>> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: "input",
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return rest;
}

/** A bad input is refused when the call runs; until then it is about nothing. */
function subjectOf<T>(schema: z.ZodType<T>, subject: (input: T) => string, input: unknown): string {
  const read = schema.safeParse(input);
  return read.success ? subject(read.data) : "";
}

function sayIssues(error: z.ZodError): string {
  const said = error.issues
    .slice(0, 3)
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`));
  return `the input is not right: ${said.join("; ")}`;
}

export const refuse = (error_text: string): ToolOutput => ({ type: "error", error_text });

export const STOPPED: ToolOutput = { type: "error", error_text: "stopped before it was done" };

/** Text for the model; `isCut` when it is the beginning of more. */
export const say = (text: string, isCut = false): ToolOutput => ({
  type: "output",
  data: text,
  ...(isCut && { metadata: { truncated: true } }),
});
