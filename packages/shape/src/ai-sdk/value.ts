/** Values that an AI SDK part may hold and a chunk may not: bytes, addresses, errors, anything. */
import type { UiChunk } from "@galley/parts";
import { asObject, asText } from "../json-value.ts";

export type Json = Extract<UiChunk, { type: "tool-output-available" }>["output"];

/** The value as JSON would keep it; what JSON cannot keep is named by its kind. */
export function asJson(value: unknown): Json {
  try {
    return JSON.parse(JSON.stringify(value) ?? "null");
  } catch {
    // A cycle, a big integer, or a `toJSON` that throws: the kind of value is all that is left.
    return Object.prototype.toString.call(value);
  }
}

/** `{ type: "data" | "url" }` in V4; bare base64, bytes or an address before. */
export function urlOf(data: unknown, mediaType: string): string {
  const tagged = asObject(data);
  if (tagged.type === "data") return urlOf(tagged.data, mediaType);
  if (tagged.type === "url") return String(tagged.url);
  if (data instanceof URL) return data.href;
  const base64 = data instanceof Uint8Array ? base64Of(data) : String(data);
  return `data:${mediaType};base64,${base64}`;
}

/** In runs, because a call takes only so many arguments. */
function base64Of(bytes: Uint8Array): string {
  const RUN = 0x2000;
  let text = "";
  for (let at = 0; at < bytes.length; at += RUN) {
    text += String.fromCharCode(...bytes.subarray(at, at + RUN));
  }
  return btoa(text);
}

/** The sentence in whatever a provider throws, rejects with or streams as an error. */
export function sayError(error: unknown): string {
  if (typeof error === "string" && error !== "") return error;
  const message = asText(asObject(error).message);
  if (message !== "") return message;
  const json = JSON.stringify(asJson(error));
  return json === "null" || json === '""' ? "the provider reported an error" : json;
}
