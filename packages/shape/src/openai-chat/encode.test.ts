import assert from "node:assert/strict";
import { test } from "node:test";
// What is written here and does not exist in the API fails to compile.
import type {
  ChatCompletionContentPart,
  ChatCompletionMessageFunctionToolCall,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import type { AnswerBlock, Origin, ToolResultBlock, UserBlock } from "../block.ts";
import type { WireItem } from "../protocol.ts";
import { encodeStep, encodes, encodeUser } from "./encode.ts";
import { openAiChat } from "./protocol.ts";

const asOrigins = <B extends Origin["block"]>(blocks: readonly B[], from = 0): Origin<B>[] =>
  blocks.map((block, index) => ({ part: from + index, block }));

const user = (...blocks: UserBlock[]): WireItem[] => encodeUser(asOrigins(blocks));

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

/** The items as the messages that the wire carries. */
function messagesOf(items: readonly WireItem[]): unknown {
  let wire = "";
  items.forEach(({ frame, json }, index) => {
    const before = items[index - 1];
    const shared = frame !== undefined && before?.frame?.key === frame.key;
    if (before) wire += shared ? "," : `${before.frame?.close ?? ""},`;
    wire += shared ? json : `${frame?.open ?? ""}${json}`;
  });
  return JSON.parse(`[${wire}${items.at(-1)?.frame?.close ?? ""}]`);
}

/** What each part became: the value between its marks. */
const traced = (item: WireItem | undefined): [number, unknown][] =>
  (item?.traces ?? []).map(({ part, start, end }) => [
    part,
    JSON.parse(item?.json.slice(start, end) ?? ""),
  ]);

const text = (value: string) => ({ type: "text", text: value }) as const;
const media = (mime: string, name?: string) =>
  ({ type: "media", mime, base64: "AAEC", ...(name && { name }) }) as const;
const call = (id: string, input: unknown): AnswerBlock => ({
  type: "tool-call",
  id,
  name: "read",
  input,
});
const result = (
  id: string,
  content: ToolResultBlock["content"],
  isError = false,
): ToolResultBlock => ({ type: "tool-result", id, name: "read", content, isError });

test("each kind of user block has its own part, in order, in one message", () => {
  const content: ChatCompletionContentPart[] = [
    { type: "text", text: "look" },
    { type: "image_url", image_url: { url: "data:image/png;base64,AAEC" } },
    { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,AAEC" } },
    { type: "input_audio", input_audio: { data: "AAEC", format: "mp3" } },
    { type: "input_audio", input_audio: { data: "AAEC", format: "wav" } },
  ];
  const items = user(
    text("look"),
    media("image/png"),
    media("application/pdf", "a.pdf"),
    media("audio/mpeg"),
    media("audio/x-wav"),
  );
  assert.deepEqual(messagesOf(items), [{ role: "user", content }]);
  assert.deepEqual(items.flatMap(traced), [...content.entries()]);
});

test("a file without a name gets one, and a name stays on its line", () => {
  const names = user(media("application/pdf"), media("application/pdf", "a\nb.pdf")).map(
    ({ json }) => JSON.parse(json).file.filename,
  );
  assert.deepEqual(names, ["document.pdf", "a\\u000ab.pdf"]);
});

test("the media that have a form are images, PDF and two kinds of audio, under any of their names", () => {
  const taken = ["image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf"];
  const audio = ["audio/wav", "audio/x-wav", "audio/mpeg", "audio/mp3"];
  assert.deepEqual([...taken, ...audio].filter(encodes), [...taken, ...audio]);
  assert.deepEqual(["image/tiff", "audio/ogg", "video/mp4", "text/plain"].filter(encodes), []);
});

test("a step is one message, in which the text and each call is found again", () => {
  const calls: ChatCompletionMessageFunctionToolCall[] = [
    { id: "c1", type: "function", function: { name: "read", arguments: '{"path":"ä.ts"}' } },
    { id: "c2", type: "function", function: { name: "read", arguments: "{}" } },
  ];
  const messages: ChatCompletionMessageParam[] = [
    { role: "assistant", content: "Both «files».", tool_calls: calls },
    { role: "tool", tool_call_id: "c1", content: "one" },
    { role: "tool", tool_call_id: "c2", content: "two" },
  ];
  const items = step(
    [text("Both «files»."), call("c1", { path: "ä.ts" }), call("c2", {})],
    [result("c1", [text("one")]), result("c2", [text("two")])],
  );
  assert.deepEqual(messagesOf(items), messages);
  assert.deepEqual(traced(items[0]), [
    [0, "Both «files»."],
    [1, calls[0]],
    [2, calls[1]],
  ]);
  assert.deepEqual(traced(items[2]), [[11, messages[2]]]);
});

test("several texts are parts, and calls alone leave the content null", () => {
  const parts = [
    { type: "text", text: "a" },
    { type: "text", text: "b" },
  ] as const;
  const several = step([text("a"), text("b")]);
  assert.deepEqual(messagesOf(several), [{ role: "assistant", content: parts }]);
  assert.deepEqual(several.flatMap(traced), [...parts.entries()]);
  const [alone] = step([call("c1", {})]);
  assert.equal(JSON.parse(alone?.json ?? "").content, null);
});

test("arguments are always the text of an object", () => {
  const argumentsFor = (input: unknown): unknown =>
    JSON.parse(step([call("c", input)])[0]?.json ?? "").tool_calls[0].function.arguments;
  assert.equal(argumentsFor('{"pa'), '{"value":"{\\"pa"}');
  assert.equal(argumentsFor([1]), '{"value":[1]}');
  assert.equal(argumentsFor({ a: "\ud800" }), '{"a":"\\ufffd"}');
});

test("ids and names that the API refuses are fitted, the same way in call and result", () => {
  const [answer, tool] = step(
    [call("functions.read:0", {})],
    [result("functions.read:0", [text("x")])],
  );
  const id = JSON.parse(tool?.json ?? "").tool_call_id;
  assert.match(id, /^[A-Za-z0-9_-]{1,64}$/);
  assert.equal(JSON.parse(answer?.json ?? "").tool_calls[0].id, id);
});

test("a result is one text, and a failure says so in its first line", () => {
  const contentOf = (block: ToolResultBlock): unknown =>
    JSON.parse(step([call("c", {})], [block])[1]?.json ?? "").content;
  assert.equal(contentOf(result("c", [text("a"), text("b")])), "a\nb");
  assert.equal(contentOf(result("c", [text("no such file")], true)), "[error]\nno such file");
});

test("media of results follow all the results, in the user's voice", () => {
  const items = step(
    [call("c1", {}), call("c2", {})],
    [result("c1", [media("image/png")]), result("c2", [text("two")])],
    [media("image/gif")],
  );
  const image = (mime: string) => ({
    type: "image_url",
    image_url: { url: `data:${mime};base64,AAEC` },
  });
  assert.deepEqual((messagesOf(items) as unknown[]).slice(1), [
    { role: "tool", tool_call_id: "c1", content: "[image/png: see the next message]" },
    { role: "tool", tool_call_id: "c2", content: "two" },
    { role: "user", content: [image("image/png"), image("image/gif")] },
  ]);
  assert.deepEqual(items.slice(3).map(traced), [
    [[10, image("image/png")]],
    [[20, image("image/gif")]],
  ]);
});

test("no record proves reasoning, because there is no place to send it", () => {
  const metadata = { itemId: "rs_1", reasoningEncryptedContent: "gAAA" };
  assert.equal(openAiChat.signed(metadata), undefined);
});
