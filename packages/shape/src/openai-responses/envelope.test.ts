import assert from "node:assert/strict";
import { test } from "node:test";
import type { ToolDefinition } from "@galley/assemble";
import type { ResponseCreateParamsStreaming } from "openai/resources/responses/responses";
import { findModel } from "../catalogue/lookup.ts";
import type { ModelProfile } from "../catalogue/model.ts";
import { createForme } from "../forme.ts";
import type { EnvelopeInput, Settings } from "../protocol.ts";
import { openAiResponses } from "./protocol.ts";

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
  const found = findModel(name);
  assert.ok(found.ok, name);
  return found.profile;
}

/** The body of a request whose one message is "hi". */
function bodyFor(
  name: string,
  input: Partial<Omit<EnvelopeInput, "profile" | "settings">> = {},
  settings: Partial<Settings> = {},
) {
  const forme = createForme(openAiResponses, profileOf(name));
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
  const expected: ResponseCreateParamsStreaming = {
    model: "gpt-5.5",
    store: false,
    tools: [
      {
        type: "function",
        name: "read",
        description: "Reads a file",
        parameters: { type: "object", properties: { path: { type: "string" } } },
        strict: false,
      },
    ],
    input: [
      {
        type: "message",
        role: "developer",
        content: [
          { type: "input_text", text: "You are «terse»." },
          { type: "input_text", text: "Use tabs." },
        ],
      },
      { type: "message", role: "user", content: [{ type: "input_text", text: "hi" }] },
    ],
    tool_choice: { type: "function", name: "read" },
    max_output_tokens: 500,
    reasoning: { effort: "high", summary: "auto" },
    include: ["reasoning.encrypted_content"],
    prompt_cache_key: "ses_1",
    stream: true,
  };
  const { json } = bodyFor(
    "openai/gpt-5.5",
    { layers: LAYERS, tools: [READ], toolChoice: { tool: "read" } },
    {
      maxOutput: 500,
      reasoning: { effort: "high" },
      cacheKey: "ses_1",
      temperature: 0.2,
      topP: 0.9,
      stop: ["END"],
    },
  );
  assert.deepEqual(json, expected);
});

test("each layer is found again in the bytes", () => {
  const { request } = bodyFor("openai/gpt-5.5", { layers: LAYERS });
  const found = request.layers().map(({ layer, bytes: [start, end] }) => ({
    layer,
    part: JSON.parse(new TextDecoder().decode(request.body.subarray(start, end))),
  }));
  assert.deepEqual(found, [
    { layer: "agent", part: { type: "input_text", text: "You are «terse»." } },
    { layer: "project", part: { type: "input_text", text: "Use tabs." } },
  ]);
});

test("a model that does not reason is asked for no reasoning, and takes sampling", () => {
  assert.equal(
    bodyFor("openai/gpt-4.1", {}, { temperature: 0, topP: 0.5, reasoning: { effort: "low" } }).text,
    '{"model":"gpt-4.1","store":false,"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}],"temperature":0,"top_p":0.5,"stream":true}',
  );
});

test("a model that reasons is asked for what it may be shown again, also when no effort is set", () => {
  const { json } = bodyFor("openai/gpt-5.5");
  assert.deepEqual(json.include, ["reasoning.encrypted_content"]);
  assert.equal("reasoning" in json, false);
});

test("a choice of tools is spelled as the API has it, and left out where there are none", () => {
  for (const toolChoice of ["auto", "required", "none"] as const) {
    const { json } = bodyFor("openai/gpt-5.5", { tools: [READ], toolChoice });
    assert.equal(json.tool_choice, toolChoice);
  }
  assert.equal("tool_choice" in bodyFor("openai/gpt-5.5", { toolChoice: "auto" }).json, false);
});

test("the endpoint is that of responses, with the key as a bearer token", () => {
  const profile = profileOf("openai/gpt-5.5");
  const baseUrl = "https://api.openai.com/v1/";
  assert.deepEqual(openAiResponses.endpoint({ profile, baseUrl, key: "k", stream: true }), {
    method: "POST",
    url: "https://api.openai.com/v1/responses",
    headers: { "content-type": "application/json", authorization: "Bearer k" },
  });
});
