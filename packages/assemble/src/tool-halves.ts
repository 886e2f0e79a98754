/**
 * Halves of tool pairs, as other programs write them: the call in one message, the result in the
 * next. Ours are one part. Halves are matched by id and by position; a pair becomes one part again.
 */
import type { AssistantPart } from "@galley/parts";

export type CallHalf = {
  readonly half: "call";
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
};
export type ResultHalf = {
  readonly half: "result";
  readonly id: string;
  readonly output: unknown;
  readonly isError: boolean;
};
export type Half = CallHalf | ResultHalf;

type Loose = { readonly type: string; readonly [key: string]: unknown };
type Reader = (part: Loose) => Half | undefined;

const call = (id: unknown, name: unknown, input: unknown): Half => ({
  half: "call",
  id: String(id ?? ""),
  name: typeof name === "string" && name !== "" ? name : "unknown",
  input: input ?? {},
});
const result = (id: unknown, output: unknown, isError: unknown): Half => ({
  half: "result",
  id: String(id ?? ""),
  output: output ?? null,
  isError: isError === true,
});

/** A part of our own with one of these names has a state; a half has none. */
const stateless =
  (read: Reader): Reader =>
  (part) =>
    "state" in part ? undefined : read(part);

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["tool_use", (part) => call(part.id, part.name, part.input)],
  ["tool_result", (part) => result(part.tool_use_id, unwrapped(part.content), part.is_error)],
  ["function_call", (part) => call(part.call_id, part.name, readJson(part.arguments))],
  ["function_call_output", (part) => result(part.call_id, part.output, false)],
  ["tool-call", stateless((part) => call(part.toolCallId, part.toolName, part.input ?? part.args))],
  [
    "tool-result",
    stateless((part) => result(part.toolCallId, part.output ?? part.result, part.isError)),
  ],
]);

export const halfOf = (part: { readonly type: string }): Half | undefined =>
  READERS.get(part.type)?.(part as Loose);

/** Blocks of content under the key where our results have theirs. */
const unwrapped = (content: unknown): unknown => (Array.isArray(content) ? { content } : content);

function readJson(text: unknown): unknown {
  if (typeof text !== "string") return text;
  try {
    return JSON.parse(text);
  } catch {
    // Arguments that are not JSON are shown as they were written.
    return { arguments: text };
  }
}

/** Both halves as one part of ours; a call that has no result was interrupted. */
export function wholeCall({ id, name, input }: CallHalf, answer?: ResultHalf): AssistantPart {
  const part = { type: "dynamic-tool", toolName: name, toolCallId: id, input } as const;
  // What came in was JSON; the type of the part asks for it by name.
  if (!answer) return { ...part, state: "input-available" } as AssistantPart;
  return (
    answer.isError
      ? { ...part, state: "output-error", errorText: textOf(answer.output) }
      : { ...part, state: "output-available", output: answer.output }
  ) as AssistantPart;
}

const textOf = (output: unknown): string =>
  typeof output === "string" ? output : (JSON.stringify(output) ?? "");
