/** What stands around the messages: settings, tools, thinking, and the address it all goes to. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultModel, findModel } from "../catalogue/lookup.ts";
import type { ModelProfile } from "../catalogue/model.ts";
import type { EnvelopeInput, Settings } from "../protocol.ts";
import { endpoint, envelope } from "./envelope.ts";
import { anthropicMessages } from "./protocol.ts";

const tool = { name: "read", description: "Reads.", input_schema: { type: "object" } };
const profile: ModelProfile = { ...defaultModel("anthropic"), maxOutput: 8192, reasoning: true };

function bodyOf(over: Partial<EnvelopeInput> = {}, settings: Partial<Settings> = {}) {
  const input: EnvelopeInput = {
    profile,
    layers: [],
    tools: [],
    ...over,
    settings: { stream: true, cache: "off", ...settings },
  };
  const { head, tail } = envelope(input);
  return JSON.parse(head + tail);
}

test("the least request names the model, the length of the answer and whether it streams", () => {
  assert.deepEqual(bodyOf(), {
    model: "claude-opus-5-5",
    max_tokens: 8192,
    messages: [],
    stream: true,
  });
});

test("tools and layers stand before the messages, in the order of their stability", () => {
  const layers = [
    { id: "agent", text: "A" },
    { id: "env", text: "B" },
  ];
  const body = bodyOf({ tools: [{ ...tool, name: "a/b" }], layers }, { cache: "auto" });
  assert.deepEqual(Object.keys(body), [
    "model",
    "max_tokens",
    "tools",
    "system",
    "messages",
    "stream",
  ]);
  assert.match(body.tools[0].name, /^a_b_[0-9a-f]{8}$/);
  assert.deepEqual(body.system, [
    { type: "text", text: "A" },
    { type: "text", text: "B", cache_control: { type: "ephemeral" } },
  ]);
});

test("a tool choice needs tools to choose from", () => {
  const choice = (toolChoice: EnvelopeInput["toolChoice"]) =>
    bodyOf({ tools: [tool], toolChoice }).tool_choice;
  assert.deepEqual(choice("auto"), { type: "auto" });
  assert.deepEqual(choice("required"), { type: "any" });
  assert.deepEqual(choice("none"), { type: "none" });
  assert.deepEqual(choice({ tool: "read" }), { type: "tool", name: "read" });
  assert.equal(choice(undefined), undefined);
  assert.equal(bodyOf({ toolChoice: "required" }).tool_choice, undefined);
});

test("sampling settings have the provider's names", () => {
  const body = bodyOf(
    {},
    { temperature: 0, topP: 0.5, stop: ["END"], maxOutput: 7, stream: false },
  );
  assert.deepEqual(body, {
    model: "claude-opus-5-5",
    max_tokens: 7,
    messages: [],
    temperature: 0,
    top_p: 0.5,
    stop_sequences: ["END"],
    stream: false,
  });
});

test("a thinking budget leaves room for the answer, and sampling stays behind", () => {
  const thinking = (reasoning: Settings["reasoning"], maxOutput = 8192) =>
    bodyOf({}, { ...(reasoning && { reasoning }), maxOutput, temperature: 1, topP: 1 });
  assert.deepEqual(thinking({ effort: "low" }).thinking, { type: "enabled", budget_tokens: 1024 });
  assert.deepEqual(thinking({ effort: "high" }).thinking, { type: "enabled", budget_tokens: 4096 });
  assert.deepEqual(thinking({ budget: 10 }).thinking, { type: "enabled", budget_tokens: 1024 });
  assert.equal(thinking({ effort: "low" }).temperature, undefined);
  assert.equal(thinking({ effort: "low" }).top_p, undefined);
  assert.equal(thinking({ effort: "low" }, 2048).thinking.budget_tokens, 1024);
  assert.equal(thinking({ effort: "low" }, 2047).thinking, undefined);
  assert.equal(thinking(undefined).thinking, undefined);
  assert.equal(thinking(undefined).temperature, 1);
});

test("a model that takes a word is given a word; one that does not think is given nothing", () => {
  const found = findModel("anthropic/claude-opus-5-5");
  assert.ok(found.ok);
  const body = bodyOf({ profile: found.profile }, { reasoning: { effort: "high" } });
  assert.deepEqual(body.thinking, { type: "adaptive" });
  assert.deepEqual(body.output_config, { effort: "high" });
  const cool = bodyOf({ profile: found.profile }, { temperature: 0.5, topP: 0.5 });
  assert.deepEqual([cool.temperature, cool.top_p], [undefined, undefined]);
  const plain = bodyOf({ profile: { ...profile, reasoning: false } }, { reasoning: {} });
  assert.equal(plain.thinking, undefined);
});

test("the address takes the base as it is written, and a key only when there is one", () => {
  const at = (baseUrl: string, key?: string) => endpoint({ profile, baseUrl, key, stream: true });
  assert.deepEqual(at("https://api.example/x//"), {
    method: "POST",
    url: "https://api.example/x/v1/messages",
    headers: { "content-type": "application/json", "anthropic-version": "2023-06-01" },
  });
  assert.equal(at("http://127.0.0.1:1", "k").headers["x-api-key"], "k");
});

test("the sentence of an error body is found where the provider puts it", () => {
  const body = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
  assert.equal(anthropicMessages.errorText(body), "Overloaded");
  for (const other of [null, undefined, "x", {}, { error: "x" }, { error: { message: 1 } }]) {
    assert.equal(anthropicMessages.errorText(other), undefined);
  }
});
