/**
 * Blocks to items of a Responses input. Everything but the user's content is an item of its own.
 *
 * Nothing is stored with the provider, so items are replayed in full. The ids of texts and calls
 * stay behind: the API ties an item that has its id to the reasoning it once followed and refuses
 * the one without the other, while an item without an id stands for itself.
 */
import type {
  AnswerBlock,
  MediaBlock,
  Origin,
  ReasoningBlock,
  TextBlock,
  ToolCallBlock,
  UserBlock,
} from "../block.ts";
import { canonicalMedia } from "../catalogue/media-name.ts";
import type { Step } from "../lower-assistant.ts";
import { dataUrl, fileName, mediaLine } from "../openai/media.ts";
import { argumentsOf, joinTexts, outputOf } from "../openai/tool.ts";
import { type Frame, type Trace, type WireItem, wholeItem } from "../protocol.ts";
import { toolCallId, toolName } from "../tool-names.ts";
import { wireJson } from "../wire-json.ts";

const USER: Frame = {
  key: "user",
  open: '{"type":"message","role":"user","content":[',
  close: "]}",
};
const FILES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf"]);

export const encodes = (mime: string): boolean => FILES.has(canonicalMedia(mime));

export function encodeUser(blocks: readonly Origin<UserBlock>[]): WireItem[] {
  return blocks.map(({ part, block }) => wholeItem(part, wireJson(native(block)), { frame: USER }));
}

export function encodeStep(step: Step): WireItem[] {
  const results = step.results.map(({ part, block }) => {
    const output = nativeOutput(outputOf(block));
    const item = { type: "function_call_output", call_id: toolCallId(block.id), output };
    return wholeItem(part, wireJson(item));
  });
  return [...said(step.blocks), ...results, ...encodeUser(step.hoisted)];
}

function said(blocks: readonly Origin<AnswerBlock>[]): WireItem[] {
  const items: WireItem[] = [];
  let thoughts: Origin<ReasoningBlock>[] = [];
  const think = (): void => {
    if (thoughts.length > 0) items.push(reasoning(thoughts));
    thoughts = [];
  };
  for (const { part, block } of blocks) {
    if (block.type !== "reasoning") {
      think();
      items.push(
        wholeItem(part, wireJson(block.type === "tool-call" ? call(block) : message(block))),
      );
      continue;
    }
    if (thoughts[0]?.block.signed.itemId !== block.signed.itemId) think();
    thoughts.push({ part, block });
  }
  think();
  return items;
}

/** One item; where several blocks came of it, each is a part of its summary. */
function reasoning(thoughts: readonly Origin<ReasoningBlock>[]): WireItem {
  const signed = thoughts.at(-1)?.block.signed ?? {};
  let json = `{"type":"reasoning","id":${wireJson(signed.itemId)},"summary":[`;
  const traces: Trace[] = [];
  for (const { part, block } of thoughts.filter((each) => each.block.text !== "")) {
    if (!json.endsWith("[")) json += ",";
    const start = json.length;
    json += wireJson({ type: "summary_text", text: block.text });
    if (part !== undefined) traces.push({ part, start, end: json.length });
  }
  json += `],"encrypted_content":${wireJson(signed.reasoningEncryptedContent)}}`;
  return thoughts.length === 1 ? wholeItem(thoughts[0]?.part, json) : { json, traces };
}

const call = ({ id, name, input }: ToolCallBlock) => ({
  type: "function_call",
  call_id: toolCallId(id),
  name: toolName(name),
  arguments: argumentsOf(input),
});

/**
 * The short form of a message, the only one that takes the model's words without an id. Its phase
 * (commentary or answer) is sent back, which newer models ask for.
 */
function message(block: TextBlock | MediaBlock) {
  const content = block.type === "text" ? block.text : mediaLine(block);
  const phase = block.type === "text" ? block.metadata?.phase : undefined;
  return {
    type: "message",
    role: "assistant",
    content,
    ...(typeof phase === "string" && { phase }),
  };
}

/** Text goes as a text, which every server of this protocol takes; media make it a list. */
function nativeOutput(blocks: readonly (TextBlock | MediaBlock)[]) {
  const texts = blocks.filter((block) => block.type === "text");
  return texts.length === blocks.length ? joinTexts(texts) : blocks.map(native);
}

function native(block: TextBlock | MediaBlock) {
  if (block.type === "text") return { type: "input_text", text: block.text };
  if (canonicalMedia(block.mime) === "application/pdf") {
    return { type: "input_file", filename: fileName(block), file_data: dataUrl(block) };
  }
  return { type: "input_image", detail: "auto", image_url: dataUrl(block) };
}
