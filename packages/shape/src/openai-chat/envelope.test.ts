import assert from "node:assert/strict";
import { test } from "node:test";
import type { ToolDefinition } from "@galley/assemble";
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import { findModel } from "../catalogue/lookup.ts";
import type { ModelProfile } from "../catalogue/model.ts";
import { createForme } from "../forme.ts";
import type { EnvelopeInput, Settings } from "../protocol.ts";
import { openAiChat } from "./protocol.ts";

const SETTINGS: Settings = { stream: true, cache: "auto" };
const READ: ToolDefinition = {
  name: "read",
  description: "Reads a file",
  input_schema: { type: "object", properties: { path: { type: "string" } } },
};
const LAYERS = [
  { id: "agent", text: "You are «terse»." },
  { id: "project", text: "Use tabs." },
];

function profileOf(name: string): ModelProfile {
  const overrides = { "openai-chat/local": { context_window: 32_000, max_output: 4096 } };
  const found = findModel(name, overrides);
  assert.ok(found.ok, name);
  return found.profile;
}

/** The body of a request whose one message is "hi". */
function bodyFor(
  name: string,
  input: Partial<Omit<EnvelopeInput, "profile" | "settings">> = {},
  settings: Partial<Settings> = {},
) {
  const forme = createForme(openAiChat, profileOf(name));
  forme.append({ role: "user", parts: [{ type: "text", text: "hi" }], materials: [] });
  const request = forme.request({
    layers: [],
    tools: [],
    ...input,
    settings: { ...SETTINGS, ...settings },
  });
  const text = new TextDecoder().decode(request.body);
  return { request, text, json: JSON.parse(text) };
}

test("a whole request is one the official types allow", () => {
  const expected: ChatCompletionCreateParamsStreaming = {
    model: "gpt-4.1",
    tools: [
      {
        type: "function",
        function: {
          name: "read",
          description: "Reads a file",
          parameters: { type: "object", properties: { path: { type: "string" } } },
        },
      },
    ],
    messages: [
      {
        role: "system",
        content: [
          { type: "text", text: "You are «terse»." },
          { type: "text", text: "Use tabs." },
        ],
      },
      { role: "user", content: [{ type: "text", text: "hi" }] },
    ],
    tool_choice: { type: "function", function: { name: "read" } },
    max_completion_tokens: 500,
    temperature: 0.2,
    top_p: 0.9,
    stop: ["END"],
    prompt_cache_key: "ses_1",
    stream: true,
    stream_options: { include_usage: true },
  };
  const { json } = bodyFor(
    "openai-chat/gpt-4.1",
    { layers: LAYERS, tools: [READ], toolChoice: { tool: "read" } },
    { maxOutput: 500, temperature: 0.2, topP: 0.9, stop: ["END"], cacheKey: "ses_1" },
  );
  assert.deepEqual(json, expected);
});

test("each layer is found again in the bytes", () => {
  const { request } = bodyFor("openai-chat/gpt-4.1", { layers: LAYERS });
  const found = request.layers().map(({ layer, bytes: [start, end] }) => ({
    layer,
    part: JSON.parse(new TextDecoder().decode(request.body.subarray(start, end))),
  }));
  assert.deepEqual(found, [
    { layer: "agent", part: { type: "text", text: "You are «terse»." } },
    { layer: "project", part: { type: "text", text: "Use tabs." } },
  ]);
});

test("without layers and tools the messages begin with the user's", () => {
  assert.equal(
    bodyFor("openai-chat/gpt-5.5", {}, { stream: false }).text,
    '{"model":"gpt-5.5","messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}],"stream":false}',
  );
});

test("other servers get the old name of the limit, always, and no key for a cache", () => {
  const { json } = bodyFor("openai-chat/local", {}, { cacheKey: "ses_1" });
  assert.equal(json.max_tokens, 4096);
  assert.equal("max_completion_tokens" in json || "prompt_cache_key" in json, false);
});

test("a tool whose schema names no properties gets an empty set of them", () => {
  const bare = { ...READ, input_schema: { type: "object" } };
  const { json } = bodyFor("openai-chat/gpt-4.1", { tools: [bare] });
  assert.deepEqual(json.tools[0].function.parameters, { type: "object", properties: {} });
});

test("a choice of tools is spelled as the API has it, and left out where there are none", () => {
  for (const toolChoice of ["auto", "required", "none"] as const) {
    const { json } = bodyFor("openai-chat/gpt-4.1", { tools: [READ], toolChoice });
    assert.equal(json.tool_choice, toolChoice);
  }
  assert.equal("tool_choice" in bodyFor("openai-chat/gpt-4.1", { toolChoice: "auto" }).json, false);
});

test("a model that reasons gets the effort, and not what it refuses beside it", () => {
  const all = { temperature: 0, topP: 1, stop: ["x"] };
  const { json } = bodyFor("openai-chat/gpt-5.5", {}, { ...all, reasoning: { effort: "high" } });
  assert.equal(json.reasoning_effort, "high");
  assert.deepEqual(
    ["temperature", "top_p", "stop"].filter((field) => field in json),
    [],
  );
});

test("a model that cannot have tools and reasoning at once is told not to reason", () => {
  const settings = { reasoning: { effort: "high" }, temperature: 0.5 } as const;
  const { json } = bodyFor("openai-chat/gpt-6-sol", { tools: [READ] }, settings);
  assert.equal(json.reasoning_effort, "none");
  assert.equal(json.temperature, 0.5);
  assert.equal(bodyFor("openai-chat/gpt-6-sol", {}, settings).json.reasoning_effort, "high");
});

test("a cache that is off gets no key, and a long key is cut to what the API takes", () => {
  const keyFor = (settings: Partial<Settings>): unknown =>
    bodyFor("openai-chat/gpt-4.1", {}, settings).json.prompt_cache_key;
  assert.equal(keyFor({ cacheKey: "ses_1", cache: "off" }), undefined);
  assert.equal(keyFor({ cacheKey: "x".repeat(70) }), "x".repeat(64));
});

test("the key is a bearer token, and a proof has none", () => {
  const profile = profileOf("openai-chat/gpt-4.1");
  const base = { profile, baseUrl: "https://api.openai.com/v1", stream: true };
  assert.deepEqual(openAiChat.endpoint({ ...base, key: "k" }), {
    method: "POST",
    url: "https://api.openai.com/v1/chat/completions",
    headers: { "content-type": "application/json", authorization: "Bearer k" },
  });
  assert.deepEqual(openAiChat.endpoint(base).headers, { "content-type": "application/json" });
});
