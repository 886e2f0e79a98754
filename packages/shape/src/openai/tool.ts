/** What both protocols say of a tool: its definition, a call's arguments, a result's content. */
import type { ToolDefinition } from "@galley/assemble";
import type { MediaBlock, TextBlock, ToolResultBlock } from "../block.ts";
import { inputObject, toolName } from "../tool-names.ts";
import { wireJson } from "../wire-json.ts";

export function functionOf({ name, description, input_schema }: ToolDefinition) {
  // A schema of an object without `properties` is refused, and with it the whole request.
  const parameters = { type: "object", properties: {}, ...input_schema };
  return { name: toolName(name), description, parameters };
}

/** Arguments travel as the text of a JSON object. */
export const argumentsOf = (input: unknown): string => wireJson(inputObject(input));

/** Results have no field for failure, so a first line says it; successes stay as they are. */
export function outputOf({
  content,
  isError,
}: ToolResultBlock): readonly (TextBlock | MediaBlock)[] {
  return isError ? [{ type: "text", text: "[error]" }, ...content] : content;
}

export const joinTexts = (blocks: readonly TextBlock[]): string =>
  blocks.map(({ text }) => text).join("\n");
