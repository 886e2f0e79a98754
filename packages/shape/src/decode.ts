/** What the stream decoders share: reading events safely, closing tool inputs, saying how it ended. */
import type { FinishReason, StepMetadata, UiChunk, Usage } from "@galley/parts";
import { isObject } from "./json-value.ts";

/** An event's data as an object; undefined when it is not one. */
export function parseEvent<T extends object>(data: string): T | undefined {
  try {
    const value: unknown = JSON.parse(data);
    return isObject(value) ? (value as T) : undefined;
  } catch {
    // `JSON.parse` throws one kind of error: this is not JSON. The caller reports it as a chunk.
    return undefined;
  }
}

export function unreadable(data: string): UiChunk {
  return {
    type: "error",
    errorText: `the provider sent an event that is not JSON: ${data.slice(0, 80)}`,
  };
}

export const cutShort: UiChunk = {
  type: "error",
  errorText: "the stream ended before the answer was complete",
};

/** The end of a tool call's input: parsed when it is JSON, an error that keeps the text when not. */
export function parseInput(toolCallId: string, toolName: string, json: string): UiChunk {
  try {
    const input = JSON.parse(json === "" ? "{}" : json);
    return { type: "tool-input-available", toolCallId, toolName, input };
  } catch {
    // Not JSON: the model's text goes on with the chunk, so nothing of it is lost.
    const errorText = "the model wrote an input that is not JSON";
    return { type: "tool-input-error", toolCallId, toolName, input: json, errorText };
  }
}

export function metadataChunk(
  usage: Usage,
  finishReason: FinishReason | undefined,
  about: { readonly model?: string; readonly response_id?: string },
): UiChunk {
  const messageMetadata: StepMetadata = {
    usage,
    ...about,
    ...(finishReason && { finish_reason: finishReason }),
  };
  return { type: "message-metadata", messageMetadata };
}
