import assert from "node:assert/strict";
import { test } from "node:test";
import { AssistantPart, type StepMetadata, type UiChunk } from "@galley/parts";
import { readUIMessageStream, type UIMessage, type UIMessageChunk } from "ai";
import { createAnswer } from "./answer.ts";

function fold(chunks: readonly UiChunk[], earlier: readonly AssistantPart[] = []) {
  const answer = createAnswer(earlier);
  const changed = chunks.map((chunk) => answer.take(chunk));
  return { answer, changed, parts: answer.parts };
}

const usage = (input: number, output: number) => ({
  input,
  output,
  reasoning: 1,
  cache_read: 2,
  cache_write: 3,
});
const call = { toolCallId: "c1", toolName: "read" };

test("text and reasoning grow from start to end, each under its own id", () => {
  const { parts, changed } = fold([
    { type: "reasoning-start", id: "0" },
    { type: "text-start", id: "0" },
    { type: "text-delta", id: "0", delta: "Hel" },
    { type: "reasoning-delta", id: "0", delta: "hm" },
    { type: "text-delta", id: "0", delta: "lo" },
    { type: "reasoning-end", id: "0" },
  ]);
  assert.deepEqual(changed, [[0], [1], [1], [0], [1], [0]]);
  assert.deepEqual(parts, [
    { type: "reasoning", text: "hm", state: "done" },
    { type: "text", text: "Hello", state: "streaming" },
  ]);
});

test("an id that is used again begins another text, and the one before is done", () => {
  const { parts, changed } = fold([
    { type: "text-start", id: "0" },
    { type: "text-delta", id: "0", delta: "a" },
    { type: "text-start", id: "0" },
    { type: "text-delta", id: "0", delta: "b" },
  ]);
  assert.deepEqual(changed, [[0], [0], [0, 1], [1]]);
  assert.deepEqual(parts, [
    { type: "text", text: "a", state: "done" },
    { type: "text", text: "b", state: "streaming" },
  ]);
});

test("what came without a beginning is kept, and an end of nothing changes nothing", () => {
  const { parts, changed } = fold([
    { type: "text-delta", id: "9", delta: "lost?" },
    { type: "text-end", id: "8" },
    { type: "reasoning-end", id: "8", providerMetadata: { anthropic: { signature: "s" } } },
    { type: "tool-input-delta", toolCallId: "c8", inputTextDelta: "{" },
    { type: "tool-output-available", toolCallId: "c9", output: { type: "output", data: 1 } },
  ]);
  assert.deepEqual(changed, [[0], [], [1], [2], [3]]);
  assert.deepEqual(parts, [
    { type: "text", text: "lost?", state: "streaming" },
    {
      type: "reasoning",
      text: "",
      state: "done",
      providerMetadata: { anthropic: { signature: "s" } },
    },
    { type: "tool-unknown", toolCallId: "c8", state: "input-streaming", rawInput: "{" },
    {
      type: "tool-unknown",
      toolCallId: "c9",
      state: "output-available",
      output: { type: "output", data: 1 },
    },
  ]);
});

test("a provider's records are joined key by key, and the later one wins", () => {
  const { parts } = fold([
    { type: "text-start", id: "0", providerMetadata: { a: { x: 1, y: 1 }, b: { z: 1 } } },
    { type: "text-delta", id: "0", delta: "t", providerMetadata: { a: { y: 2 } } },
    { type: "text-end", id: "0", providerMetadata: { c: { w: 3 } } },
  ]);
  const providerMetadata = { a: { x: 1, y: 2 }, b: { z: 1 }, c: { w: 3 } };
  assert.deepEqual(parts, [{ type: "text", text: "t", state: "done", providerMetadata }]);
});

test("a call goes through its states in one part", () => {
  const answer = createAnswer();
  const seen = (
    [
      { type: "tool-input-start", ...call },
      { type: "tool-input-delta", toolCallId: "c1", inputTextDelta: '{"path":' },
      { type: "tool-input-available", ...call, input: { path: "a" } },
      { type: "tool-approval-request", toolCallId: "c1", approvalId: "ap1", reason: "it reads" },
      { type: "tool-output-available", toolCallId: "c1", output: 1, preliminary: true },
      { type: "tool-output-available", toolCallId: "c1", output: 2 },
    ] as const
  ).map((chunk) => {
    answer.take(chunk);
    return answer.parts[0];
  });
  const part = { type: "tool-read", toolCallId: "c1" };
  const input = { path: "a" };
  const approval = { id: "ap1", requestReason: "it reads" };
  assert.deepEqual(seen, [
    { ...part, state: "input-streaming" },
    { ...part, state: "input-streaming", rawInput: '{"path":' },
    { ...part, state: "input-available", input },
    { ...part, state: "approval-requested", input, approval },
    { ...part, state: "output-available", input, approval, output: 1, preliminary: true },
    { ...part, state: "output-available", input, approval, output: 2 },
  ]);
  for (const each of seen) assert.equal(AssistantPart.safeParse(each).success, true);
});

test("a call that is cut off keeps what was written of its input, in whatever way it ends", () => {
  const cut: UiChunk[] = [
    { type: "tool-input-start", ...call },
    { type: "tool-input-delta", toolCallId: "c1", inputTextDelta: '{"pa' },
  ];
  const frozen = createAnswer();
  for (const chunk of cut) frozen.take(chunk);
  assert.deepEqual(frozen.settle(), []);
  const part = { type: "tool-read", toolCallId: "c1", rawInput: '{"pa' };
  assert.deepEqual(frozen.parts, [{ ...part, state: "input-streaming" }]);
  const { parts } = fold([
    ...cut,
    { type: "tool-output-error", toolCallId: "c1", errorText: "no" },
  ]);
  assert.deepEqual(parts, [{ ...part, state: "output-error", errorText: "no" }]);
});

test("an input that is no object is kept beside the call, not as its input", () => {
  const failed = (input: never) =>
    fold([{ type: "tool-input-error", ...call, input, errorText: "bad" }]).parts[0];
  const part = { type: "tool-read", toolCallId: "c1", state: "output-error", errorText: "bad" };
  assert.deepEqual(failed("{oops" as never), { ...part, rawInput: "{oops" });
  assert.deepEqual(failed([1] as never), { ...part, rawInput: [1] });
  assert.deepEqual(failed({ a: 1 } as never), { ...part, input: { a: 1 } });
});

test("a chunk of a later version is a part as it came", () => {
  const chunk = { type: "data-chart", data: { bars: 3 } } as unknown as UiChunk;
  assert.deepEqual(fold([chunk]).parts, [{ type: "data-chart", data: { bars: 3 } }]);
});

test("at the end open texts are done and calls stay as they are", () => {
  const { answer } = fold([
    { type: "text-delta", id: "0", delta: "half a" },
    { type: "tool-input-available", ...call, input: {} },
  ]);
  assert.deepEqual(answer.settle(), [0]);
  assert.deepEqual(answer.parts, [
    { type: "text", text: "half a", state: "done" },
    { type: "tool-read", toolCallId: "c1", state: "input-available", input: {} },
  ]);
});

test("a continued answer goes on after the parts it had, and finds its calls", () => {
  const earlier = fold([
    { type: "start-step" },
    { type: "tool-input-available", ...call, input: {} },
  ]).parts;
  const { parts, changed } = fold(
    [
      { type: "tool-output-denied", toolCallId: "c1" },
      { type: "start-step" },
      { type: "text-delta", id: "0", delta: "then" },
    ],
    earlier,
  );
  assert.deepEqual(changed, [[1], [2], [3]]);
  assert.deepEqual(parts[1], { ...earlier[1], state: "output-denied" });
  assert.equal(earlier[1]?.state, "input-available");
});

test("a look is a picture: it does not change, and what did not change is the same object", () => {
  const answer = createAnswer();
  answer.take({ type: "text-delta", id: "0", delta: "a" });
  answer.take({ type: "text-end", id: "0" });
  answer.take({ type: "text-delta", id: "1", delta: "b" });
  const before = answer.parts;
  assert.equal(answer.parts, before);
  answer.take({ type: "text-delta", id: "1", delta: "c" });
  assert.equal(answer.parts[1]?.text, "bc");
  assert.deepEqual(
    before.map((part) => part.text),
    ["a", "b"],
  );
  assert.equal(answer.parts[0], before[0]);
});

test("tokens are summed over steps, lists grow, the rest is what the last step said", () => {
  const step = (about: StepMetadata): UiChunk[] => [
    { type: "start-step" },
    { type: "message-metadata", messageMetadata: about },
    { type: "finish-step" },
  ];
  const { answer } = fold([
    { type: "start", messageMetadata: { agent: "a" } },
    ...step({ usage: usage(10, 1), model: "m-1", response_id: "r1", finish_reason: "tool-calls" }),
    ...step({ usage: usage(20, 2), unread_parts: [1], response_id: "r2", finish_reason: "stop" }),
    { type: "message-metadata", messageMetadata: { usage: usage(30, 3), unread_parts: [2] } },
    ...step({ usage: usage(0, 5), unread_parts: [3] }),
    { type: "error", errorText: "cut" },
  ]);
  assert.deepEqual(answer.metadata, {
    agent: "a",
    usage: { input: 40, output: 9, reasoning: 3, cache_read: 6, cache_write: 9 },
    last_usage: usage(0, 5),
    response_model: "m-1",
    response_id: "r2",
    finish_reason: undefined,
    unread_parts: [2, 3],
    error: "cut",
  });
});

test("a step that knows nothing of its tokens leaves the last known use", () => {
  const none = { input: 0, output: 0, reasoning: 0, cache_read: 0, cache_write: 0 };
  const { answer } = fold([
    { type: "message-metadata", messageMetadata: { usage: usage(7, 7) } },
    { type: "start-step" },
    { type: "message-metadata", messageMetadata: { usage: none } },
  ]);
  assert.deepEqual(answer.metadata.last_usage, usage(7, 7));
});

test("the parts are those that the AI SDK builds from the same chunks", async () => {
  const chunks: UiChunk[] = [
    { type: "start", messageId: "msg_a" },
    { type: "start-step" },
    { type: "reasoning-start", id: "0" },
    { type: "reasoning-delta", id: "0", delta: "think" },
    { type: "reasoning-end", id: "0", providerMetadata: { anthropic: { signature: "s" } } },
    { type: "text-start", id: "1" },
    { type: "text-delta", id: "1", delta: "one " },
    { type: "text-delta", id: "1", delta: "two" },
    { type: "text-end", id: "1" },
    { type: "tool-input-start", toolCallId: "ok", toolName: "read" },
    { type: "tool-input-delta", toolCallId: "ok", inputTextDelta: '{"path":"a"}' },
    { type: "tool-input-available", toolCallId: "ok", toolName: "read", input: { path: "a" } },
    { type: "tool-input-available", toolCallId: "err", toolName: "grep", input: { q: "x" } },
    {
      type: "tool-input-error",
      toolCallId: "bad",
      toolName: "glob",
      input: {},
      errorText: "shape",
    },
    { type: "tool-input-available", toolCallId: "no", toolName: "bash", input: { cmd: "rm" } },
    { type: "tool-input-available", toolCallId: "dyn", toolName: "mcp", input: {}, dynamic: true },
    { type: "tool-approval-request", toolCallId: "no", approvalId: "ap1", reason: "it writes" },
    { type: "tool-output-available", toolCallId: "ok", output: { type: "output", data: 1 } },
    { type: "tool-output-error", toolCallId: "err", errorText: "gone" },
    { type: "tool-output-denied", toolCallId: "no" },
    { type: "finish-step" },
    { type: "start-step" },
    { type: "file", url: "data:image/png;base64,AA==", mediaType: "image/png" },
    { type: "source-url", sourceId: "s1", url: "https://example.com/", title: "An example" },
    { type: "text-start", id: "1" },
    { type: "text-delta", id: "1", delta: "cut" },
    { type: "tool-input-start", toolCallId: "cut", toolName: "read" },
    { type: "finish", finishReason: "stop" },
  ];
  const stream = ReadableStream.from<UIMessageChunk>(chunks as UIMessageChunk[]);
  let last: UIMessage | undefined;
  for await (const message of readUIMessageStream({ stream })) last = message;
  // Its reasoning parts have an id, and its parts keys that are undefined.
  const theirs = last?.parts.map((part) => {
    const { id: _, ...rest } = part as { readonly id?: string };
    return JSON.parse(JSON.stringify(part.type === "reasoning" ? rest : part));
  });
  assert.equal(theirs?.length, 13);
  assert.deepEqual(fold(chunks).parts, theirs);
});
