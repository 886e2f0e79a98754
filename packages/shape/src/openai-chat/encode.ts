/**
 * Blocks to Chat Completions messages. User parts are items that share a message; a step of the
 * model is one message that holds its text and its calls, and each result is a message.
 */
import type { AnswerBlock, MediaBlock, Origin, TextBlock, UserBlock } from "../block.ts";
import { canonicalMedia } from "../catalogue/media-name.ts";
import type { Step } from "../lower-assistant.ts";
import { dataUrl, fileName, mediaLine } from "../openai/media.ts";
import { argumentsOf, joinTexts, outputOf } from "../openai/tool.ts";
import { type Frame, type Trace, type WireItem, wholeItem } from "../protocol.ts";
import { toolCallId, toolName } from "../tool-names.ts";
import { wireJson } from "../wire-json.ts";

const USER: Frame = { key: "user", open: '{"role":"user","content":[', close: "]}" };

/** What `input_audio` takes, and its word for it. */
const AUDIO_FORMATS: ReadonlyMap<string, string> = new Map([
  ["audio/wav", "wav"],
  ["audio/mpeg", "mp3"],
]);
const FILES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf"]);

export function encodes(mime: string): boolean {
  const name = canonicalMedia(mime);
  return FILES.has(name) || AUDIO_FORMATS.has(name);
}

export function encodeUser(blocks: readonly Origin<UserBlock>[]): WireItem[] {
  return blocks.map(({ part, block }) => wholeItem(part, wireJson(native(block)), { frame: USER }));
}

export function encodeStep(step: Step): WireItem[] {
  const results = step.results.map(({ part, block }) => {
    const texts = outputOf(block).map((each) => (each.type === "text" ? each : seeNext(each)));
    const message = { role: "tool", tool_call_id: toolCallId(block.id), content: joinTexts(texts) };
    return wholeItem(part, wireJson(message));
  });
  // A result holds only text; should media come inside one all the same, they follow it.
  const inside = step.results.flatMap(({ part, block: { content } }) =>
    content.flatMap((block) => (block.type === "media" ? [{ part, block }] : [])),
  );
  return [answer(step.blocks), ...results, ...encodeUser([...inside, ...step.hoisted])];
}

/** One message, in which each part is found again: its text or text part, its call. */
function answer(blocks: readonly Origin<AnswerBlock>[]): WireItem {
  let json = '{"role":"assistant","content":';
  const traces: Trace[] = [];
  const write = (part: number | undefined, text: string): void => {
    const start = json.length;
    json += text;
    if (part !== undefined) traces.push({ part, start, end: json.length });
  };
  const texts = blocks.flatMap(({ part, block }) => {
    const text = saidText(block);
    return text === undefined ? [] : [{ part, text }];
  });
  const [only] = texts;
  if (!only) json += "null";
  else if (texts.length === 1) write(only.part, wireJson(only.text));
  else {
    json += "[";
    texts.forEach(({ part, text }, index) => {
      if (index > 0) json += ",";
      write(part, wireJson({ type: "text", text }));
    });
    json += "]";
  }
  let opening = ',"tool_calls":[';
  for (const { part, block } of blocks) {
    if (block.type !== "tool-call") continue;
    json += opening;
    const call = { name: toolName(block.name), arguments: argumentsOf(block.input) };
    write(part, wireJson({ id: toolCallId(block.id), type: "function", function: call }));
    opening = ",";
  }
  json += opening === "," ? "]}" : "}";
  return { json, traces };
}

function saidText(block: AnswerBlock): string | undefined {
  switch (block.type) {
    case "text":
      return block.text;
    case "media":
      return mediaLine(block);
    case "tool-call":
    case "reasoning":
      // The protocol has no place for reasoning; `signed` accepts none, so none arrives.
      return undefined;
  }
}

function native(block: UserBlock) {
  if (block.type === "text") return { type: "text", text: block.text };
  const mime = canonicalMedia(block.mime);
  const format = AUDIO_FORMATS.get(mime);
  if (format) return { type: "input_audio", input_audio: { data: block.base64, format } };
  if (mime === "application/pdf") {
    return { type: "file", file: { filename: fileName(block), file_data: dataUrl(block) } };
  }
  return { type: "image_url", image_url: { url: dataUrl(block) } };
}

const seeNext = ({ mime }: MediaBlock): TextBlock => ({
  type: "text",
  text: `[${mime}: see the next message]`,
});
