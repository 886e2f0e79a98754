/** Blocks to Anthropic content blocks. One block is one item; neighbours of a role share a message. */
import type {
  AnswerBlock,
  MediaBlock,
  Origin,
  TextBlock,
  ToolResultBlock,
  UserBlock,
} from "../block.ts";
import type { Step } from "../lower-assistant.ts";
import { type Frame, type WireItem, wholeItem } from "../protocol.ts";
import { plainName } from "../render.ts";
import { inputObject, toolCallId, toolName } from "../tool-names.ts";
import { wireJson } from "../wire-json.ts";

const USER: Frame = { key: "user", open: '{"role":"user","content":[', close: "]}" };
const ASSISTANT: Frame = { key: "assistant", open: '{"role":"assistant","content":[', close: "]}" };

export function encodeUser(blocks: readonly Origin<UserBlock>[]): WireItem[] {
  return blocks.map(({ part, block }) =>
    wholeItem(part, wireJson(native(block)), { frame: USER, markable: true }),
  );
}

export function encodeStep(step: Step): WireItem[] {
  const said = step.blocks.map(({ part, block }) =>
    // A marker on thinking is refused.
    wholeItem(part, wireJson(answer(block)), {
      frame: ASSISTANT,
      markable: block.type !== "reasoning",
    }),
  );
  const results = step.results.map(({ part, block }) =>
    wholeItem(part, wireJson(result(block)), { frame: USER, markable: true }),
  );
  return [...said, ...results, ...encodeUser(step.hoisted)];
}

function answer(block: AnswerBlock) {
  switch (block.type) {
    case "reasoning":
      return thinking(block);
    case "tool-call":
      return {
        type: "tool_use",
        id: toolCallId(block.id),
        name: toolName(block.name),
        input: inputObject(block.input),
      };
    case "text":
    case "media":
      return native(block);
  }
}

function native(block: TextBlock | MediaBlock) {
  if (block.type === "text") return { type: "text", text: block.text };
  const source = { type: "base64", media_type: block.mime, data: block.base64 };
  if (block.mime !== "application/pdf") return { type: "image", source };
  return { type: "document", source, ...(block.name && { title: title(block.name) }) };
}

/** The API takes at most 500 characters. */
const title = (name: string): string => plainName(name).slice(0, 500);

function thinking({ text, signed }: { text: string; signed: Readonly<Record<string, unknown>> }) {
  return typeof signed.redactedData === "string"
    ? { type: "redacted_thinking", data: signed.redactedData }
    : { type: "thinking", thinking: text, signature: signed.signature };
}

function result({ id, content, isError }: ToolResultBlock) {
  return {
    type: "tool_result",
    tool_use_id: toolCallId(id),
    content: content.map(native),
    ...(isError && { is_error: true }),
  };
}
