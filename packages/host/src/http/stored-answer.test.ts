/** What a stored answer says again is folded by the AI SDK's own reader into the same parts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AssistantPart } from "@galley/parts";
import { readUIMessageStream, type UIMessage, type UIMessageChunk, uiMessageChunkSchema } from "ai";
import { partChunks } from "./stored-answer.ts";

async function folded(parts: readonly AssistantPart[]): Promise<UIMessage["parts"]> {
  const chunks = [{ type: "start" }, ...partChunks(parts)] as UIMessageChunk[];
  const { validate } = uiMessageChunkSchema();
  for (const chunk of chunks) {
    const checked = await validate?.(chunk);
    assert.equal(checked?.success, true, JSON.stringify(chunk));
  }
  let last: UIMessage["parts"] = [];
  for await (const { parts: read } of readUIMessageStream({
    stream: ReadableStream.from(chunks),
  })) {
    last = structuredClone(read);
  }
  // The reader gives a reasoning part the id of its chunks, which no row keeps.
  return JSON.parse(
    JSON.stringify(last, (key, value) => (key === "id" && isOurs(value) ? undefined : value)),
  );
}

const isOurs = (id: unknown): boolean => String(id).startsWith("stored-");

const call = (state: string, rest: object): AssistantPart =>
  ({ type: "tool-read", toolCallId: `c-${state}`, state, ...rest }) as AssistantPart;

const PARTS: readonly AssistantPart[] = [
  { type: "step-start" },
  { type: "reasoning", text: "hm", state: "done", providerMetadata: { a: { s: "1" } } },
  { type: "text", text: "one", state: "done" },
  { type: "text", text: "", state: "done" },
  call("input-available", { input: { a: 1 } }),
  call("output-available", { input: {}, output: { type: "output", data: 1 } }),
  call("output-error", { input: {}, errorText: "no" }),
  call("approval-requested", { input: {}, approval: { id: "ap-1" } }),
  call("approval-responded", { input: {}, approval: { id: "ap-2", approved: true } }),
  call("output-denied", { input: {}, approval: { id: "ap-3", approved: false } }),
  { type: "file", mediaType: "image/png", url: "data:image/png;base64,AAAA" },
  { type: "source-url", sourceId: "s", url: "https://example.com/" },
  { type: "source-document", sourceId: "d", mediaType: "text/plain", title: "T" },
  { type: "data-note", data: { x: 1 } },
  { type: "text", text: "two", state: "streaming" },
];

// A step alone is not shown before something is said in it.
for (const part of PARTS.slice(1)) {
  const name = "state" in part ? `${part.type} ${part.state}` : part.type;
  test(`a part ${name} comes back as it was`, async () => {
    assert.deepEqual(await folded([part]), [part]);
  });
}

test("all of them together keep their order", async () => {
  assert.deepEqual(await folded(PARTS), PARTS);
});

test("a dynamic call, an input cut short and an unknown part lose nothing", async () => {
  const dynamic: AssistantPart = {
    type: "dynamic-tool",
    toolName: "x",
    toolCallId: "c1",
    state: "output-available",
    input: {},
    output: 1,
  };
  assert.deepEqual(await folded([dynamic]), [dynamic]);
  const [cut] = await folded([call("input-streaming", { rawInput: '{"a":1' })]);
  assert.deepEqual(cut && "input" in cut && cut.input, { a: 1 });
  const [wrong] = await folded([call("output-error", { rawInput: "nope", errorText: "bad" })]);
  assert.equal(wrong && "state" in wrong && wrong.state, "output-error");
  const [foreign] = await folded([{ type: "x-future", y: 1 }]);
  assert.deepEqual(foreign, { type: "data-galley", data: { type: "x-future", y: 1 } });
});
