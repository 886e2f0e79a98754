import assert from "node:assert/strict";
import { test } from "node:test";
import { findModel } from "@galley/shape";
import { parse } from "smol-toml";
import { checkConfig } from "../config/read-config.ts";
import type { Settings } from "../config/settings.ts";
import { HostError } from "../host-error.ts";
import { defaultName, nameFor, profileOf } from "./models.ts";

const settings = (toml = "", model?: string): Settings => ({
  model,
  layers: [{ scope: "user", file: "config.toml", config: checkConfig(toml, "config.toml").config }],
  warnings: [],
  looked: [],
  projectTrusted: false,
  limits: { attachment_bytes: 1, message_bytes: 1 },
});

function refusal(name: string, given = settings()): Error {
  try {
    profileOf(name, given);
  } catch (error) {
    return error as Error;
  }
  throw new Error(`${name} is not refused`);
}

test("an unknown model is refused with the nearest names and a line that makes it known", () => {
  const error = refusal("anthropic/claude-opus-5.5");
  assert.ok(HostError.is(error, "unknown_model"));
  assert.equal(error.data.nearest[0], "anthropic/claude-opus-5-5");
  assert.match(error.message, /anthropic\/claude-opus-5-5/);
  assert.ok(error.message.endsWith(error.data.config_line));
  assert.doesNotMatch(error.message, /\n/);
  const models = (parse(error.data.config_line) as { models: object }).models;
  const found = findModel("anthropic/claude-opus-5.5", models as never);
  assert.equal(found.ok, true);
});

test("an unknown provider is refused with the known ones", () => {
  const error = refusal("anthropik/claude-opus-5-5");
  assert.ok(HostError.is(error, "unknown_provider"));
  assert.equal(error.data.nearest[0], "anthropic/claude-opus-5-5");
  assert.match(error.message, /known: anthropic, openai, openai-chat, gemini, rehearsal, ai-sdk/);
});

test("a name without a provider is an unknown model", () => {
  assert.ok(HostError.is(refusal("claude-opus-5-5"), "unknown_model"));
});

test("what is announced and not built is said to be", () => {
  assert.match(
    refusal("acp/claude").message,
    /^acp\/claude \(external ACP agents\) is not available/,
  );
  assert.match(refusal("template/infill").message, /is not available yet/);
});

test("a name from outside cannot draw across the line", () => {
  const { message } = refusal("anthropic/a\u001b[31m\nb");
  assert.deepEqual([message.includes("\u001b"), message.includes("\n")], [false, false]);
});

test("the configuration makes a model and a provider known", () => {
  const toml = `[providers.local]
base_url = "http://127.0.0.1:8080/v1"
[models."local/llama"]
context_window = 8000
max_output = 1000
protocol = "openai-chat"
`;
  const profile = profileOf("local/llama", settings(toml));
  assert.equal(profile.contextWindow, 8000);
  assert.ok(HostError.is(refusal("local/other", settings(toml)), "unknown_model"));
});

test("a model that the configuration leaves incomplete is refused with what is missing", () => {
  const error = refusal("openai/mine", settings('[models."openai/mine"]\nmax_output = 5\n'));
  assert.match(error.message, /needs context_window/);
});

test("the default follows the first key, and the model of --all the chosen one", () => {
  assert.equal(defaultName(settings(), { GEMINI_API_KEY: "k" }).startsWith("gemini/"), true);
  const both = { OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "k" };
  assert.equal(defaultName(settings(), both), "anthropic/claude-opus-5-5");
  assert.equal(
    defaultName(settings('[providers.openai]\napi_key_env = "K"\n'), { K: "k" }),
    "openai/gpt-6.1-sol",
  );
  assert.equal(nameFor("openai", settings("", "openai/gpt-5.5")), "openai/gpt-5.5");
  assert.equal(nameFor("openai-chat", settings("", "openai/gpt-5.5")), "openai-chat/gpt-5.5");
});
