/** For the tests of this folder: small pieces from which a Messages body is put together. */
import assert from "node:assert/strict";
import { seal } from "../seal.ts";
import { attempt } from "../trial.ts";

export const hi = { role: "user", content: "hi" };
export const base = { model: "default", max_tokens: 1000, messages: [hi] };
export const say = (...content: unknown[]) => ({ ...base, messages: [{ role: "user", content }] });
export const text = (words: string, more = {}) => ({ type: "text", text: words, ...more });
export const image = (data: string, media_type = "image/png") => ({
  type: "image",
  source: { type: "base64", media_type, data },
});
export const pdf = (data: string) => ({
  type: "document",
  source: { type: "base64", media_type: "application/pdf", data },
});
export const call = (id: string, more = {}) => ({
  type: "tool_use",
  id,
  name: "look",
  input: {},
  ...more,
});
export const result = (id: string, more = {}) => ({
  type: "tool_result",
  tool_use_id: id,
  ...more,
});
export const assistant = (...content: unknown[]) => ({ role: "assistant", content });
export const user = (...content: unknown[]) => ({ role: "user", content });
export const talk = (...messages: unknown[]) => ({ ...base, messages });
export const tool = (name: string, input_schema: unknown = { type: "object" }) => ({
  name,
  input_schema,
});
export const thinking = (words: string, signature = seal(words)) => ({
  type: "thinking",
  thinking: words,
  signature,
});
export const budget = { type: "enabled", budget_tokens: 1024 };
export const mark = { cache_control: { type: "ephemeral" } };
export const long = { cache_control: { type: "ephemeral", ttl: "1h" } };

export function refusesWith(body: unknown, message: string): void {
  assert.deepEqual(attempt("anthropic-messages", body), {
    ok: false,
    status: 400,
    error: {
      type: "error",
      error: { type: "invalid_request_error", message },
      request_id: "req_rehearsal",
    },
    headers: {},
  });
}
