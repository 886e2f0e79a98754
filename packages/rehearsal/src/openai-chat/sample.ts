/** For the tests of this folder: small pieces from which a chat body is put together. */
import { dataUrl, PARAMETERS } from "../openai/sample.ts";

export const hi = { role: "user", content: "hi" };
export const base = { model: "default", messages: [hi] };
export const talk = (...messages: unknown[]) => ({ ...base, messages });
export const say = (...content: unknown[]) => talk({ role: "user", content });
export const text = (words: string) => ({ type: "text", text: words });
export const image = (url: string) => ({ type: "image_url", image_url: { url } });
export const png = (data: string, mediaType?: string) => image(dataUrl(data, mediaType));
export const file = (file_data: string) => ({ type: "file", file: { filename: "a", file_data } });
export const audio = (data: string, format = "wav") => ({
  type: "input_audio",
  input_audio: { data, format },
});
export const call = (id: string, name = "look", args = "{}") => ({
  id,
  type: "function",
  function: { name, arguments: args },
});
export const calls = (...tool_calls: unknown[]) => ({
  role: "assistant",
  content: null,
  tool_calls,
});
export const result = (tool_call_id: string, content: unknown = "ok") => ({
  role: "tool",
  tool_call_id,
  content,
});
export const tool = (name: string, parameters: unknown = PARAMETERS, more = {}) => ({
  type: "function",
  function: { name, parameters, ...more },
});
