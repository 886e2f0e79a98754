import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultModel, findModel, listModels, mergeOverrides } from "./lookup.ts";
import { type ModelProfile, modelName } from "./model.ts";
import type { ModelOverrides } from "./override.ts";

function refusal(name: string, overrides?: ModelOverrides) {
  const found = findModel(name, overrides);
  assert.ok(!found.ok, `${name} is known`);
  return found;
}

function profile(name: string, overrides?: ModelOverrides): ModelProfile {
  const found = findModel(name, overrides);
  assert.ok(found.ok, `${name} is not known`);
  return found.profile;
}

test("a known name gives its row", () => {
  const { provider, id, protocol, contextWindow, maxOutput } = profile("anthropic/claude-opus-5-5");
  assert.deepEqual(
    { provider, id, protocol, contextWindow, maxOutput },
    {
      provider: "anthropic",
      id: "claude-opus-5-5",
      protocol: "anthropic-messages",
      contextWindow: 1_000_000,
      maxOutput: 128_000,
    },
  );
});

test("an unknown name gives the nearest ones, the likeliest first, at most five", () => {
  const { nearest } = refusal("anthropic/claude-sonet-5-5");
  assert.equal(nearest[0], "anthropic/claude-sonnet-5-5");
  assert.equal(nearest.length, 5);
});

test("a right id under the wrong provider is found, and so is an id without provider", () => {
  assert.equal(refusal("openai/claude-opus-5-5").nearest[0], "anthropic/claude-opus-5-5");
  assert.equal(refusal("gemini-3.8-flash").nearest[0], "gemini/gemini-3.8-flash");
});

test("letter case and length of an unknown name do no harm", () => {
  assert.equal(refusal("GEMINI/GEMINI-PRO-LATEST").nearest[0], "gemini/gemini-pro-latest");
  assert.equal(refusal(`openai/${"x".repeat(1_000_000)}`).nearest.length, 5);
});

test("the refusal holds the configuration that would make the name known", () => {
  assert.equal(
    refusal("anthropic/claude-opus-9").configLines,
    `[models."anthropic/claude-opus-9"]
context_window = 200000 # tokens; see the provider's documentation
max_output = 8192 # tokens
accepts = ["text/*", "image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf"]
`,
  );
});

test("a name without a built-in provider is proposed with a protocol", () => {
  assert.equal(
    refusal("acme/one").configLines,
    `[models."acme/one"]
context_window = 200000 # tokens; see the provider's documentation
max_output = 8192 # tokens
accepts = ["text/*"]
protocol = "openai-chat"
`,
  );
  assert.match(refusal("constructor/x").configLines, /\nprotocol = "openai-chat"\n$/);
  assert.match(refusal("my-model").configLines, /^\[models\."openai-chat\/my-model"\]\n/);
  assert.match(refusal("").configLines, /^\[models\."openai-chat\/MODEL"\]\n/);
});

test("a name cannot break out of its key in the proposed lines", () => {
  assert.match(
    refusal('openai/a"]\n[providers.x').configLines,
    /^\[models\."openai\/a\\"\]\\n\[providers\.x"\]\n/,
  );
  assert.match(
    refusal("openai/\u007f\ud800").configLines,
    /^\[models\."openai\/\\u007f\ufffd"\]\n/,
  );
});

test("an override adds a model, with its provider's protocol and limits", () => {
  const overrides = {
    "anthropic/claude-opus-9": {
      context_window: 500_000,
      max_output: 64_000,
      accepts: ["text/*", "image/png"],
    },
  };
  const added = profile("anthropic/claude-opus-9", overrides);
  assert.equal(added.protocol, "anthropic-messages");
  assert.equal(added.contextWindow, 500_000);
  assert.equal(added.maxOutput, 64_000);
  assert.deepEqual(added.accepts, ["text/*", "image/png"]);
  assert.equal(added.toolResultMedia, true);
  assert.equal(added.limits?.imageCount, 100);
  assert.deepEqual(added.provenance, { source: "config", as_of: "undated" });
});

test("an added model that names no media takes text, and says that this was not given", () => {
  const added = profile("openai-chat/llama", {
    "openai-chat/llama": { context_window: 8192, max_output: 1024 },
  });
  assert.deepEqual(added.accepts, ["text/*"]);
  assert.equal(added.limits, undefined);
  assert.deepEqual(added.provenance.inherited, ["accepts"]);
});

test("an id may hold slashes of its own", () => {
  const added = profile("openai-chat/meta/llama", {
    "openai-chat/meta/llama": { context_window: 8192, max_output: 1024 },
  });
  assert.equal(added.provider, "openai-chat");
  assert.equal(added.id, "meta/llama");
});

test("an override changes the figures it names and leaves the rest of the row", () => {
  const name = "anthropic/claude-opus-5-5";
  const changed = profile(name, { [name]: { max_output: 32_000 } });
  const before = profile(name);
  assert.equal(changed.maxOutput, 32_000);
  assert.equal(changed.contextWindow, 1_000_000);
  assert.deepEqual(changed.reasoning, before.reasoning);
  assert.deepEqual(changed.limits, before.limits);
  assert.deepEqual(changed.provenance, {
    source: "config",
    as_of: "undated",
    inherited: ["contextWindow", "accepts"],
  });
});

test("another protocol brings its own traits", () => {
  const name = "openai/gpt-5.5";
  const moved = profile(name, { [name]: { protocol: "openai-chat" } });
  assert.equal(moved.protocol, "openai-chat");
  assert.equal(moved.toolResultMedia, false);
  assert.equal(moved.limits, undefined);
});

test("an override that makes no sound row is refused with its reason, and hides nothing", () => {
  const { rows, refused } = mergeOverrides(listModels(), {
    "acme/one": { context_window: 1000, max_output: 100 },
    "openai-chat/a": { max_output: 100 },
    "openai-chat/b": { context_window: 1000 },
    "openai-chat/c": { context_window: 1000, max_output: 1000 },
    "openai-chat/d": { context_window: -1, max_output: 1000 },
    "openai-chat/e": { context_window: 1000, max_output: 0.5 },
    "openai-chat/f": { context_window: 1000, max_output: 100, accepts: ["png"] },
    alone: { context_window: 1000, max_output: 100 },
    "openai/gpt-5.5": { context_window: 1000 },
  });
  assert.deepEqual(refused, [
    {
      name: "acme/one",
      reason:
        '"acme/one" needs a protocol: anthropic-messages, openai-responses, openai-chat, gemini-generate',
    },
    { name: "alone", reason: '"alone" is not of the form provider/model' },
    { name: "openai-chat/a", reason: '"openai-chat/a" needs context_window' },
    { name: "openai-chat/b", reason: '"openai-chat/b" needs max_output' },
    {
      name: "openai-chat/c",
      reason: '"openai-chat/c": max_output must be smaller than context_window',
    },
    {
      name: "openai-chat/d",
      reason: '"openai-chat/d": context_window must be a whole number above 0',
    },
    {
      name: "openai-chat/e",
      reason: '"openai-chat/e": max_output must be a whole number above 0',
    },
    {
      name: "openai-chat/f",
      reason: '"openai-chat/f": "png" is not a media type such as image/png',
    },
    {
      name: "openai/gpt-5.5",
      reason: '"openai/gpt-5.5": max_output must be smaller than context_window',
    },
  ]);
  assert.deepEqual(rows, listModels());
});

test("a model whose configuration was refused is not known, and the reason is told", () => {
  const { reason } = refusal("openai/gpt-5.5", { "openai/gpt-5.5": { context_window: 1000 } });
  assert.equal(reason, '"openai/gpt-5.5": max_output must be smaller than context_window');
});

test("the list keeps its order however the configuration is ordered", () => {
  const sizes = { context_window: 1000, max_output: 100 };
  const one = listModels({ "openai-chat/zeta": sizes, "anthropic/alpha": sizes });
  const other = listModels({ "anthropic/alpha": sizes, "openai-chat/zeta": sizes });
  assert.deepEqual(one, other);
  assert.deepEqual(one.slice(-2).map(modelName), ["anthropic/alpha", "openai-chat/zeta"]);
  assert.deepEqual(one.slice(0, -2), listModels());
});

test("each provider has a model to begin with", () => {
  const names = (["anthropic", "openai", "openai-chat", "gemini", "rehearsal"] as const).map(
    (provider) => modelName(defaultModel(provider)),
  );
  assert.deepEqual(names, [
    "anthropic/claude-opus-5-5",
    "openai/gpt-6.1-sol",
    "openai-chat/gpt-5.5",
    "gemini/gemini-4-argon",
    "rehearsal/default",
  ]);
  assert.equal(defaultModel("acme"), undefined);
});
