/** For the tests of this folder: small pieces from which a Responses body is put together. */
import { PARAMETERS } from "../openai/sample.ts";
import { seal } from "../seal.ts";

export const hi = { role: "user", content: "hi" };
export const base = { model: "default", input: [hi] };
export const put = (...input: unknown[]) => ({ ...base, input });
export const say = (...content: unknown[]) => put({ role: "user", content });
export const call = (call_id: string, more = {}) => ({
  type: "function_call",
  call_id,
  name: "look",
  arguments: "{}",
  ...more,
});
export const output = (call_id: string, words: unknown = "ok") => ({
  type: "function_call_output",
  call_id,
  output: words,
});
export const reasoning = (id: string, more = {}) => ({
  type: "reasoning",
  id,
  summary: [],
  encrypted_content: seal(id),
  ...more,
});
export const spoke = (text: string, more = {}) => ({
  type: "message",
  role: "assistant",
  content: [{ type: "output_text", text }],
  ...more,
});
export const image = (image_url: string) => ({ type: "input_image", image_url, detail: "auto" });
export const file = (file_data: string, filename = "a.pdf") => ({
  type: "input_file",
  filename,
  file_data,
});
export const tool = (name: string, more = {}) => ({
  type: "function",
  name,
  parameters: PARAMETERS,
  strict: false,
  ...more,
});
