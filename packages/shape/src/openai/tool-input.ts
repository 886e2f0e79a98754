/** How a tool call ends in a stream, where the model may have been stopped in the middle of it. */
import type { UiChunk } from "@galley/parts";
import { parseInput } from "../decode.ts";

/** `cut`: the answer was stopped by a limit. Nothing written is then no input, not an empty one. */
export function endInput(
  toolCallId: string,
  toolName: string,
  json: string,
  cut: boolean,
): UiChunk {
  if (!cut || json.trim() !== "") return parseInput(toolCallId, toolName, json);
  const errorText = "the answer was cut off before the input was written";
  return { type: "tool-input-error", toolCallId, toolName, input: json, errorText };
}

/** Without a name there is nothing to run and nothing to answer; what was written is shown. */
export const namelessCall = (json: string): UiChunk => ({
  type: "error",
  errorText: `the model called a tool without naming it: ${json.slice(0, 80)}`,
});
