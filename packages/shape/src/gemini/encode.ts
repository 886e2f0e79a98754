/** Blocks to Gemini parts. One block is one item; neighbours of a role share a content. */
import type { AnswerBlock, MediaBlock, Origin, ToolResultBlock, UserBlock } from "../block.ts";
import type { Step } from "../lower-assistant.ts";
import { type Frame, type WireItem, wholeItem } from "../protocol.ts";
import { inputObject, toolCallId, toolName } from "../tool-names.ts";
import { wireJson } from "../wire-json.ts";
import { answersInside, mediaName } from "./media.ts";

const USER: Frame = { key: "user", open: '{"role":"user","parts":[', close: "]}" };
const MODEL: Frame = { key: "model", open: '{"role":"model","parts":[', close: "]}" };

/** The documented signature for calls that this model did not make itself. */
const FOREIGN_SIGNATURE = "skip_thought_signature_validator";

export function encodeUser(blocks: readonly Origin<UserBlock>[]): WireItem[] {
  return blocks.map(({ part, block }) => wholeItem(part, wireJson(native(block)), { frame: USER }));
}

export function encodeStep(step: Step): WireItem[] {
  const first = step.blocks.find(({ block }) => block.type === "tool-call");
  const said = step.blocks.map((each) => {
    const json = wireJson(answer(each.block, each === first));
    return wholeItem(each.part, json, { frame: MODEL });
  });
  const results = step.results.map(({ part, block }) =>
    wholeItem(part, wireJson(functionResponse(block)), { frame: USER }),
  );
  // The results of a step stand together; what does not fit inside one follows them all.
  const beside = step.results.flatMap(({ part, block }) =>
    mediaOf(block)
      .filter(({ mime }) => !answersInside(mime))
      .map((media) => ({ part, block: media })),
  );
  return [...said, ...results, ...encodeUser([...beside, ...step.hoisted])];
}

function native(block: UserBlock) {
  return block.type === "text" ? { text: block.text } : inlineData(block);
}

const inlineData = ({ mime, base64 }: MediaBlock) => ({
  inlineData: { mimeType: mediaName(mime) ?? mime, data: base64 },
});

function answer(block: AnswerBlock, firstCall: boolean) {
  switch (block.type) {
    case "text":
      return { text: block.text, ...signature(block.metadata) };
    case "media":
      return inlineData(block);
    case "reasoning":
      return { text: block.text, thought: true, ...signature(block.signed) };
    case "tool-call": {
      const functionCall = {
        id: toolCallId(block.id),
        name: toolName(block.name),
        args: inputObject(block.input),
      };
      // The first call of a step is refused without a signature; calls beside it have none.
      const foreign = firstCall && { thoughtSignature: FOREIGN_SIGNATURE };
      return { functionCall, ...foreign, ...signature(block.metadata) };
    }
  }
}

function signature(metadata: Readonly<Record<string, unknown>> | undefined) {
  const thoughtSignature = metadata?.thoughtSignature;
  return typeof thoughtSignature === "string" ? { thoughtSignature } : {};
}

function functionResponse(block: ToolResultBlock) {
  const text = block.content.map((each) => {
    if (each.type === "text") return each.text;
    const where = answersInside(each.mime) ? "attached" : "follows the results";
    return `[${each.mime}: ${where}]`;
  });
  const parts = mediaOf(block).filter(({ mime }) => answersInside(mime));
  return {
    functionResponse: {
      id: toolCallId(block.id),
      name: toolName(block.name),
      response: { [block.isError ? "error" : "output"]: text.join("\n") },
      ...(parts.length > 0 && { parts: parts.map(inlineData) }),
    },
  };
}

const mediaOf = ({ content }: ToolResultBlock): MediaBlock[] =>
  content.filter((block) => block.type === "media");
