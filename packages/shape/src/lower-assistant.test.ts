/** One stored answer becomes the model calls it was made of; every call leaves with its result. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AssistantPart } from "@galley/parts";
import { type AnswerTarget, lowerAssistant } from "./lower-assistant.ts";

const target: AnswerTarget = {
  namespace: "test",
  inlineTextBytes: 100,
  toolResultMedia: false,
  refuses: (mime) => (mime === "image/png" ? undefined : "no"),
  signed: (metadata) => (metadata.seal === "ok" ? metadata : undefined),
  answerMedia: (mime) => mime === "image/png",
};
const lower = (parts: readonly AssistantPart[], elided?: Record<number, string>) =>
  lowerAssistant({ role: "assistant", parts, ...(elided && { elided }) }, target);

const text = (value: string): AssistantPart => ({ type: "text", text: value });
const tool = (toolCallId: string, output: string): AssistantPart => ({
  type: "tool-read",
  toolCallId,
  state: "output-available",
  input: { path: toolCallId },
  output,
});
const STEP: AssistantPart = { type: "step-start" };
const PNG = btoa("\x89PNG\r\n\x1a\n..");

/** Each step in a line: what was said and called, then what came back. */
const drawn = (parts: readonly AssistantPart[]): string[] =>
  lower(parts).steps.map(({ blocks, results, hoisted }) => {
    const said = blocks.map(({ part, block }) =>
      block.type === "text" ? `"${block.text}"#${part}` : `${block.type}#${part}`,
    );
    const back = results.map(({ part, block }) => `${block.id}#${part}`);
    return [...said, "→", ...back, ...hoisted.map(({ part }) => `media#${part}`)].join(" ");
  });

test("text after a result begins the next step; calls side by side share one", () => {
  assert.deepEqual(drawn([text("a"), tool("c1", "x"), tool("c2", "y"), text("b")]), [
    '"a"#0 tool-call#1 tool-call#2 → c1#1 c2#2',
    '"b"#3 →',
  ]);
});

test("a step boundary parts calls that were made one after the other", () => {
  assert.deepEqual(drawn([STEP, tool("c1", "x"), STEP, tool("c2", "y"), STEP, text("b")]), [
    "tool-call#1 → c1#1",
    "tool-call#3 → c2#3",
    '"b"#5 →',
  ]);
});

test("steps in which nothing is left disappear, and their parts are accounted for", () => {
  const { steps, outcomes } = lower([
    STEP,
    text(" "),
    STEP,
    { type: "source-url", sourceId: "s", url: "u" },
  ]);
  assert.deepEqual(steps, []);
  assert.deepEqual(
    outcomes.map(({ outcome }) => outcome),
    ["resolved-out", "resolved-out", "resolved-out", "resolved-out"],
  );
});

test("a call keeps its input, and one without gets an empty object", () => {
  const bare: AssistantPart = {
    type: "dynamic-tool",
    toolName: "now",
    toolCallId: "c",
    state: "input-streaming",
  };
  const { steps } = lower([tool("c1", "x"), bare]);
  assert.deepEqual(
    steps[0]?.blocks.map(({ block }) => block),
    [
      { type: "tool-call", id: "c1", name: "read", input: { path: "c1" } },
      { type: "tool-call", id: "c", name: "now", input: {} },
    ],
  );
});

test("the provider's own records travel with its own parts, and with nobody else's", () => {
  const metadata = { test: { a: 1 }, other: { b: 2 } };
  const { steps } = lower([
    { type: "text", text: "a", providerMetadata: metadata },
    { type: "text", text: "b", providerMetadata: { other: { b: 2 } } },
    {
      type: "tool-x",
      toolCallId: "c",
      state: "output-available",
      output: 1,
      callProviderMetadata: metadata,
    },
  ]);
  assert.deepEqual(
    steps[0]?.blocks.map(({ block }) => "metadata" in block && block.metadata),
    [{ a: 1 }, false, { a: 1 }],
  );
});

test("reasoning goes out when this provider signed it, and to the record when not", () => {
  const signed: AssistantPart = {
    type: "reasoning",
    text: "r",
    providerMetadata: { test: { seal: "ok" } },
  };
  const foreign: AssistantPart = {
    type: "reasoning",
    text: "r",
    providerMetadata: { other: { seal: "ok" } },
  };
  const bare: AssistantPart = { type: "reasoning", text: "r" };
  const { steps, outcomes } = lower([signed, foreign, bare, text("so")]);
  assert.deepEqual(steps[0]?.blocks[0], {
    part: 0,
    block: { type: "reasoning", text: "r", signed: { seal: "ok" } },
  });
  assert.deepEqual(
    outcomes.slice(0, 3).map(({ outcome, note }) => [outcome, note]),
    [
      ["native", undefined],
      ["resolved-out", "reasoning that this provider did not sign"],
      ["resolved-out", "reasoning that this provider did not sign"],
    ],
  );
});

test("signed reasoning that led to nothing stays behind, and is accounted for", () => {
  const thought: AssistantPart = {
    type: "reasoning",
    text: "r",
    providerMetadata: { test: { seal: "ok" } },
  };
  const { steps, outcomes } = lower([thought, tool("c1", "x"), thought, STEP, thought, thought]);
  assert.deepEqual(
    steps.map(({ blocks }) => blocks.map(({ part }) => part)),
    [[0, 1]],
  );
  assert.deepEqual(
    outcomes.map(({ outcome }) => outcome),
    ["native", "native", "resolved-out", "resolved-out", "resolved-out", "resolved-out"],
  );
  assert.equal(outcomes[5]?.note, "reasoning that led to nothing");
});

test("an elided call keeps its place and its pair, and shows the line instead of the result", () => {
  const { steps, outcomes } = lower([tool("c1", "long")], { 0: "[result left out]" });
  assert.deepEqual(steps[0]?.results[0]?.block, {
    type: "tool-result",
    id: "c1",
    name: "read",
    content: [{ type: "text", text: "[result left out]" }],
    isError: false,
  });
  assert.deepEqual(outcomes[0]?.outcome, "elided");
});

test("media of a result follow their step where results take only text", () => {
  const shot: AssistantPart = {
    type: "tool-shot",
    toolCallId: "c1",
    state: "output-available",
    output: { content: [{ type: "image", data: PNG }] },
  };
  assert.deepEqual(drawn([shot, text("b")]), ["tool-call#0 → c1#0 media#0", '"b"#1 →']);
});

test("a file that the model made goes back where it may, and is described elsewhere", () => {
  const file = (url: string, mediaType = "image/png"): AssistantPart => ({
    type: "file",
    mediaType,
    url,
  });
  const { steps } = lower([
    file(`data:image/png;base64,${PNG}`),
    file(`data:image/png;base64,${btoa("GIF89a\x01\0")}`),
    file("data:image/png;base64,###"),
    file("https://example.org/a\n.png", "image/\npng"),
  ]);
  const reason = "content not shown: a file that the model made, in a form it does not take back";
  assert.deepEqual(
    steps[0]?.blocks.map(({ block }) => block),
    [
      { type: "media", mime: "image/png", base64: PNG },
      { type: "text", text: `[file: unnamed, image/gif; ${reason}]` },
      { type: "text", text: `[file: unnamed, image/png; ${reason}]` },
      {
        type: "text",
        text: `[file: https://example.org/a\\u000a.png, image/\\u000apng; ${reason}]`,
      },
    ],
  );
});

test("a file whose base64 breaks after its head is described", () => {
  const long = btoa(`\x89PNG\r\n\x1a\n${"x".repeat(6001)}`);
  const made = (data: string): AssistantPart => ({
    type: "file",
    mediaType: "image/png",
    url: `data:image/png;base64,${data}`,
  });
  const { outcomes } = lower([made(long), made(`${long}!`)]);
  assert.deepEqual(
    outcomes.map(({ outcome }) => outcome),
    ["native", "descriptor"],
  );
});

test("a compaction's summary is shown, wherever an older writer put it; other data is for people", () => {
  const { steps, outcomes } = lower([
    { type: "data-compaction", data: { summary: "We did A." } },
    { type: "data-compaction", data: {}, summary: "We did B." },
    { type: "data-compaction", data: null },
    { type: "data-chart", data: [1] },
  ]);
  assert.deepEqual(
    steps[0]?.blocks.map(({ block }) => "text" in block && block.text),
    ["We did A.", "We did B."],
  );
  assert.deepEqual(
    outcomes.map(({ outcome }) => outcome),
    ["text", "text", "resolved-out", "resolved-out"],
  );
});

test("an unknown part is shown by its text, or stands as a placeholder", () => {
  const { steps, outcomes } = lower([
    { type: "x/y", text: "hello" },
    { type: "x/z", text: " " },
  ]);
  assert.deepEqual(
    steps[0]?.blocks.map(({ block }) => "text" in block && block.text),
    ["hello", "[unsupported part: x/z]"],
  );
  assert.deepEqual(
    outcomes.map(({ outcome }) => outcome),
    ["text", "placeholder"],
  );
});
