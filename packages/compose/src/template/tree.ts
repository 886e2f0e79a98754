/**
 * A template as data: the author's text with its slots, parsed once and filled many times.
 *
 * Slots are found in the author's text only. What fills them never passes through the parser, so
 * an argument cannot become a slot, a command, a mention or a marker.
 */
import type { Json } from "../draft.ts";

export const DIALECTS = ["galley", "claude", "opencode", "pi", "gemini"] as const;
export type DialectId = (typeof DIALECTS)[number];

export type Slot =
  /** `index` counts from 0, whatever the dialect counts from. */
  | {
      readonly kind: "positional";
      readonly index: number;
      readonly fallback?: string;
      /** Takes this argument and all that follow it. */
      readonly rest?: true;
      /** What stands there when the argument is missing: nothing, or the slot as it was written. */
      readonly missing?: "literal";
    }
  | { readonly kind: "all"; readonly fallback?: string }
  /** From the argument at `from`, counted from 0; all the rest when `count` is absent. */
  | { readonly kind: "slice"; readonly from: number; readonly count?: number }
  | { readonly kind: "named"; readonly name: string; readonly fallback?: string };

export type TextNode = { readonly kind: "text"; readonly text: string };

/** How the shell would read the place in which a slot stands. */
export type ShellPlace = "bare" | "single" | "double" | "unsafe";

export type SlotNode = {
  readonly kind: "slot";
  readonly slot: Slot;
  readonly literal: string;
  /** Only inside a shell command. */
  readonly place?: ShellPlace;
};

export type InlineNode = TextNode | SlotNode;

export type ShellNode = {
  readonly kind: "shell";
  readonly command: readonly InlineNode[];
  readonly literal: string;
};

export type FileNode = {
  readonly kind: "file";
  readonly path: readonly InlineNode[];
  readonly literal: string;
  /** Delimited by the author, so a reference even when nothing is there; else text then. */
  readonly certain: boolean;
};

export type TemplateNode = InlineNode | ShellNode | FileNode;

export type Template = {
  readonly dialect: DialectId;
  readonly nodes: readonly TemplateNode[];
  /** Only text and slots: filling it asks nobody anything. */
  readonly plain: boolean;
  /** Whether any slot takes arguments; what a dialect does with them otherwise is its rule. */
  readonly takesArguments: boolean;
};

export type CommandArgs = {
  /** All that followed the name, as it was typed. */
  readonly raw: string;
  readonly argv: readonly string[];
  readonly named?: Readonly<Record<string, Json>>;
};
