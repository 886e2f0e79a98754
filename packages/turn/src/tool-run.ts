/**
 * One run of one tool, made safe: whatever the tool does, what comes back is an envelope of plain
 * JSON, or nothing when the run was stopped before it ended.
 */
import { isGalleyError } from "@galley/parts";
import type { TurnDeps } from "./deps.ts";
import type { Tool, ToolContext, ToolOutput } from "./tool.ts";
import type { Span } from "./trace.ts";
import { unlessStopped } from "./wait.ts";

export type ToolRunInput = {
  readonly tool: Tool;
  readonly input: unknown;
  readonly context: ToolContext;
  readonly deps: Pick<TurnDeps, "now" | "report">;
  readonly span: Span;
};

/** How long a tool may still say what it did after it was told to stop. */
const GRACE_MS = 1_000;

export async function runTool(run: ToolRunInput): Promise<ToolOutput | undefined> {
  const { tool, context, deps } = run;
  const { name } = tool.definition;
  const span = run.span.span("tool.call", { tool_id: name, tool_call_id: context.tool_call_id });
  const began = deps.now();
  const output = await unlessStopped(safely(run), context.signal, GRACE_MS);
  // A clock that was set back must not make a run shorter than nothing.
  const duration_ms = Math.max(0, deps.now() - began);
  span.set({ duration_ms, truncated: output?.metadata?.truncated ?? false });
  span.end(output === undefined ? "aborted" : output.type === "error" ? "error" : undefined);
  return output && { ...output, metadata: { ...output.metadata, duration_ms } };
}

async function safely({ tool, input, context, deps }: ToolRunInput) {
  const { name } = tool.definition;
  try {
    return plain(await tool.run(input, context), name);
  } catch (error) {
    // A tool that is stopped may throw: what it has done by then is not known.
    if (context.signal.aborted) return undefined;
    deps.report(error);
    return failure(`the tool ${name} failed: ${isGalleyError(error) ? error.message : say(error)}`);
  }
}

/** A copy that holds only what a row can hold. Throws where it cannot be one. */
function plain(output: ToolOutput, name: string): ToolOutput {
  if (output.type === "error") return { ...output, error_text: String(output.error_text) };
  if (output.type !== "output") throw new TypeError(`${name} gave no envelope`);
  const text = JSON.stringify(output.data) as string | undefined;
  return { ...output, data: text === undefined ? null : JSON.parse(text) };
}

const failure = (error_text: string): ToolOutput => ({ type: "error", error_text });

const say = (error: unknown): string => (error instanceof Error ? error.message : String(error));
