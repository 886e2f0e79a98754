/**
 * What the assembler hands to `shape`: everything the model will see, nothing provider-native.
 *
 * References are already materialized. Looking one up reads nothing and cannot fail: a load that
 * failed is a material like any other, and says so.
 */
import type { AssistantPart, Range, UserPart } from "@galley/parts";

/** What a reference or an attachment turned out to hold when its message fired. */
export type Material =
  | {
      readonly kind: "text";
      readonly text: string;
      readonly mime?: string;
      /** Bytes of the whole file, also when only a range of it is here. */
      readonly size: number;
      readonly sha256?: string;
      readonly mtime_ms?: number;
      /** The lines or bytes that `text` holds; `total` is how many the file has. */
      readonly shown?: Range & { readonly total?: number };
      /** Said to the model, for example that the range was clamped. */
      readonly note?: string;
    }
  | {
      readonly kind: "bytes";
      /** By its bytes; undefined when they match nothing we know. */
      readonly mime: string | undefined;
      readonly base64: string;
      readonly size: number;
      readonly sha256?: string;
      readonly mtime_ms?: number;
      readonly reach?: string;
      /** Said of bytes that are not the original's, for example that a picture was scaled. */
      readonly note?: string;
    }
  | {
      readonly kind: "descriptor";
      readonly mime?: string;
      readonly size?: number;
      readonly reason: string;
      /** How the model can get at the content all the same, for example the tool to call. */
      readonly reach?: string;
    }
  | { readonly kind: "unavailable"; readonly reason: string }
  /** Of an attachment that holds what it is: only how it is got at where it cannot be shown. */
  | { readonly kind: "attached"; readonly reach: string }
  /** What a mention of something that is not a file turned out to be. */
  | { readonly kind: "entity"; readonly context: EntityContext }
  /** Of a command: one entry for each part of its expansion. */
  | { readonly kind: "parts"; readonly materials: readonly (Material | undefined)[] };

export type EntityContext = {
  readonly kind: string;
  readonly source?: string;
  readonly payload: { readonly [key: string]: unknown };
};

export type UserContext = {
  readonly role: "user";
  readonly id?: string;
  readonly parts: readonly UserPart[];
  /** Aligned with `parts`; shorter is the same as undefined. */
  readonly materials: readonly (Material | undefined)[];
  /** Parts left out to fit the budget: index → the line that stands in their place. */
  readonly elided?: Readonly<Record<number, string>>;
};

export type AssistantContext = {
  readonly role: "assistant";
  readonly id?: string;
  readonly parts: readonly AssistantPart[];
  readonly elided?: Readonly<Record<number, string>>;
};

export type ContextMessage = UserContext | AssistantContext;

/** A row for the system's own use, as histories of other programs have them. */
export type SystemContext = {
  readonly role: "system";
  readonly id?: string;
  readonly parts: readonly { readonly type: string; readonly [key: string]: unknown }[];
};

/** A message as it may stand in a history that is handed in. */
export type HistoryMessage = ContextMessage | SystemContext;

/** A system layer. Layers are placed in order, the most stable first. */
export type Layer = { readonly id: string; readonly text: string };

export type ToolDefinition = {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly input_schema: Readonly<Record<string, unknown>>;
};

export type ToolChoice = "auto" | "required" | "none" | { readonly tool: string };

export type AssembledContext = {
  readonly layers: readonly Layer[];
  readonly messages: readonly ContextMessage[];
  readonly tools: readonly ToolDefinition[];
  readonly toolChoice?: ToolChoice;
};
