/** A command as the catalogue holds it: where it comes from, what it takes, what it does. */
import type { Json } from "../draft.ts";
import type { DialectId, Template } from "../template/tree.ts";

export const ARGUMENT_TYPES = ["string", "integer", "number", "boolean", "path"] as const;
export type ArgumentType = (typeof ARGUMENT_TYPES)[number];

export type ArgumentSpec = {
  readonly name: string;
  readonly type: ArgumentType;
  readonly required: boolean;
  readonly default?: Json;
  readonly enum?: readonly string[];
  readonly description?: string;
  /** Takes all the words that are left. */
  readonly rest?: boolean;
};

export type CommandSource =
  | { readonly kind: "builtin" }
  | { readonly kind: "project" | "user"; readonly file: string; readonly dialect: DialectId }
  | { readonly kind: "skill"; readonly skill: string }
  | { readonly kind: "mcp"; readonly server: string; readonly prompt: string };

export type CommandDeed =
  /** The host does it; the model never reads of it. */
  | { readonly kind: "action"; readonly action: string }
  /** The model is told what is wanted. */
  | { readonly kind: "intent"; readonly intent: string; readonly template: Template }
  | { readonly kind: "template"; readonly template: Template }
  | { readonly kind: "prompt"; readonly server: string; readonly prompt: string }
  | { readonly kind: "skill"; readonly skill: string };

/** What a command file asks of the turn that it starts; recorded on the part. */
export type CommandSettings = {
  readonly model?: string;
  readonly agent?: string;
  readonly subtask?: boolean;
  readonly allowed_tools?: readonly string[];
};

export type CommandEntry = {
  /** Without the slash; folders are joined with `:`. */
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly source: CommandSource;
  readonly description?: string;
  readonly argumentHint?: string;
  readonly arguments?: readonly ArgumentSpec[];
  /** Whether `name=value` and `--name value` are read besides the order of the words. */
  readonly namedWords?: boolean;
  /** Wants a session that is not running. */
  readonly needsIdle?: boolean;
  readonly deed: CommandDeed;
  readonly settings?: CommandSettings;
};

/** The name that always leads to this entry, whatever else has its name. */
export function addressOf({ name, source }: CommandEntry): string {
  switch (source.kind) {
    case "mcp":
      return `mcp:${oneWord(source.server)}:${oneWord(source.prompt)}`;
    case "skill":
      return `skill:${oneWord(source.skill)}`;
    default:
      return `${source.kind}:${name}`;
  }
}

/** Names from outside may hold spaces, and a command's name ends at one. */
export const oneWord = (name: string): string => name.trim().replace(/\s+/gu, "-");
