/** How a tool call's part goes on with each chunk: the states of the AI SDK, in its spelling. */
import type { AssistantPartShapes, ProviderMetadata, UiChunk } from "@galley/parts";

export type ToolPart = AssistantPartShapes["tool"];
type ChunkOf<T extends UiChunk["type"]> = Extract<UiChunk, { type: T }>;
type Beginning = ChunkOf<"tool-input-start" | "tool-input-available" | "tool-input-error">;
type Return = ChunkOf<"tool-output-available" | "tool-output-error">;
type Changes = { readonly [key: string]: unknown };

export type CallChunk =
  | Beginning
  | Return
  | ChunkOf<"tool-input-delta" | "tool-approval-request" | "tool-output-denied">;

/** A call of which nothing is known but its id. */
export const blankCall = (toolCallId: string): ToolPart => ({
  type: "tool-unknown",
  toolCallId,
  state: "input-streaming",
});

/** The text of an input that is being written grows elsewhere. */
export function nextCall(part: ToolPart, chunk: Exclude<CallChunk, { type: "tool-input-delta" }>) {
  const next = Object.entries({ ...part, ...changesOf(part, chunk) });
  // Keys that are undefined are gone, as they are in the stored text.
  return Object.fromEntries(next.filter(([, value]) => value !== undefined)) as ToolPart;
}

function changesOf(
  part: ToolPart,
  chunk: Exclude<CallChunk, { type: "tool-input-delta" }>,
): Changes {
  switch (chunk.type) {
    case "tool-input-start":
      return { ...begun(part, chunk), state: "input-streaming" };
    case "tool-input-available":
      return { ...begun(part, chunk), ...written(chunk.input), state: "input-available" };
    case "tool-input-error": {
      const { errorText } = chunk;
      return { ...begun(part, chunk), ...failed(chunk.input), state: "output-error", errorText };
    }
    case "tool-approval-request": {
      const { approvalId: id, reason } = chunk;
      const approval = { id, ...(reason !== undefined && { requestReason: reason }) };
      return { state: "approval-requested", approval };
    }
    case "tool-output-available":
      return { state: "output-available", output: chunk.output, ...returned(part, chunk) };
    case "tool-output-error":
      return { state: "output-error", errorText: chunk.errorText, ...returned(part, chunk) };
    case "tool-output-denied":
      return { state: "output-denied" };
  }
}

/** Its name, and who runs it: a call that the provider runs itself is not ours to run. */
function begun(part: ToolPart, chunk: Beginning): Changes {
  const { providerExecuted = part.providerExecuted, title = part.title } = chunk;
  const dynamic = chunk.dynamic === true || part.type === "dynamic-tool";
  const name = chunk.toolName === "" ? "unknown" : chunk.toolName;
  return {
    ...(dynamic ? { type: "dynamic-tool", toolName: name } : { type: `tool-${name}` }),
    providerExecuted,
    title,
    ...(chunk.providerMetadata && {
      callProviderMetadata: joinMetadata(part.callProviderMetadata, chunk.providerMetadata),
    }),
  };
}

const written = (input: unknown): Changes => ({ input, rawInput: undefined });

/** A provider takes only an object back as an input; anything else is kept to be looked at. */
const failed = (input: unknown): Changes =>
  typeof input === "object" && input !== null && !Array.isArray(input)
    ? written(input)
    : { rawInput: input };

/** An output that is not the last says so, and the last takes that away. */
function returned(part: ToolPart, chunk: Return): Changes {
  const { providerExecuted = part.providerExecuted, preliminary, providerMetadata } = chunk;
  return {
    providerExecuted,
    preliminary,
    ...(providerMetadata !== undefined && { resultProviderMetadata: providerMetadata }),
  };
}

/** Later records of a provider go over its earlier ones, key by key. */
export function joinMetadata(
  known: ProviderMetadata | undefined,
  news: ProviderMetadata,
): ProviderMetadata {
  const fresh = Object.entries(news).map(([name, keys]) => [name, { ...known?.[name], ...keys }]);
  return { ...known, ...Object.fromEntries(fresh) };
}
