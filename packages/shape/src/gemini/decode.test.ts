import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeWith, metadata, reasonOf, recordingIn } from "../replay.test.ts";
import { decoding } from "./decode.ts";

const recording = recordingIn(new URL("recordings/", import.meta.url));
const decode = decodeWith(decoding);

const signed = (thoughtSignature: string) => ({ google: { thoughtSignature } });

test("a text is one block, and a signature that comes after it stands on its end", () => {
  assert.deepEqual(decode(recording("text")), [
    { type: "start-step" },
    { type: "text-start", id: "0" },
    { type: "text-delta", id: "0", delta: "The capital" },
    { type: "text-delta", id: "0", delta: " of Norway is Oslo." },
    { type: "text-end", id: "0", providerMetadata: signed("EskDCsYDAXLI2ny") },
    metadata(
      { input: 8, output: 8, reasoning: 55, cache_read: 4 },
      { model: "gemini-3.8-flash", response_id: "8yIYaZ2XJ5Gf", finish_reason: "stop" },
    ),
    { type: "finish-step" },
  ]);
});

test("thoughts are reasoning, and text after a signature is a block of its own", () => {
  assert.deepEqual(decode(recording("reasoning")), [
    { type: "start-step" },
    { type: "reasoning-start", id: "0" },
    { type: "reasoning-delta", id: "0", delta: "**Weighing the options**\n\nThe user wants" },
    { type: "reasoning-delta", id: "0", delta: " the shorter route.\n" },
    { type: "reasoning-end", id: "0" },
    { type: "text-start", id: "1" },
    { type: "text-delta", id: "1", delta: "Take the" },
    { type: "text-end", id: "1", providerMetadata: signed("CtQBAb4+9vu") },
    { type: "text-start", id: "2" },
    { type: "text-delta", id: "2", delta: " coast road." },
    { type: "text-end", id: "2" },
    metadata(
      { input: 40, output: 5, reasoning: 80 },
      { model: "gemini-4-argon", response_id: "mC4YabO7D9ih", finish_reason: "stop" },
    ),
    { type: "finish-step" },
  ]);
});

test("parallel calls get ids from the response, and a stop after calls is for the tools", () => {
  const first = { toolCallId: "call_Qj0Yac_kLYm1_0", toolName: "read_file" };
  const second = { toolCallId: "call_Qj0Yac_kLYm1_1", toolName: "read_file" };
  const third = { toolCallId: "call_Qj0Yac_kLYm1_2", toolName: "list_tools" };
  assert.deepEqual(decode(recording("parallel-calls")), [
    { type: "start-step" },
    { type: "text-start", id: "0" },
    { type: "text-delta", id: "0", delta: "I look at both files." },
    { type: "text-end", id: "0" },
    { type: "tool-input-start", ...first },
    {
      type: "tool-input-available",
      ...first,
      input: { path: "src/a.ts" },
      providerMetadata: signed("CpICAXLI2nx"),
    },
    { type: "tool-input-start", ...second },
    { type: "tool-input-available", ...second, input: { path: "src/b.ts" } },
    { type: "tool-input-start", ...third },
    { type: "tool-input-available", ...third, input: {} },
    metadata(
      { input: 310, output: 44, reasoning: 64 },
      { model: "gemini-3.8-flash", response_id: "Qj0Yac_kLYm1", finish_reason: "tool-calls" },
    ),
    { type: "finish-step" },
  ]);
});

test("a call keeps the id that the provider gave it", () => {
  const made = decode(recording("call-with-id"));
  assert.deepEqual(made.slice(1, 3), [
    { type: "tool-input-start", toolCallId: "fc_91ab", toolName: "weather" },
    {
      type: "tool-input-available",
      toolCallId: "fc_91ab",
      toolName: "weather",
      input: { city: "Oslo", days: 2 },
      providerMetadata: signed("EoYFCoMFAb4"),
    },
  ]);
});

test("without a response id, calls are numbered within the stream", () => {
  const functionCall = { name: "f", args: {} };
  const event = JSON.stringify({ candidates: [{ content: { parts: [{ functionCall }] } }] });
  const ids = decode([event, event]).flatMap((chunk) =>
    chunk.type === "tool-input-available" ? [chunk.toolCallId] : [],
  );
  assert.deepEqual(ids, ["call_0", "call_1"]);
});

test("a text ends with the event that gives the reason to stop, not only with the stream", () => {
  const candidate = { content: { parts: [{ text: "x" }] }, finishReason: "STOP" };
  const [, made] = decoding.push({ data: JSON.stringify({ candidates: [candidate] }) });
  assert.deepEqual(made.at(-1), { type: "text-end", id: "0" });
});

test("a call in pieces, which nobody asked for, is kept as data and not run", () => {
  const part = { functionCall: { name: "f", partialArgs: [{ jsonPath: "$.a", numberValue: 1 }] } };
  const event = { candidates: [{ content: { parts: [part] }, finishReason: "STOP" }] };
  assert.deepEqual(decode([JSON.stringify(event)]), [
    { type: "start-step" },
    metadata({}, { unread_parts: [part], finish_reason: "stop" }),
    { type: "finish-step" },
  ]);
});

test("a blocked prompt is an error that says why, with its tokens", () => {
  assert.deepEqual(decode(recording("blocked-prompt")), [
    { type: "start-step" },
    metadata(
      { input: 31 },
      { model: "gemini-3.8-flash", response_id: "5FAYaefrM4a_", finish_reason: "content-filter" },
    ),
    { type: "error", errorText: "the provider blocked the prompt: PROHIBITED_CONTENT" },
  ]);
});

test("feedback on a prompt that was answered all the same does not make the answer an error", () => {
  const feedback = { promptFeedback: { blockReason: "BLOCKED_REASON_UNSPECIFIED" } };
  const made = decode([JSON.stringify(feedback), ...recording("text")]);
  assert.deepEqual(made, decode(recording("text")));
});

test("an answer that a filter stopped keeps what was said", () => {
  assert.deepEqual(decode(recording("safety")), [
    { type: "start-step" },
    { type: "text-start", id: "0" },
    { type: "text-delta", id: "0", delta: "To begin with," },
    { type: "text-end", id: "0" },
    metadata(
      { input: 22, output: 4 },
      { model: "gemini-3.8-flash", response_id: "p1EYaZ38C4yx", finish_reason: "content-filter" },
    ),
    { type: "finish-step" },
  ]);
});

test("an answer that a filter stopped before its first word is an error", () => {
  const event = JSON.stringify({ candidates: [{ finishReason: "RECITATION" }] });
  assert.deepEqual(decode([event]), [
    { type: "start-step" },
    metadata({}, { finish_reason: "content-filter" }),
    { type: "error", errorText: "the model stopped without an answer: RECITATION" },
  ]);
});

test("a call that the provider could not read is an error with the provider's words", () => {
  const said = 'Malformed function call: print(default_api.read_file(path="a.ts"))';
  assert.deepEqual(decode(recording("malformed-call")), [
    { type: "start-step" },
    metadata(
      { input: 402 },
      {
        model: "gemini-3.8-flash",
        response_id: "JlIYaa2VH_fh",
        finish_message: said,
        finish_reason: "error",
      },
    ),
    {
      type: "error",
      errorText: `the model stopped without an answer: MALFORMED_FUNCTION_CALL: ${said}`,
    },
  ]);
});

test("an error in the stream closes the text, keeps the tokens, and ends the stream", () => {
  const late = recording("text")[0] ?? "";
  assert.deepEqual(decode([...recording("error"), late]), [
    { type: "start-step" },
    { type: "text-start", id: "0" },
    { type: "text-delta", id: "0", delta: "Once upon" },
    { type: "text-end", id: "0" },
    metadata(
      { input: 9, output: 2 },
      { model: "gemini-3.8-flash", response_id: "hFIYadnnB8uN", finish_reason: "error" },
    ),
    {
      type: "error",
      errorText: "UNAVAILABLE: The model is overloaded. Please try again later.",
    },
  ]);
});

test("a stream that ends early closes its text and says so", () => {
  assert.deepEqual(decode(recording("cut")).slice(-3), [
    { type: "text-end", id: "1" },
    metadata(
      { input: 15, output: 4, reasoning: 25 },
      { model: "gemini-4-argon", response_id: "1VIYaZjlG6mX" },
    ),
    { type: "error", errorText: "the stream ended before the answer was complete" },
  ]);
  assert.deepEqual(decode([]), [
    { type: "error", errorText: "the stream ended before the answer was complete" },
  ]);
});

test("pictures are files, sources come once, and parts nobody asked for are kept as data", () => {
  assert.deepEqual(decode(recording("picture-and-code")), [
    { type: "start-step" },
    { type: "text-start", id: "0" },
    { type: "text-delta", id: "0", delta: "Here it is:" },
    { type: "text-end", id: "0" },
    {
      type: "file",
      url: "data:image/png;base64,iVBORw0KGgo=",
      mediaType: "image/png",
      providerMetadata: signed("EtQCCtECAb4"),
    },
    {
      type: "source-url",
      sourceId: "https://example.org/sums",
      url: "https://example.org/sums",
      title: "Sums",
    },
    { type: "text-start", id: "1" },
    { type: "text-delta", id: "1", delta: "Four." },
    { type: "text-end", id: "1" },
    metadata(
      { input: 32, output: 1310 },
      {
        model: "gemini-3-pro-image",
        response_id: "KlMYaZWLGOaE",
        unread_parts: [
          { executableCode: { language: "PYTHON", code: "print(2 + 2)" } },
          { codeExecutionResult: { outcome: "OUTCOME_OK", output: "4\n" } },
        ],
        finish_reason: "stop",
      },
    ),
    { type: "finish-step" },
  ]);
});

test("each reason to stop has its word, and a new one is `other`", () => {
  const reasons: Record<string, string> = {
    STOP: "stop",
    MAX_TOKENS: "length",
    CONTINUATION: "length",
    SAFETY: "content-filter",
    SPII: "content-filter",
    IMAGE_SAFETY: "content-filter",
    UNEXPECTED_TOOL_CALL: "error",
    OTHER: "other",
    LANGUAGE: "other",
    NOT_YET_INVENTED: "other",
    toString: "other",
  };
  for (const [finishReason, expected] of Object.entries(reasons)) {
    const event = { candidates: [{ content: { parts: [{ text: "x" }] }, finishReason }] };
    assert.equal(reasonOf(decode([JSON.stringify(event)])), expected, finishReason);
  }
});
