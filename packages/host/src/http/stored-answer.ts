/**
 * A stored answer said again as chunks, for a client that was not there when it was streamed:
 * folding them gives the same parts. A part that no chunk can carry goes inside `data-galley`.
 */
import {
  type AssistantPart,
  type AssistantPartShapes,
  kindOfAssistantPart,
  toolNameOf,
  type UiChunk,
} from "@galley/parts";
import type { MessageWithParts } from "@galley/persist";

/** Also the chunks that the AI SDK reads and a turn never streams itself. */
export type WireChunk =
  | UiChunk
  | {
      readonly type: "tool-approval-response";
      readonly approvalId: string;
      readonly approved: boolean;
    }
  | {
      readonly type: `data-${string}`;
      readonly data: unknown;
      readonly transient?: boolean;
    };

export const GALLEY_DATA = "data-galley";

/** The whole message, from its start to how it ended. */
export function answerChunks(answer: MessageWithParts): WireChunk[] {
  const { message, parts } = answer;
  const metadata = JSON.parse(message.metadata_json);
  return [
    { type: "start", messageId: message.id, messageMetadata: metadata },
    ...partChunks(parts.map(({ data_json }) => JSON.parse(data_json) as AssistantPart)),
    ...ending(metadata),
  ];
}

function ending(metadata: Readonly<Record<string, unknown>>): WireChunk[] {
  if (typeof metadata.aborted_at === "number") return [{ type: "abort" }];
  if (typeof metadata.failed_at === "number") {
    const { error } = metadata;
    return [{ type: "error", errorText: typeof error === "string" ? error : "the turn failed" }];
  }
  return [{ type: "finish" }];
}

export const partChunks = (parts: readonly AssistantPart[]): WireChunk[] =>
  parts.flatMap((part, index) => chunksOf(part, `stored-${index}`));

function chunksOf(part: AssistantPart, id: string): WireChunk[] {
  switch (kindOfAssistantPart(part.type)) {
    case "text":
    case "reasoning":
      return spoken(part as AssistantPartShapes["text" | "reasoning"], id);
    case "tool":
      return call(part as AssistantPartShapes["tool"]);
    case "step-start":
      return [{ type: "start-step" }];
    case "file":
    case "source":
    case "data":
      return [part as unknown as WireChunk];
    default:
      return [{ type: GALLEY_DATA, data: part }];
  }
}

function spoken(part: AssistantPartShapes["text" | "reasoning"], id: string): WireChunk[] {
  const { type, text, state, providerMetadata } = part;
  const aside = providerMetadata === undefined ? {} : { providerMetadata };
  const delta: WireChunk[] = text === "" ? [] : [{ type: `${type}-delta`, id, delta: text }];
  const end: WireChunk[] = state === "streaming" ? [] : [{ type: `${type}-end`, id }];
  return [{ type: `${type}-start`, id, ...aside }, ...delta, ...end];
}

type Call = AssistantPartShapes["tool"];

function call(part: Call): WireChunk[] {
  const { toolCallId, state, errorText = "" } = part;
  const named = { ...asked(part), toolCallId, toolName: toolNameOf(part) };
  if (state === "input-streaming") return [{ type: "tool-input-start", ...named }, ...raw(part)];
  if (state === "output-error" && part.input === undefined) {
    const input = part.rawInput ?? null;
    return [{ type: "tool-input-error", ...named, input, errorText } as UiChunk];
  }
  const input = part.input ?? null;
  return [{ type: "tool-input-available", ...named, input }, ...approval(part), ...output(part)];
}

function asked({ type, callProviderMetadata: providerMetadata }: Call) {
  return {
    ...(type === "dynamic-tool" && { dynamic: true }),
    ...(providerMetadata !== undefined && { providerMetadata }),
  };
}

const raw = ({ toolCallId, rawInput }: Call): WireChunk[] =>
  typeof rawInput === "string" && rawInput !== ""
    ? [{ type: "tool-input-delta", toolCallId, inputTextDelta: rawInput }]
    : [];

function approval({ toolCallId, approval }: Call): WireChunk[] {
  const { id, approved } = (approval ?? {}) as { id?: unknown; approved?: unknown };
  if (typeof id !== "string") return [];
  const request: WireChunk = { type: "tool-approval-request", approvalId: id, toolCallId };
  if (typeof approved !== "boolean") return [request];
  return [request, { type: "tool-approval-response", approvalId: id, approved }];
}

function output({ toolCallId, state, output: given = null, errorText = "" }: Call): WireChunk[] {
  switch (state) {
    case "output-available":
      return [{ type: "tool-output-available", toolCallId, output: given }];
    case "output-error":
      return [{ type: "tool-output-error", toolCallId, errorText }];
    case "output-denied":
      return [{ type: "tool-output-denied", toolCallId }];
    default:
      return [];
  }
}
