/**
 * A stored answer as the chunks that would have streamed it. Pieces of text come whole, and what
 * only a running stream tells (partial inputs, usage after each step) is not repeated.
 */
import type { AssistantPart, UiChunk } from "@galley/parts";
import { partChunks } from "../http/stored-answer.ts";

export type StoredAnswer = {
  readonly id: string;
  readonly parts: readonly AssistantPart[];
  readonly metadata: Readonly<Record<string, unknown>>;
};

export function replayAnswer({ id, parts, metadata }: StoredAnswer): readonly UiChunk[] {
  // What the server says of parts that no stream has is handed on as it would be over the wire.
  const said = partChunks(parts) as readonly UiChunk[];
  return [{ type: "start", messageId: id }, ...said, ...endOf(metadata)];
}

/** An answer without an end waits for a person, or was left behind by a host that died. */
function endOf(metadata: StoredAnswer["metadata"]): readonly UiChunk[] {
  if (metadata.failed_at !== undefined) {
    const { error } = metadata;
    return [{ type: "error", errorText: typeof error === "string" ? error : "the turn failed" }];
  }
  if (metadata.aborted_at !== undefined) return [{ type: "abort" }];
  if (metadata.finished_at !== undefined) return [{ type: "finish" }];
  return [];
}
