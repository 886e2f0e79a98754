/** A setting that a model does not take is named, on every protocol. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { anthropicMessages } from "./anthropic/protocol.ts";
import { defaultModel, findModel } from "./catalogue/lookup.ts";
import type { ModelProfile } from "./catalogue/model.ts";
import { createForme, FormeError } from "./forme.ts";
import { geminiGenerate } from "./gemini/protocol.ts";
import { openAiChat } from "./openai-chat/protocol.ts";
import { openAiResponses } from "./openai-responses/protocol.ts";
import type { Protocol } from "./protocol.ts";

const asked = {
  temperature: 0.5,
  topP: 0.9,
  stop: ["END"],
  reasoning: { effort: "low" },
  stream: true,
  cache: "auto",
} as const;

function leftOutOf(protocol: Protocol, profile: ModelProfile): readonly string[] {
  const forme = createForme(protocol, profile);
  forme.append({ role: "user", parts: [{ type: "text", text: "hi" }], materials: [] });
  return forme.request({ layers: [], tools: [], settings: asked }).leftOut;
}

function known(name: string): ModelProfile {
  const found = findModel(name);
  assert.ok(found.ok);
  return found.profile;
}

test("a model that thinks gives up sampling, and says so", () => {
  assert.deepEqual(leftOutOf(anthropicMessages, defaultModel("anthropic")), [
    "temperature",
    "topP",
  ]);
  assert.deepEqual(leftOutOf(openAiChat, defaultModel("openai-chat")), [
    "temperature",
    "topP",
    "stop",
  ]);
});

test("a model that does not think gives up the thinking, and says so", () => {
  assert.deepEqual(leftOutOf(openAiChat, known("openai-chat/gpt-4.1")), ["reasoning"]);
  assert.deepEqual(leftOutOf(openAiResponses, known("openai/gpt-4.1")), ["stop", "reasoning"]);
});

test("nothing is named where everything is taken", () => {
  assert.deepEqual(leftOutOf(geminiGenerate, defaultModel("gemini")), []);
});

test("a conversation without a message is refused, not sent", () => {
  const forme = createForme(anthropicMessages, defaultModel("anthropic"));
  const settings = { stream: true, cache: "auto" } as const;
  assert.throws(
    () => forme.request({ layers: [], tools: [], settings }),
    (error) => FormeError.is(error, "empty"),
  );
});
