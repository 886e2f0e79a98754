import assert from "node:assert/strict";
import { test } from "node:test";
import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { AssembledContext } from "@galley/assemble";
import { findModel } from "../catalogue/lookup.ts";
import type { ModelProfile } from "../catalogue/model.ts";
import type { Settings } from "../protocol.ts";
import { optionsForV2, optionsForV3 } from "./older.ts";
import { callOptions } from "./options.ts";
import { keysOf } from "./target.ts";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

function known(name: string): ModelProfile {
  const found = findModel(name);
  assert.ok(found.ok, name);
  return found.profile;
}
const profile = { ...known("anthropic/claude-opus-5-5"), maxOutput: 4000 };

const CONTEXT: AssembledContext = {
  layers: [{ id: "agent", text: "You help." }],
  tools: [{ name: "look", description: "Looks", input_schema: { type: "object" } }],
  messages: [
    { role: "user", parts: [{ type: "text", text: "one" }], materials: [] },
    { role: "assistant", parts: [{ type: "text", text: "two" }] },
    { role: "user", parts: [{ type: "text", text: "three" }], materials: [] },
  ],
};

const options = (
  settings: Partial<Settings>,
  provider = "mistral.chat",
  context: AssembledContext = CONTEXT,
): LanguageModelV4CallOptions =>
  callOptions(context, profile, { stream: true, cache: "off", ...settings }, provider).options;

test("settings, tools and choice are said in the SDK's words", () => {
  const { prompt: _, ...rest } = options(
    { temperature: 0, topP: 0.5, stop: ["END"], maxOutput: 10, reasoning: { effort: "low" } },
    "mistral.chat",
    { ...CONTEXT, toolChoice: { tool: "look" } },
  );
  assert.deepEqual(rest, {
    maxOutputTokens: 10,
    temperature: 0,
    topP: 0.5,
    stopSequences: ["END"],
    tools: [
      { type: "function", name: "look", description: "Looks", inputSchema: { type: "object" } },
    ],
    toolChoice: { type: "tool", toolName: "look" },
    reasoning: "low",
  });
  const { prompt: __, tools: ___, ...least } = options({});
  assert.deepEqual(least, { maxOutputTokens: 4000 });
  const required = { ...CONTEXT, toolChoice: "required" } as const;
  assert.deepEqual(options({}, "x", required).toolChoice, { type: "required" });
  assert.equal(options({}, "x", { ...required, tools: [] }).toolChoice, undefined);
});

test("a budget becomes the effort that it would buy, and a model that cannot think is not asked", () => {
  const effort = (reasoning: Settings["reasoning"]) =>
    options(reasoning ? { reasoning } : {}).reasoning;
  assert.deepEqual([{}, { budget: 1024 }, { budget: 8192 }, { budget: 8193 }].map(effort), [
    "medium",
    "low",
    "medium",
    "high",
  ]);
  assert.equal(effort(undefined), undefined);
  const plain = { ...profile, reasoning: false };
  const settings: Settings = { stream: true, cache: "off", reasoning: {} };
  assert.equal(callOptions(CONTEXT, plain, settings).options.reasoning, undefined);
});

test("providers that need more than the common words get it under their own key", () => {
  const asked = { reasoning: {}, cacheKey: "ses_1" };
  const openai = { store: false, promptCacheKey: "ses_1", reasoningSummary: "auto" };
  assert.deepEqual(options(asked, "openai.responses").providerOptions, { openai });
  assert.deepEqual(options(asked, "azure.responses").providerOptions, { azure: openai });
  const google = { thinkingConfig: { includeThoughts: true } };
  assert.deepEqual(options(asked, "google.generative-ai").providerOptions, { google });
  assert.equal(options({}, "google.generative-ai").providerOptions, undefined);
  assert.equal(options(asked, "mistral.chat").providerOptions, undefined);
});

test("cache marks stand after the system text, before the newest turn and at the end", () => {
  const mark = { anthropic: { cacheControl: { type: "ephemeral" } } };
  const marks = (settings: Partial<Settings>, provider: string) =>
    options(settings, provider).prompt.map(({ providerOptions }) => providerOptions);
  assert.deepEqual(marks({ cache: "auto" }, "anthropic.messages"), [mark, undefined, mark, mark]);
  const none = [undefined, undefined, undefined, undefined];
  assert.deepEqual(marks({ cache: "off" }, "anthropic.messages"), none);
  assert.deepEqual(marks({ cache: "auto" }, "openai.responses"), none);
});

test("a provider's keys are guessed from its name", () => {
  assert.deepEqual(
    [...keysOf("anthropic.messages")],
    ["anthropic", "messages", "anthropicMessages"],
  );
  assert.ok(keysOf("google.vertex.chat").has("googleVertex"));
  assert.ok(keysOf("amazon-bedrock").has("amazonBedrock"));
  assert.ok(keysOf("vertex.anthropic.messages").has("anthropic"));
  assert.deepEqual([...keysOf("")], []);
});

test("older interfaces get the same call, with files in their own spelling", () => {
  const shot = { content: [{ type: "image", data: PNG }] };
  const context: AssembledContext = {
    ...CONTEXT,
    messages: [
      {
        role: "user",
        parts: [{ type: "file-attachment", name: "a.png", mime: "image/png", data: PNG }],
        materials: [],
      },
      {
        role: "assistant",
        parts: [
          {
            type: "tool-look",
            toolCallId: "call_1",
            state: "output-available",
            input: {},
            output: shot,
          },
        ],
      },
    ],
  };
  const asked = options({ reasoning: {} }, "x", context);
  const file = { type: "file", mediaType: "image/png", data: PNG, filename: "a.png" };
  const resultOf = (prompt: readonly { content: unknown }[]) =>
    (prompt[3]?.content as { output: unknown }[] | undefined)?.[0]?.output;

  const v3 = optionsForV3(asked);
  assert.deepEqual(v3.prompt[1], { role: "user", content: [file] });
  assert.deepEqual(resultOf(v3.prompt), {
    type: "content",
    value: [{ type: "file-data", mediaType: "image/png", data: PNG }],
  });
  const v2 = optionsForV2(asked);
  assert.deepEqual(v2.prompt[1], { role: "user", content: [file] });
  assert.deepEqual(resultOf(v2.prompt), {
    type: "content",
    value: [{ type: "media", mediaType: "image/png", data: PNG }],
  });
  for (const older of [v2, v3]) {
    assert.equal("reasoning" in older, false);
    assert.equal(older.tools?.length, 1);
    assert.equal(older.maxOutputTokens, 4000);
  }
});
