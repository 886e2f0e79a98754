import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProtocolId } from "./protocol.ts";
import { openStage, type Stage } from "./stage.ts";
import { encode, HEADERS } from "./trial.ts";

function performed(stage: Stage, protocol: ProtocolId, body: unknown) {
  const { reply } = stage.perform({
    route: { protocol, target: {} },
    headers: HEADERS[protocol],
    body: encode(body),
    nowSeconds: 9,
  });
  return { status: reply.status, headers: reply.headers, json: JSON.parse(reply.frames.join("")) };
}

test("a prefix that stayed equal is reported as read from the cache", () => {
  const stage = openStage({ script: () => ({ say: "ok" }) });
  const system = [{ type: "text", text: "x".repeat(40), cache_control: { type: "ephemeral" } }];
  const ask = (content: string) => {
    const messages = [{ role: "user", content }];
    const body = { model: "default", max_tokens: 9, system, messages };
    const { usage } = performed(stage, "anthropic-messages", body).json;
    return [usage.input_tokens, usage.cache_creation_input_tokens, usage.cache_read_input_tokens];
  };
  assert.deepEqual(ask("abcd"), [1, 10, 0]);
  assert.deepEqual(ask("abcdefgh"), [2, 0, 10]);
});

test("a stored response is continued by its id, one that was not stored is unknown", () => {
  const stage = openStage({ script: () => ({ toolCalls: [{ name: "look", input: {} }] }) });
  const ask = (body: object) => performed(stage, "openai-responses", { model: "default", ...body });
  const output = (call_id: string) => [{ type: "function_call_output", call_id, output: "ok" }];
  const first = ask({ input: "hi" }).json;
  const next = { previous_response_id: first.id, input: output(first.output[0].call_id) };
  assert.equal(ask(next).status, 200);
  const unstored = ask({ input: "hi", store: false }).json;
  const lost = { previous_response_id: unstored.id, input: output(unstored.output[0].call_id) };
  assert.equal(ask(lost).json.error.code, "previous_response_not_found");
});

test("requests and answers are numbered apart, so ids are the same in every run", () => {
  const stage = openStage();
  const body = { model: "default", messages: [{ role: "user", content: "hi" }] };
  assert.equal(performed(stage, "openai-chat", {}).headers["x-request-id"], "req_rehearsal_000001");
  const { headers, json } = performed(stage, "openai-chat", body);
  assert.deepEqual(
    [headers["x-request-id"], json.id, json.created],
    ["req_rehearsal_000002", "chatcmpl_rehearsal_000001", 9],
  );
});

test("the token count that is plugged in is the one that is used", () => {
  const stage = openStage({ countTokens: (text) => text.length, script: [{ say: "abc" }] });
  const body = { model: "default", messages: [{ role: "user", content: "hello" }] };
  const { usage } = performed(stage, "openai-chat", body).json;
  assert.deepEqual([usage.prompt_tokens, usage.completion_tokens], [5, 3]);
});
