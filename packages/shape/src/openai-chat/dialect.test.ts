import assert from "node:assert/strict";
import { test } from "node:test";
import { OPENAI_CHAT_MODELS } from "../catalogue/openai.ts";
import { dialectOf } from "./dialect.ts";

test("every model of OpenAI's in the catalogue takes the new name of the limit", () => {
  const others = OPENAI_CHAT_MODELS.filter(
    (profile) => dialectOf(profile).limit !== "max_completion_tokens",
  );
  assert.deepEqual(others, []);
});

test("models of other makers, and OpenAI's open ones, are spoken to in the common dialect", () => {
  const ids = ["llama-3.3-70b", "gpt-oss:20b", "openai/gpt-oss-120b", "deepseek-chat", "olmo-2"];
  assert.deepEqual(
    ids.map((id) => dialectOf({ provider: "openai-chat", id }).limit),
    ids.map(() => "max_tokens"),
  );
});

test("the provider does not decide, except that a rehearsal stands for OpenAI", () => {
  assert.equal(dialectOf({ provider: "azure", id: "gpt-5.5" }).limit, "max_completion_tokens");
  assert.equal(
    dialectOf({ provider: "rehearsal", id: "openai-chat" }).limit,
    "max_completion_tokens",
  );
});
