/** The sentence in an error, in the shapes that OpenAI and the servers after it give one. */
import { asObject, asText } from "../json-value.ts";

/** Of an error object, or of an error that is only a text; always something to show. */
export function sayError(error: unknown): string {
  if (typeof error === "string" && error !== "") return error;
  const { code, type, message } = asObject(error);
  const label = typeof code === "number" ? String(code) : asText(code) || asText(type);
  return [label, asText(message)].filter(Boolean).join(": ") || "the provider reported an error";
}

/** `{"error":{"message":…}}`, `{"error":"…"}` or, as some servers have it, `{"message":…}`. */
export function errorText(body: unknown): string | undefined {
  const { error, message } = asObject(body);
  return asText(asObject(error).message) || asText(error) || asText(message) || undefined;
}
