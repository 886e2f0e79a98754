import assert from "node:assert/strict";
import { test } from "node:test";
import { routeOf } from "./route.ts";

test("each protocol stands at its own path and again behind its prefix", () => {
  const paths = ["/v1/messages", "/anthropic/v1/messages", "/v1/responses", "/openai/v1/responses"];
  const more = ["/v1/chat/completions", "/openai/v1/chat/completions", "/v1/messages?beta=true"];
  assert.deepEqual(
    [...paths, ...more].map((path) => routeOf(path)?.protocol),
    [
      "anthropic-messages",
      "anthropic-messages",
      "openai-responses",
      "openai-responses",
      "openai-chat",
      "openai-chat",
      "anthropic-messages",
    ],
  );
});

test("a Gemini address says the model, the way to answer and the key", () => {
  assert.deepEqual(routeOf("/gemini/v1beta/models/a%2Fb:streamGenerateContent?alt=sse&key=k"), {
    protocol: "gemini-generate",
    target: { model: "a/b", stream: true, sse: true, key: "k" },
  });
  assert.deepEqual(routeOf("/v1beta/models/g:generateContent"), {
    protocol: "gemini-generate",
    target: { model: "g", stream: false, sse: false },
  });
});

test("nothing stands anywhere else", () => {
  const paths = ["/", "/v1/message", "/openai/v1/messages", "/v1beta/models/g:countTokens"];
  assert.deepEqual(paths.map(routeOf), [undefined, undefined, undefined, undefined]);
});
