/**
 * The calls of one step: checked, permitted, run, and recorded as each comes back.
 *
 * A call never throws: what is wrong with it is told to the model. What a person has to decide or to
 * answer stays open and is given back; everything else is done before that.
 */
import type { SessionRow, UiChunk } from "@galley/parts";
import type { Interaction } from "@galley/queue";
import type { TurnDeps } from "./deps.ts";
import type { ToolCall } from "./hearing.ts";
import { inputFault } from "./input-schema.ts";
import type { Recorder } from "./recording.ts";
import type { Permit, Tool, ToolOutput } from "./tool.ts";
import { runTool } from "./tool-run.ts";
import type { Span } from "./trace.ts";

export type ToolsInput = {
  readonly deps: Pick<TurnDeps, "tools" | "now" | "mint" | "report">;
  readonly session: SessionRow;
  readonly tools: readonly Tool[];
  readonly recorder: Pick<Recorder, "message_id" | "take" | "flush">;
  readonly signal: AbortSignal;
  readonly span: Span;
};

/** `approved`: a person has already decided, so nobody is asked again. */
export type PlannedCall = ToolCall & { readonly approved?: boolean };

type Ready = { readonly call: PlannedCall; readonly tool: Tool };
type Decided = Ready | { readonly open: Interaction } | undefined;

/** Gives what a person has to do; on a stop, calls that did not end stay as they are. */
export async function runTools(
  calls: readonly PlannedCall[],
  input: ToolsInput,
): Promise<readonly Interaction[]> {
  const { recorder, signal } = input;
  const decided: Decided[] = [];
  // One after the other: a permission may depend on the one before.
  for (const call of calls) {
    if (signal.aborted) return [];
    decided.push(await decide(call, input));
  }
  const ready = decided.filter((each): each is Ready => each !== undefined && "tool" in each);
  // What is about to be done stands in the store before it is done.
  if (ready.length > 0 && !(await isStored(recorder, signal))) return [];
  for (const group of inGroups(ready)) {
    if (signal.aborted) return [];
    await Promise.all(group.map((each) => perform(each, input)));
  }
  return decided.flatMap((each) => (each && "open" in each ? [each.open] : []));
}

/** False when a stop came first. */
async function isStored(recorder: Pick<Recorder, "flush">, signal: AbortSignal): Promise<boolean> {
  try {
    await recorder.flush(signal);
    return true;
  } catch (error) {
    // A flush that was given up is no failure of the store.
    if (signal.aborted) return false;
    throw error;
  }
}

async function decide(call: PlannedCall, input: ToolsInput): Promise<Decided> {
  const { tool_call_id, tool_name } = call;
  const tool = input.tools.find(({ definition }) => definition.name === tool_name);
  const refuse = (error_text: string): undefined => answer(input, call, error(error_text));
  if (!tool) return refuse(unknownTool(tool_name, input.tools));
  const fault = await faultIn(tool, call, input);
  if (fault !== undefined) return refuse(fault);
  const permit: Permit = call.approved ? { action: "allow" } : await permitOf(tool, call, input);
  if (permit.action === "deny") return refuse(`not allowed: ${permit.reason}`);
  if (tool.waits) return { open: { tool_call_id, kind: tool.waits } };
  if (permit.action === "allow") return { call, tool };
  const { reason } = permit;
  const approvalId = input.deps.mint("req");
  const asked = { approvalId, toolCallId: tool_call_id, ...(reason !== undefined && { reason }) };
  input.recorder.take([{ type: "tool-approval-request", ...asked }]);
  return { open: { tool_call_id, kind: "approval" } };
}

function unknownTool(name: string, tools: readonly Tool[]): string {
  const names = tools.map(({ definition }) => definition.name).join(", ");
  return `there is no tool ${name}; there is ${names || "none"}`;
}

async function faultIn(
  tool: Tool,
  call: PlannedCall,
  { deps }: ToolsInput,
): Promise<string | undefined> {
  try {
    if (tool.check) return await tool.check(call.input);
    return inputFault(tool.definition, call.input);
  } catch (error) {
    // The tool's own schema is broken: nothing can be held against it, so nothing is run.
    deps.report(error);
    return `the input of ${call.tool_name} could not be checked`;
  }
}

async function permitOf(tool: Tool, call: PlannedCall, input: ToolsInput): Promise<Permit> {
  const { deps, session } = input;
  const { tool_call_id, tool_name } = call;
  const span = input.span.span("permission.evaluate", { tool_id: tool_name });
  try {
    const permit = await deps.tools.permit({ session, tool, tool_call_id, input: call.input });
    span.set({ action: permit.action });
    span.end();
    return permit;
  } catch (error) {
    // Whatever a ruleset throws, it has not allowed the call.
    deps.report(error);
    span.end("error");
    return { action: "deny", reason: "the permission could not be checked" };
  }
}

/** Neighbours that may run at once; a call that may not sees what those before it did. */
function inGroups(ready: readonly Ready[]): readonly (readonly Ready[])[] {
  const groups: Ready[][] = [];
  for (const each of ready) {
    const last = groups.at(-1);
    if (each.tool.parallel && last?.every(({ tool }) => tool.parallel)) last.push(each);
    else groups.push([each]);
  }
  return groups;
}

async function perform({ call, tool }: Ready, input: ToolsInput): Promise<void> {
  const { deps, session, signal, span, recorder } = input;
  const { tool_call_id } = call;
  const { message_id } = recorder;
  const context = { session, message_id, tool_call_id, signal };
  const output = await runTool({ tool, input: call.input, context, deps, span });
  if (output) answer(input, call, output);
}

function answer(
  { recorder }: ToolsInput,
  { tool_call_id }: ToolCall,
  output: ToolOutput,
): undefined {
  const chunk: UiChunk =
    output.type === "error"
      ? { type: "tool-output-error", toolCallId: tool_call_id, errorText: output.error_text }
      : // The envelope as the row and the wire hold it: `plain` made sure that it is JSON.
        ({ type: "tool-output-available", toolCallId: tool_call_id, output } as UiChunk);
  recorder.take([chunk]);
}

const error = (error_text: string): ToolOutput => ({ type: "error", error_text });
