/**
 * What composing asks of the host: one port, the same for every surface.
 *
 * Answers are values; a method that throws is taken as a failure of that one question. Whatever is
 * left out is not there: a host without `act` and `shell` looks at a draft and runs nothing.
 */
import type { ExpansionPart, Part } from "@galley/parts";
import type { Json } from "./draft.ts";
import type { CommandArgs } from "./template/tree.ts";

export type PathKind = "file" | "directory";

export type MentionTarget = Extract<Part, { type: "mention" }>["target"];

export type ActionCall = {
  /** As it was typed, with the slash. */
  readonly id: string;
  readonly action: string;
  readonly args: CommandArgs;
  /** The action wants a session that is not running; a busy host may put it in the queue. */
  readonly needsIdle: boolean;
};

/** All actions of a message: a host that sees a fault in a later one says so before the first. */
export type ActionPlan = {
  readonly calls: readonly ActionCall[];
  /** Of the call that is to run now, among them. */
  readonly place: number;
  /** The message holds nothing else. */
  readonly alone: boolean;
};

export type ActionResult =
  | {
      readonly ok: true;
      /** Recorded on the command. */
      readonly result?: Json;
      /** What the model is to read of it; absent when nothing. */
      readonly parts?: readonly ExpansionPart[];
      /** It has its place in the queue and runs when its turn comes. */
      readonly deferred?: boolean;
    }
  | {
      readonly ok: false;
      readonly code: string;
      readonly message: string;
      /** The call that is at fault, where it is another one of the plan. */
      readonly call?: ActionCall;
    };

export type ShellCall = {
  /** The slot as the author wrote it. */
  readonly literal: string;
  /** The arguments that are already escaped in the command. */
  readonly argv: readonly string[];
};

export type ShellResult =
  | { readonly ok: true; readonly output: string; readonly exit_code?: number }
  | { readonly ok: false; readonly reason: string };

/** A message of an MCP prompt, as the server gave it. */
export type PromptMessage = {
  readonly role: "user" | "assistant";
  readonly content: unknown;
};

export type PromptResult =
  | { readonly ok: true; readonly messages: readonly PromptMessage[] }
  | { readonly ok: false; readonly code: string; readonly message: string };

export interface ComposeHost {
  /** What stands at a path of the workspace; undefined when nothing does, or nothing to be read. */
  kindOf(path: string): Promise<PathKind | undefined>;
  /** `@kind:value` for every kind that is not a path; undefined when it stands for nothing. */
  mention?(kind: string, value: string): Promise<MentionTarget | undefined>;
  /** `@selection` and the like: what the host sees now; empty when there is nothing. */
  context?(token: string): Promise<readonly ExpansionPart[]>;
  act?(call: ActionCall, plan: ActionPlan): Promise<ActionResult>;
  /** The command is complete, its arguments quoted for a POSIX shell. May ask, may refuse. */
  shell?(command: string, call: ShellCall): Promise<ShellResult>;
  mcpPrompt?(
    server: string,
    prompt: string,
    args: Readonly<Record<string, string>>,
  ): Promise<PromptResult>;
}
