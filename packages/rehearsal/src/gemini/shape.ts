/**
 * The body of `generateContent` as a closed shape, after what `@google/genai` 2.32 sends to the
 * Gemini API (its `*ToMldev` mappings leave out what only Vertex knows), and the few types the rules
 * need to read it. Names are read in either spelling and kept in camelCase.
 */
import {
  anything,
  choice,
  type Fields,
  flag,
  integer,
  type Json,
  list,
  number,
  object,
  optional,
  record,
  type Shape,
  text,
} from "../check.ts";
import { PROTO, type Schema, schemaMessage } from "./schema.ts";

export type Blob = { readonly mimeType?: string; readonly data?: string; displayName?: string };
export type Part = Json & {
  readonly text?: string;
  readonly thought?: boolean;
  readonly thoughtSignature?: string;
  readonly inlineData?: Blob;
  readonly fileData?: { readonly fileUri?: string; readonly mimeType?: string };
  readonly functionCall?: { readonly id?: string; readonly name?: string; readonly args?: unknown };
  readonly functionResponse?: {
    readonly id?: string;
    readonly name?: string;
    readonly response?: unknown;
    readonly parts?: readonly { readonly inlineData?: Blob }[];
  };
};
export type Content = { readonly role?: string; readonly parts?: readonly Part[] };
export type Declaration = {
  readonly name?: string;
  readonly parameters?: Schema;
  readonly parametersJsonSchema?: unknown;
};
export type GenerateBody = {
  readonly contents?: readonly Content[];
  readonly systemInstruction?: Content;
  readonly tools?: readonly (Json & { readonly functionDeclarations?: readonly Declaration[] })[];
  readonly toolConfig?: {
    readonly functionCallingConfig?: {
      readonly mode?: string;
      readonly allowedFunctionNames?: readonly string[];
    };
  };
  readonly generationConfig?: Json & {
    readonly maxOutputTokens?: number;
    readonly candidateCount?: number;
    readonly responseMimeType?: string;
    readonly responseSchema?: Schema;
    readonly responseJsonSchema?: unknown;
    readonly thinkingConfig?: { readonly thinkingBudget?: number; readonly thinkingLevel?: string };
  };
};

const proto = (fields: Fields): Shape => object(fields, PROTO);
const struct = record();
const open = object({}, { open: true });

const blob = proto({
  mimeType: optional(text()),
  data: optional(text()),
  displayName: optional(text()),
});
const fileData = proto({
  fileUri: optional(text()),
  mimeType: optional(text()),
  displayName: optional(text()),
});

const functionCall = proto({
  id: optional(text()),
  name: optional(text()),
  args: optional(struct),
  partialArgs: optional(list(open)),
  willContinue: optional(flag),
});
const functionResponse = proto({
  id: optional(text()),
  name: optional(text()),
  response: optional(struct),
  parts: optional(
    list(
      proto({
        inlineData: optional(blob),
        fileData: optional(fileData),
        mediaProcessing: optional(open),
      }),
    ),
  ),
  scheduling: optional(choice("SCHEDULING_UNSPECIFIED", "SILENT", "WHEN_IDLE", "INTERRUPT")),
  willContinue: optional(flag),
});

/** The fields of which a part has exactly one. */
export const PART_DATA = [
  "text",
  "inlineData",
  "fileData",
  "functionCall",
  "functionResponse",
  "executableCode",
  "codeExecutionResult",
  "toolCall",
  "toolResponse",
  "audioTranscription",
] as const;

const part = proto({
  text: optional(text()),
  inlineData: optional(blob),
  fileData: optional(fileData),
  functionCall: optional(functionCall),
  functionResponse: optional(functionResponse),
  executableCode: optional(open),
  codeExecutionResult: optional(open),
  toolCall: optional(open),
  toolResponse: optional(open),
  audioTranscription: optional(open),
  thought: optional(flag),
  thoughtSignature: optional(text()),
  videoMetadata: optional(open),
  mediaResolution: optional(open),
  partMetadata: optional(struct),
  mediaProcessing: optional(open),
  speechMetadata: optional(open),
});
const content = proto({ role: optional(text()), parts: optional(list(part)) });

const declaration = proto({
  name: optional(text()),
  description: optional(text()),
  parameters: optional(schemaMessage),
  parametersJsonSchema: optional(anything),
  response: optional(schemaMessage),
  responseJsonSchema: optional(anything),
  behavior: optional(choice("UNSPECIFIED", "BLOCKING", "NON_BLOCKING")),
});

const tool = proto({
  functionDeclarations: optional(list(declaration)),
  googleSearch: optional(open),
  googleSearchRetrieval: optional(open),
  googleMaps: optional(open),
  codeExecution: optional(open),
  computerUse: optional(open),
  urlContext: optional(open),
  fileSearch: optional(open),
  mcpServers: optional(list(open)),
});

const toolConfig = proto({
  functionCallingConfig: optional(
    proto({
      mode: optional(choice("MODE_UNSPECIFIED", "AUTO", "ANY", "NONE", "VALIDATED")),
      allowedFunctionNames: optional(list(text())),
      streamFunctionCallArguments: optional(flag),
    }),
  ),
  retrievalConfig: optional(open),
  includeServerSideToolInvocations: optional(flag),
});

const generationConfig = proto({
  temperature: optional(number({ min: 0, max: 2 })),
  topP: optional(number({ min: 0, max: 1 })),
  topK: optional(number({ min: 0 })),
  candidateCount: optional(integer({ min: 1, max: 8 })),
  maxOutputTokens: optional(integer({ min: 1 })),
  // Documented: up to five.
  stopSequences: optional(list(text(), { max: 5 })),
  presencePenalty: optional(number({ min: -2, max: 2 })),
  frequencyPenalty: optional(number({ min: -2, max: 2 })),
  responseLogprobs: optional(flag),
  logprobs: optional(integer({ min: 0, max: 20 })),
  seed: optional(integer()),
  responseMimeType: optional(choice("text/plain", "application/json", "text/x.enum")),
  responseSchema: optional(schemaMessage),
  responseJsonSchema: optional(anything),
  responseModalities: optional(list(text())),
  mediaResolution: optional(text()),
  speechConfig: optional(open),
  audioTranscriptionConfig: optional(open),
  imageConfig: optional(open),
  enableEnhancedCivicAnswers: optional(flag),
  thinkingConfig: optional(
    proto({
      includeThoughts: optional(flag),
      thinkingBudget: optional(integer()),
      thinkingLevel: optional(thinkingLevel),
    }),
  ),
});

/** Observed: both `LOW` and `low` are taken. */
function thinkingLevel(...[value, path, report]: Parameters<Shape>): unknown {
  const levels = ["THINKING_LEVEL_UNSPECIFIED", "MINIMAL", "LOW", "MEDIUM", "HIGH"];
  if (!levels.includes(String(value).toUpperCase())) {
    report({ kind: "choice", path, allowed: levels, got: value });
  }
  return value;
}

export const generateBody: Shape = proto({
  model: optional(text()),
  contents: optional(list(content)),
  systemInstruction: optional(content),
  tools: optional(list(tool)),
  toolConfig: optional(toolConfig),
  safetySettings: optional(
    list(proto({ category: optional(text()), threshold: optional(text()) })),
  ),
  generationConfig: optional(generationConfig),
  cachedContent: optional(text()),
  serviceTier: optional(text()),
  labels: optional(record(text())),
  continuationToken: optional(text()),
  store: optional(flag),
});
