/** The result half of a tool pair, in every state and from every shape of output. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type AssistantPartShapes, TOOL_STATES } from "@galley/parts";
import type { AnswerTarget } from "./lower-assistant.ts";
import { toolResult } from "./tool-result.ts";

const target: AnswerTarget = {
  namespace: "test",
  inlineTextBytes: 100,
  toolResultMedia: true,
  refuses: (mime) => (mime === "image/png" ? undefined : `the model does not take ${mime}`),
  signed: () => undefined,
  answerMedia: () => false,
};
type Tool = AssistantPartShapes["tool"];
type Settled = Pick<Tool, "state" | "output" | "errorText">;
const resultOf = (rest: Settled, over: Partial<AnswerTarget> = {}) =>
  toolResult({ type: "tool-read", toolCallId: "c1", ...rest }, "read", { ...target, ...over });
const contentOf = (output: Tool["output"], over: Partial<AnswerTarget> = {}) =>
  resultOf({ state: "output-available", ...(output !== undefined && { output }) }, over).result
    .content;
const text = (value: string) => ({ type: "text", text: value });
const PNG = btoa("\x89PNG\r\n\x1a\n..");

const STATES: { readonly [S in Tool["state"]]: readonly [says: string, isError: boolean] } = {
  "input-streaming": ["[interrupted while the call was being written; it did not run]", true],
  "input-available": ["[interrupted; whether it took effect is unknown]", true],
  "approval-requested": ["[interrupted before it was approved; it did not run]", true],
  "approval-responded": ["[interrupted; whether it took effect is unknown]", true],
  "output-available": ["[no output]", false],
  "output-error": ["[failed without a message]", true],
  "output-denied": ["[the user did not allow this call]", true],
};

for (const state of TOOL_STATES) {
  test(`a call in the state ${state} has a result to be paired with`, () => {
    const [says, isError] = STATES[state];
    assert.deepEqual(resultOf({ state }).result, {
      type: "tool-result",
      id: "c1",
      name: "read",
      content: [text(says)],
      isError,
    });
  });
}

test("a frozen call is noted; a settled one is not", () => {
  const notes = TOOL_STATES.map((state) => resultOf({ state }).note !== undefined);
  assert.deepEqual(notes, [true, true, true, true, false, false, false]);
});

test("an error shows its message, and a blank one says that there was none", () => {
  const said = resultOf({ state: "output-error", errorText: "ENOENT" }).result.content;
  assert.deepEqual(said, [text("ENOENT")]);
  const blank = resultOf({ state: "output-error", errorText: " \n" }).result.content;
  assert.deepEqual(blank, [text("[failed without a message]")]);
});

test("an output is shown as text: strings as they are, the rest as canonical JSON", () => {
  assert.deepEqual(contentOf("plain"), [text("plain")]);
  assert.deepEqual(contentOf({ b: 1, a: [true] }), [text('{"a":[true],"b":1}')]);
  assert.deepEqual(contentOf([1, 2]), [text("[1,2]")]);
  assert.deepEqual(contentOf(0), [text("0")]);
  assert.deepEqual(contentOf(false), [text("false")]);
});

test("an output that says nothing says so", () => {
  for (const output of [null, "", "  \n"])
    assert.deepEqual(contentOf(output), [text("[no output]")]);
  assert.deepEqual(contentOf({ content: [{ type: "text", text: " " }] }), [text("[no output]")]);
});

test("the wrapped outputs of the store are unwrapped", () => {
  assert.deepEqual(contentOf({ type: "output", data: "x" }), [text("x")]);
  const failed = resultOf({
    state: "output-available",
    output: { type: "error", error_text: "no" },
  });
  assert.deepEqual([failed.result.content, failed.result.isError], [[text("no")], true]);
});

test("a content list as MCP spells it keeps its items and their order", () => {
  const content = [
    { type: "text", text: "before" },
    { type: "image", data: PNG, mimeType: "image/png" },
    { type: "resource", resource: { uri: "file:///a", text: "body" } },
    { type: "resource", resource: { uri: "file:///b", blob: PNG, mimeType: "image/png" } },
    { type: "resource_link", uri: "file:///c", name: "c" },
  ];
  assert.deepEqual(contentOf({ content, isError: false }), [
    text("before"),
    { type: "media", mime: "image/png", base64: PNG },
    text("body"),
    { type: "media", mime: "image/png", base64: PNG },
    text('{"name":"c","type":"resource_link","uri":"file:///c"}'),
  ]);
});

test("an error flag inside an output makes an error of the result", () => {
  const output = { content: [{ type: "text", text: "no" }], isError: true };
  assert.equal(resultOf({ state: "output-available", output }).result.isError, true);
});

test("what stands beside a content list is shown, except what only repeats it", () => {
  const content = [{ type: "text", text: "2 rows" }];
  const beside = { structuredContent: { rows: 2 }, _meta: {}, isError: false };
  assert.deepEqual(contentOf({ content, ...beside }), [text("2 rows")]);
  assert.deepEqual(contentOf({ content, total: 2 }), [text("2 rows"), text('{"total":2}')]);
  const unknown = { content: [{ type: "row", cells: 1 }] };
  assert.deepEqual(contentOf(unknown), [text('{"content":[{"cells":1,"type":"row"}]}')]);
});

const media = (data: string, mimeType = "image/png") =>
  contentOf({ content: [{ type: "image", data, mimeType }] });

test("media that the model does not take, or that are broken, are described without their bytes", () => {
  assert.deepEqual(media(btoa("%PDF-1.7")), [
    text(
      "[media: of a tool result, application/pdf, 8 bytes; content not shown: the model does not take application/pdf]",
    ),
  ]);
  assert.deepEqual(media("not base64!"), [
    text("[media: of a tool result, image/png; content not shown: its base64 is broken]"),
  ]);
  assert.deepEqual(media(btoa("\0\xff"), "image/x\n"), [
    text(
      "[media: of a tool result, image/x\\u000a, 2 bytes; content not shown: its format is not known]",
    ),
  ]);
  const audio = contentOf({
    content: [{ type: "audio", data: btoa("ID3\x03"), mimeType: "audio/mpeg" }],
  });
  assert.deepEqual(audio, [
    text(
      "[media: of a tool result, audio/mpeg, 4 bytes; content not shown: the model does not take audio/mpeg]",
    ),
  ]);
});

test("media whose base64 breaks after its head are described", () => {
  const long = btoa(`\x89PNG\r\n\x1a\n${"x".repeat(6001)}`);
  assert.equal(media(long)[0]?.type, "media");
  assert.equal(media(`${long}!`)[0]?.type, "text");
});

test("base64 in lines is put on one line", () => {
  const wrapped = `${PNG.slice(0, 4)}\n${PNG.slice(4)}\n`;
  assert.deepEqual(media(wrapped), [{ type: "media", mime: "image/png", base64: PNG }]);
});

test("where results take only text, a picture follows in the user's voice and the result says so", () => {
  const output = {
    content: [
      { type: "text", text: "seen" },
      { type: "image", data: PNG },
    ],
  };
  const { result, hoisted } = resultOf(
    { state: "output-available", output },
    { toolResultMedia: false },
  );
  assert.deepEqual(result.content, [text("seen"), text("[image/png: see the next message]")]);
  assert.deepEqual(hoisted, [{ type: "media", mime: "image/png", base64: PNG }]);
});
