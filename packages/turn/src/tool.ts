/**
 * The one port through which a turn reaches tools. A tool is a value: its definition is what the
 * model is shown, `run` does the work and never throws for a bad input.
 *
 * What a call gives is an envelope, the same for every tool; a refusal is an error in it.
 */
import type { ContextMessage, ToolDefinition, UserContext } from "@galley/assemble";
import type { MessageId, SessionRow } from "@galley/parts";

export type ToolMetadata = {
  readonly duration_ms?: number;
  /** The output is the beginning of more. */
  readonly truncated?: boolean;
  /** Where all of it is, for the `read` tool. */
  readonly output_path?: string;
};

export type ToolOutput =
  | { readonly type: "output"; readonly data: unknown; readonly metadata?: ToolMetadata }
  | { readonly type: "error"; readonly error_text: string; readonly metadata?: ToolMetadata };

export type ToolContext = {
  readonly session: SessionRow;
  /** The answer that the call stands in. */
  readonly message_id: MessageId;
  readonly tool_call_id: string;
  readonly signal: AbortSignal;
};

export interface Tool {
  readonly definition: ToolDefinition;
  /** A person gives its output: the call is a durable wait and `run` is never called. */
  readonly waits?: "question";
  /** Whether two calls of one step may run at once; a tool that changes something may not. */
  readonly parallel?: boolean;
  /** What a permission's pattern is held against: a path, a command line, a host. */
  subject?(input: unknown): string;
  /**
   * What is wrong with an input; undefined when nothing is. Instead of the definition's schema,
   * for a tool whose schema came from outside and is not to be run here.
   */
  check?(input: unknown): Promise<string | undefined>;
  run(input: unknown, context: ToolContext): Promise<ToolOutput>;
}

export type ToolRequest = {
  readonly session: SessionRow;
  readonly tool: Tool;
  readonly tool_call_id: string;
  readonly input: unknown;
};

export type Permit =
  | { readonly action: "allow" }
  | { readonly action: "deny"; readonly reason: string }
  /** A person decides: the call is a durable wait. */
  | { readonly action: "ask"; readonly reason?: string };

/** A call that the host makes itself before the model is asked, and records like any other. */
export type HostCall = { readonly tool: string; readonly input: Readonly<Record<string, unknown>> };

export interface ToolBox {
  /** What a session is offered, in a stable order. */
  open(session: SessionRow): Promise<readonly Tool[]>;
  /** Asked before every call, also of one that the host makes. */
  permit(request: ToolRequest): Promise<Permit>;
  /** What a message calls for by itself, such as the skills that it mentions and nobody loaded yet. */
  prelude?(
    session: SessionRow,
    message: UserContext,
    history: readonly ContextMessage[],
  ): Promise<readonly HostCall[]>;
}

/** A host without tools. */
export const NO_TOOLS: ToolBox = {
  open: async () => [],
  permit: async () => ({ action: "deny", reason: "this host has no tools" }),
};
