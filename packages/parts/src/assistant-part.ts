/**
 * The parts of an assistant message, in the AI SDK's UI message shape: camelCase inside, because
 * `useChat` reads these rows as they are. Types that we do not know are kept.
 */
import { z } from "zod";

const ProviderMetadata = z.record(z.string(), z.record(z.string(), z.json()));
export type ProviderMetadata = z.infer<typeof ProviderMetadata>;

const TextPart = z.looseObject({
  type: z.literal("text"),
  text: z.string(),
  state: z.enum(["streaming", "done"]).optional(),
  providerMetadata: ProviderMetadata.optional(),
});

const ReasoningPart = z.looseObject({
  type: z.literal("reasoning"),
  text: z.string(),
  state: z.enum(["streaming", "done"]).optional(),
  providerMetadata: ProviderMetadata.optional(),
});

export const TOOL_STATES = [
  "input-streaming",
  "input-available",
  "approval-requested",
  "approval-responded",
  "output-available",
  "output-error",
  "output-denied",
] as const;
export const ToolState = z.enum(TOOL_STATES);
export type ToolState = z.infer<typeof ToolState>;

const toolFields = {
  toolCallId: z.string().min(1),
  state: ToolState,
  input: z.json().optional(),
  output: z.json().optional(),
  errorText: z.string().optional(),
  callProviderMetadata: ProviderMetadata.optional(),
};

const ToolPart = z.looseObject({
  type: z.templateLiteral(["tool-", z.string().min(1)]),
  ...toolFields,
});

const DynamicToolPart = z.looseObject({
  type: z.literal("dynamic-tool"),
  toolName: z.string().min(1),
  ...toolFields,
});

const FilePart = z.looseObject({
  type: z.literal("file"),
  mediaType: z.string(),
  url: z.string(),
  filename: z.string().optional(),
});

const SourceUrlPart = z.looseObject({
  type: z.literal("source-url"),
  sourceId: z.string(),
  url: z.string(),
  title: z.string().optional(),
});

const SourceDocumentPart = z.looseObject({
  type: z.literal("source-document"),
  sourceId: z.string(),
  mediaType: z.string(),
  title: z.string(),
});

const DataPart = z.looseObject({
  type: z.templateLiteral(["data-", z.string().min(1)]),
  data: z.json(),
});

/** Where one model call ends and the next begins: replay needs it to keep results before answers. */
const StepStartPart = z.looseObject({ type: z.literal("step-start") });

const EXACT: Readonly<Record<string, AssistantPartKind>> = {
  text: "text",
  reasoning: "reasoning",
  "dynamic-tool": "tool",
  file: "file",
  "source-url": "source",
  "source-document": "source",
  "step-start": "step-start",
};
/** The same as a regular expression, for the published schema. */
const KNOWN_PATTERN = `^(${Object.keys(EXACT).join("|")}|(tool|data)-[\\s\\S]+)$`;

export const AssistantPart = z.union([
  TextPart,
  ReasoningPart,
  ToolPart,
  DynamicToolPart,
  FilePart,
  SourceUrlPart,
  SourceDocumentPart,
  StepStartPart,
  DataPart,
  z.looseObject({
    type: z
      .string()
      .min(1)
      // It aborts, so that a union reports the shape that was meant and not this line.
      .refine((type) => kindOfAssistantPart(type) === "foreign", {
        error: "the type of a known part",
        abort: true,
      })
      .meta({ not: { pattern: KNOWN_PATTERN } }),
  }),
]);

export type AssistantPartShapes = {
  text: z.infer<typeof TextPart>;
  reasoning: z.infer<typeof ReasoningPart>;
  tool: z.infer<typeof ToolPart> | z.infer<typeof DynamicToolPart>;
  file: z.infer<typeof FilePart>;
  source: z.infer<typeof SourceUrlPart> | z.infer<typeof SourceDocumentPart>;
  data: z.infer<typeof DataPart>;
  "step-start": z.infer<typeof StepStartPart>;
  foreign: { readonly type: string; readonly [key: string]: unknown };
};
export type AssistantPart = AssistantPartShapes[AssistantPartKind];
export type AssistantPartKind = keyof AssistantPartShapes;

/** `tool-NAME` and `data-NAME` are families; everything else is named in full. */
export function kindOfAssistantPart(type: string): AssistantPartKind {
  const exact = Object.hasOwn(EXACT, type) ? EXACT[type] : undefined;
  if (exact) return exact;
  if (type.startsWith("tool-") && type.length > 5) return "tool";
  if (type.startsWith("data-") && type.length > 5) return "data";
  return "foreign";
}

export function toolNameOf(part: AssistantPartShapes["tool"]): string {
  return "toolName" in part && part.type === "dynamic-tool"
    ? String(part.toolName)
    : part.type.slice("tool-".length);
}
