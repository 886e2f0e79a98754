import assert from "node:assert/strict";
import { test } from "node:test";
// What is written here and does not exist in the API fails to compile.
import type {
  ResponseFunctionCallOutputItem,
  ResponseInputContent,
  ResponseInputItem,
} from "openai/resources/responses/responses";
import type { AnswerBlock, Origin, ToolResultBlock, UserBlock } from "../block.ts";
import type { WireItem } from "../protocol.ts";
import { encodeStep, encodes, encodeUser } from "./encode.ts";
import { openAiResponses } from "./protocol.ts";

const asOrigins = <B extends Origin["block"]>(blocks: readonly B[], from = 0): Origin<B>[] =>
  blocks.map((block, index) => ({ part: from + index, block }));

const step = (
  blocks: readonly AnswerBlock[],
  results: readonly ToolResultBlock[] = [],
  hoisted: readonly UserBlock[] = [],
): WireItem[] =>
  encodeStep({
    blocks: asOrigins(blocks),
    results: asOrigins(results, 10),
    hoisted: asOrigins(hoisted, 20),
  });

const jsonOf = (items: readonly WireItem[]): unknown[] => items.map(({ json }) => JSON.parse(json));

/** What each part became: the value between its marks. */
const traced = (item: WireItem): [number, unknown][] =>
  item.traces.map(({ part, start, end }) => [part, JSON.parse(item.json.slice(start, end))]);

const text = (value: string, metadata?: Record<string, unknown>) =>
  ({ type: "text", text: value, ...(metadata && { metadata }) }) as const;
const media = (mime: string, name?: string) =>
  ({ type: "media", mime, base64: "AAEC", ...(name && { name }) }) as const;
const call = (id: string): AnswerBlock => ({
  type: "tool-call",
  id,
  name: "read",
  input: { path: id },
  metadata: { itemId: `fc_${id}` },
});
const thought = (value: string, itemId: string): AnswerBlock => ({
  type: "reasoning",
  text: value,
  signed: { itemId, reasoningEncryptedContent: `secret of ${itemId}` },
});
const result = (
  id: string,
  content: ToolResultBlock["content"],
  isError = false,
): ToolResultBlock => ({ type: "tool-result", id, name: "read", content, isError });

test("each kind of user block has its own part, in order, in one message", () => {
  const content: ResponseInputContent[] = [
    { type: "input_text", text: "lük" },
    { type: "input_image", detail: "auto", image_url: "data:image/png;base64,AAEC" },
    {
      type: "input_file",
      filename: "a.pdf",
      file_data: "data:application/pdf;base64,AAEC",
    },
  ];
  const items = encodeUser(
    asOrigins([text("lük"), media("image/png"), media("application/pdf", "a.pdf")]),
  );
  assert.deepEqual(items.flatMap(traced), [...content.entries()]);
  const frames = new Set(items.map(({ frame }) => `${frame?.open}…${frame?.close}`));
  assert.deepEqual([...frames], ['{"type":"message","role":"user","content":[…]}']);
});

test("the media that have a form are images and PDF", () => {
  const taken = ["image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf"];
  assert.deepEqual([...taken, "audio/wav", "image/tiff", "text/plain"].filter(encodes), taken);
});

test("a step is items in the model's order: reasoning, text with its phase, calls, then results", () => {
  const expected: ResponseInputItem[] = [
    {
      type: "reasoning",
      id: "rs_1",
      summary: [{ type: "summary_text", text: "Hm." }],
      encrypted_content: "secret of rs_1",
    },
    { type: "message", role: "assistant", content: "Both.", phase: "commentary" },
    { type: "function_call", call_id: "c1", name: "read", arguments: '{"path":"c1"}' },
    { type: "function_call", call_id: "c2", name: "read", arguments: '{"path":"c2"}' },
    { type: "function_call_output", call_id: "c1", output: "one" },
    { type: "function_call_output", call_id: "c2", output: "two" },
  ];
  const said = text("Both.", { itemId: "msg_1", phase: "commentary" });
  const items = step(
    [thought("Hm.", "rs_1"), said, call("c1"), call("c2")],
    [result("c1", [text("one")]), result("c2", [text("two")])],
  );
  assert.deepEqual(jsonOf(items), expected);
  assert.deepEqual(
    items.flatMap(traced),
    [0, 1, 2, 3, 10, 11].map((part, index) => [part, expected[index]]),
  );
});

test("the blocks of one reasoning item become one item again, a part of its summary each", () => {
  const parts = [
    { type: "summary_text", text: "A" },
    { type: "summary_text", text: "B" },
  ] as const;
  const [first, second] = step([
    thought("A", "rs_1"),
    thought("B", "rs_1"),
    thought("C", "rs_2"),
    text("x"),
  ]);
  assert.deepEqual(first && jsonOf([first]), [
    { type: "reasoning", id: "rs_1", summary: parts, encrypted_content: "secret of rs_1" },
  ]);
  assert.deepEqual(first && traced(first), [...parts.entries()]);
  assert.partialDeepStrictEqual(second && jsonOf([second])[0], { id: "rs_2" });
});

test("reasoning without a summary has an empty one", () => {
  const [item] = step([thought("", "rs_1"), text("x")]);
  const expected = {
    type: "reasoning",
    id: "rs_1",
    summary: [],
    encrypted_content: "secret of rs_1",
  };
  assert.deepEqual(item && traced(item), [[0, expected]]);
});

test("reasoning at the end of a step is an item too: lowering says what may end one", () => {
  const types = step([text("x"), thought("Hm.", "rs_1")]).map(({ json }) => JSON.parse(json).type);
  assert.deepEqual(types, ["message", "reasoning"]);
});

test("only reasoning with its id and its encrypted content is signed", () => {
  const whole = { itemId: "rs_1", reasoningEncryptedContent: "gAAA" };
  assert.equal(openAiResponses.signed(whole), whole);
  assert.equal(openAiResponses.signed({ itemId: "rs_1" }), undefined);
  assert.equal(openAiResponses.signed({ ...whole, itemId: null }), undefined);
  assert.equal(openAiResponses.signed({ signature: "s" }), undefined);
});

test("a result is a text, a list where it holds media, and a failure says so first", () => {
  const outputOf = (block: ToolResultBlock): unknown =>
    JSON.parse(step([call("c")], [block])[1]?.json ?? "").output;
  const list: ResponseFunctionCallOutputItem[] = [
    { type: "input_text", text: "seen" },
    { type: "input_image", detail: "auto", image_url: "data:image/png;base64,AAEC" },
    {
      type: "input_file",
      filename: "document.pdf",
      file_data: "data:application/pdf;base64,AAEC",
    },
  ];
  assert.equal(outputOf(result("c", [text("a"), text("b")])), "a\nb");
  assert.equal(outputOf(result("c", [text("no such file")], true)), "[error]\nno such file");
  assert.deepEqual(
    outputOf(result("c", [text("seen"), media("image/png"), media("application/pdf")])),
    list,
  );
  assert.deepEqual(outputOf(result("c", [media("image/png")], true)), [
    { type: "input_text", text: "[error]" },
    list[1],
  ]);
});

test("media that a result could not hold follow the results, in the user's voice", () => {
  const items = step([call("c")], [result("c", [text("x")])], [media("image/png")]);
  assert.equal(items[2]?.frame?.key, "user");
  assert.deepEqual(
    items[2]?.traces.map(({ part }) => part),
    [20],
  );
});
