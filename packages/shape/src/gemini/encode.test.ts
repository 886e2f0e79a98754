import assert from "node:assert/strict";
import { test } from "node:test";
// The SDK's nouns are the REST nouns: a part that is written here and does not exist fails to compile.
import type { Content, Part } from "@google/genai";
import type { AnswerBlock, Origin, ToolResultBlock, UserBlock } from "../block.ts";
import type { Step } from "../lower-assistant.ts";
import type { WireItem } from "../protocol.ts";
import { encodeStep, encodeUser } from "./encode.ts";

const PNG = "iVBORw0KGgo=";

const asOrigins = <B extends Origin["block"]>(blocks: readonly B[]): { part: number; block: B }[] =>
  blocks.map((block, part) => ({ part, block }));

const user = (...blocks: UserBlock[]): WireItem[] => encodeUser(asOrigins(blocks));

const stepOf = (
  blocks: readonly AnswerBlock[],
  results: readonly ToolResultBlock[] = [],
  hoisted: readonly UserBlock[] = [],
): Step => ({
  blocks: asOrigins(blocks),
  results: asOrigins(results),
  hoisted: asOrigins(hoisted),
});

const partsOf = (items: readonly WireItem[]): unknown[] =>
  items.map(({ json }) => JSON.parse(json));

/** The items as the contents that the wire carries: neighbours of one frame share it. */
function contentsOf(items: readonly WireItem[]): unknown[] {
  const groups: WireItem[][] = [];
  for (const item of items) {
    const last = groups.at(-1);
    if (last?.[0]?.frame?.key === item.frame?.key) last?.push(item);
    else groups.push([item]);
  }
  return groups.map((group) => {
    const frame = group[0]?.frame;
    return JSON.parse(`${frame?.open}${group.map(({ json }) => json).join()}${frame?.close}`);
  });
}

const call = (id: string, metadata?: Record<string, unknown>): AnswerBlock => ({
  type: "tool-call",
  id,
  name: "read",
  input: { path: id },
  ...(metadata && { metadata }),
});

const result = (id: string, ...content: ToolResultBlock["content"]): ToolResultBlock => ({
  type: "tool-result",
  id,
  name: "read",
  content,
  isError: false,
});

const text = (value: string) => ({ type: "text", text: value }) as const;
const media = (mime: string) => ({ type: "media", mime, base64: PNG }) as const;

test("text and media become parts of one user content, in order", () => {
  const expected: Content[] = [
    {
      role: "user",
      parts: [
        { text: "look at" },
        { inlineData: { mimeType: "image/png", data: PNG } },
        { text: "and say 'hei' & \"å\"" },
      ],
    },
  ];
  const items = user(text("look at"), media("image/png"), text("and say 'hei' & \"å\""));
  assert.deepEqual(contentsOf(items), expected);
});

test("media go out under the names that Gemini documents", () => {
  const names: Record<string, string> = {
    "image/jpeg": "image/jpeg",
    "image/heic": "image/heic",
    "application/pdf": "application/pdf",
    "audio/mpeg": "audio/mp3",
    "audio/wav": "audio/wav",
    "audio/x-wav": "audio/wav",
    "audio/aiff": "audio/aiff",
    "video/quicktime": "video/mov",
    "video/x-msvideo": "video/avi",
    "video/x-ms-wmv": "video/wmv",
    "video/mpeg": "video/mpeg",
    "video/x-flv": "video/x-flv",
    "video/3gpp": "video/3gpp",
  };
  for (const [sniffed, mimeType] of Object.entries(names)) {
    const expected: Part[] = [{ inlineData: { mimeType, data: PNG } }];
    assert.deepEqual(partsOf(user(media(sniffed))), expected, sniffed);
  }
});

test("an answer keeps the signature on the part that had it", () => {
  const expected: Part[] = [
    { text: "I weigh it", thought: true, thoughtSignature: "sig-thought" },
    { text: "Yes.", thoughtSignature: "sig-text" },
    { text: "Plain." },
    {
      functionCall: { id: "call_a", name: "read", args: { path: "call_a" } },
      thoughtSignature: "sig-call",
    },
    { functionCall: { id: "call_b", name: "read", args: { path: "call_b" } } },
  ];
  const items = encodeStep(
    stepOf([
      { type: "reasoning", text: "I weigh it", signed: { thoughtSignature: "sig-thought" } },
      { ...text("Yes."), metadata: { thoughtSignature: "sig-text" } },
      text("Plain."),
      call("call_a", { thoughtSignature: "sig-call" }),
      call("call_b"),
    ]),
  );
  assert.deepEqual(partsOf(items), expected);
});

test("the first call of a step that another model made carries the documented stand-in", () => {
  const expected: Part[] = [
    {
      functionCall: { id: "call_a", name: "read", args: { path: "call_a" } },
      thoughtSignature: "skip_thought_signature_validator",
    },
    { functionCall: { id: "call_b", name: "read", args: { path: "call_b" } } },
  ];
  assert.deepEqual(partsOf(encodeStep(stepOf([call("call_a"), call("call_b")]))), expected);
});

test("all results of a step stand together, right after the model's content", () => {
  const expected: Content[] = [
    {
      role: "model",
      parts: [
        { text: "I look." },
        {
          functionCall: { id: "a", name: "read", args: { path: "a" } },
          thoughtSignature: "s",
        },
        { functionCall: { id: "b", name: "read", args: { path: "b" } } },
      ],
    },
    {
      role: "user",
      parts: [
        { functionResponse: { id: "a", name: "read", response: { output: "one\ntwo" } } },
        { functionResponse: { id: "b", name: "read", response: { error: "no such file" } } },
        { inlineData: { mimeType: "image/png", data: PNG } },
      ],
    },
  ];
  const step = stepOf(
    [text("I look."), call("a", { thoughtSignature: "s" }), call("b")],
    [
      result("a", text("one"), text("two")),
      { ...result("b", text("no such file")), isError: true },
    ],
    [media("image/png")],
  );
  assert.deepEqual(contentsOf(encodeStep(step)), expected);
});

test("pictures and documents of a result go inside it, other media beside it", () => {
  const expected: Part[] = [
    {
      functionResponse: {
        id: "a",
        name: "read",
        response: {
          output:
            "seen:\n[image/png: attached]\n[audio/mpeg: follows the results]\n[application/pdf: attached]",
        },
        parts: [
          { inlineData: { mimeType: "image/png", data: PNG } },
          { inlineData: { mimeType: "application/pdf", data: PNG } },
        ],
      },
    },
    { functionResponse: { id: "b", name: "read", response: { output: "done" } } },
    { inlineData: { mimeType: "audio/mp3", data: PNG } },
  ];
  const step = stepOf(
    [],
    [
      result("a", text("seen:"), media("image/png"), media("audio/mpeg"), media("application/pdf")),
      result("b", text("done")),
    ],
  );
  assert.deepEqual(partsOf(encodeStep(step)), expected);
});

test("an input that is not an object is kept under a key, and names are made to fit", () => {
  const expected: Part[] = [
    {
      functionCall: { id: "x_y_cf01eada", name: "files_read_feef3122", args: { value: [1, 2] } },
      thoughtSignature: "skip_thought_signature_validator",
    },
  ];
  const odd = { type: "tool-call", id: "x:y", name: "files.read", input: [1, 2] } as const;
  assert.deepEqual(partsOf(encodeStep(stepOf([odd]))), expected);
});

test("a picture that the model made goes back in its own content", () => {
  const items = encodeStep(stepOf([media("image/png")]));
  assert.equal(items[0]?.frame?.key, "model");
  assert.deepEqual(partsOf(items), [{ inlineData: { mimeType: "image/png", data: PNG } }]);
});

test("each item traces to the part it came from, whole; what we add ourselves traces to none", () => {
  const items = encodeStep(
    stepOf([text("å"), call("a")], [result("a", text("x"), media("video/mp4"))], [text("more")]),
  );
  const traced = items.map(({ json, traces }) =>
    traces.map(({ part, start, end }) => [part, json.slice(start, end) === json]),
  );
  assert.deepEqual(traced, [[[0, true]], [[1, true]], [[0, true]], [[0, true]], [[0, true]]]);
  const [ours] = encodeUser([{ part: undefined, block: text("[nothing]") }]);
  assert.deepEqual(ours?.traces, []);
});
