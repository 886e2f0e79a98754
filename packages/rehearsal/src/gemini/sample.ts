/** For the tests of this folder: small pieces from which a `generateContent` body is put together. */
import assert from "node:assert/strict";
import { seal } from "../seal.ts";
import { attempt } from "../trial.ts";

export const TARGET = { model: "default", stream: false };
export const user = (...parts: unknown[]) => ({ role: "user", parts });
export const model = (...parts: unknown[]) => ({ role: "model", parts });
export const text = (words: string) => ({ text: words });
export const hi = user(text("hi"));
export const base = { contents: [hi] };
export const talk = (...contents: unknown[]) => ({ contents });
export const say = (...parts: unknown[]) => talk(user(...parts));
export const call = (name = "look", more = {}) => ({ functionCall: { name, args: {} }, ...more });
export const signed = { thoughtSignature: seal("hm") };
export const response = (name = "look", words: unknown = { output: "ok" }) => ({
  functionResponse: { name, response: words },
});
export const media = (data: string, mimeType = "image/png") => ({ inlineData: { mimeType, data } });
export const declare = (name: string, parameters?: unknown) => ({
  ...base,
  tools: [{ functionDeclarations: [{ name, ...(parameters ? { parameters } : {}) }] }],
});
export const config = (generationConfig: unknown) => ({ ...base, generationConfig });

/** Status, canonical code and message; the details repeat the message and are looked at once. */
export function outcomeOf(body: unknown, options: Parameters<typeof attempt>[2] = {}): unknown {
  const result = attempt("gemini-generate", body, { target: TARGET, ...options });
  if (result.ok) return "taken";
  const { error } = result.error as { error: { code: number; status: string; message: string } };
  assert.equal(error.code, result.status);
  return [result.status, error.status, error.message];
}

export const refusesWith = (body: unknown, message: string): void =>
  assert.deepEqual(outcomeOf(body), [400, "INVALID_ARGUMENT", message]);
