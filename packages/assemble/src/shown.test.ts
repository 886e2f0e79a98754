/** A part is measured by what a model is shown of it, not by how it is stored. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AssistantPart, UserPart } from "@galley/parts";
import type { Material } from "./context.ts";
import { factsOf } from "./message-facts.ts";
import { shownOfAnswer, shownOfUser } from "./shown.ts";

const LONG = "日".repeat(1000);
/** The header of a PNG of 800 by 600, and a kilobyte after it. */
const PNG = `iVBORw0KGgoAAAANSUhEUgAAAyAAAAJYCAYAAAAfFcSJ${"AAAA".repeat(341)}`;

const userTokens = (part: UserPart, material?: Material) =>
  factsOf({ role: "user", parts: [part], materials: [material] }).tokens;
const answerTokens = (part: AssistantPart) => factsOf({ role: "assistant", parts: [part] }).tokens;

test("a command costs what it expanded to, with what that refers to", () => {
  const part: UserPart = {
    type: "command",
    id: "/review",
    outcome: "expanded",
    expansion: [
      { type: "text", text: "look" },
      { type: "file-ref", ref: { kind: "path", path: "a" } },
    ],
  };
  const material: Material = {
    kind: "parts",
    materials: [undefined, { kind: "text", text: LONG, size: 1 }],
  };
  assert.ok(userTokens(part, material) > 720);
  assert.equal(userTokens({ ...part, outcome: "host-action" }), 0);
});

test("what is settled before the model costs nothing", () => {
  const parts: AssistantPart[] = [
    { type: "step-start" },
    { type: "source-url", sourceId: "s", url: LONG },
    { type: "data-x", data: LONG },
    { type: "reasoning", text: LONG },
  ];
  assert.deepEqual(parts.map(answerTokens), [0, 0, 0, 0]);
  assert.equal(userTokens({ type: "mention", target: { kind: "skill", name: LONG } }), 0);
});

test("signed reasoning and the summary of a compaction are shown", () => {
  const providerMetadata = { anthropic: { signature: "s" } };
  assert.equal(answerTokens({ type: "reasoning", text: LONG, providerMetadata }), 720);
  assert.equal(answerTokens({ type: "data-compaction", data: { summary: LONG } }), 720);
});

test("a picture in a tool's result is a picture, in each spelling, and not its base64", () => {
  const held = (output: unknown) =>
    shownOfAnswer({
      type: "tool-view",
      toolCallId: "c",
      state: "output-available",
      output,
    } as AssistantPart).result;
  const image = { type: "image", data: PNG, mimeType: "image/png" };
  for (const item of [image, { type: "resource", resource: { uri: "x", blob: PNG } }]) {
    for (const output of [{ content: [item] }, { type: "output", data: { content: [item] } }]) {
      const shown = held(output);
      assert.deepEqual(
        shown?.media.map(({ mime, tokens }) => [mime, tokens]),
        [["image/png", 640]],
      );
      assert.ok((shown?.text.length ?? 0) < 100);
    }
  }
});

test("a text in a content list is read out, without its JSON", () => {
  const shown = shownOfAnswer({
    type: "tool-read",
    toolCallId: "c",
    state: "output-available",
    input: { path: "a" },
    output: {
      content: [
        { type: "text", text: "one" },
        { type: "text", text: "two" },
      ],
    },
  });
  assert.deepEqual([shown.text, shown.result?.text], ['read{"path":"a"}', "one\ntwo"]);
});

test("a picture that the model made is a picture", () => {
  const shown = shownOfAnswer({
    type: "file",
    mediaType: "image/png",
    url: `data:image/png;base64,${PNG}`,
  });
  assert.equal(shown.media[0]?.tokens, 640);
});

test("an attached text is measured as text while it is written out, else as a line", () => {
  const attach = (text: string): UserPart => ({
    type: "file-attachment",
    name: "a.txt",
    mime: "text/plain",
    data: Buffer.from(text).toString("base64"),
  });
  assert.ok(userTokens(attach(LONG)) > 720);
  assert.ok(userTokens(attach(LONG.repeat(11))) < 50);
});

test("what failed says so", () => {
  const part: UserPart = { type: "file-ref", ref: { kind: "path", path: "a" } };
  assert.equal(
    shownOfUser(part, { kind: "unavailable", reason: "no such file" }).failed,
    "no such file",
  );
  assert.equal(shownOfUser(part, { kind: "text", text: "", size: 0 }).failed, undefined);
});

test("what is already left out costs its line, and a tool its call too", () => {
  const part: AssistantPart = {
    type: "tool-read",
    toolCallId: "c",
    state: "output-available",
    output: LONG,
  };
  const { tokens, blocks } = factsOf({ role: "assistant", parts: [part], elided: { 0: "[gone]" } });
  assert.ok(tokens < 10);
  assert.deepEqual([blocks[0]?.block.outcome, blocks[0]?.elidable], ["elided", undefined]);
});
