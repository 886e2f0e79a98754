/**
 * For the tests of this package: requests tried against a protocol, without sockets, and the smallest
 * media that are what they say.
 */
import type { Heard } from "./heard.ts";
import type { ProtocolId } from "./protocol.ts";
import { type ValidateOptions, validate } from "./validate.ts";

export const HEADERS: { readonly [P in ProtocolId]: Readonly<Record<string, string>> } = {
  "anthropic-messages": { "x-api-key": "key", "anthropic-version": "2023-06-01" },
  "openai-responses": { authorization: "Bearer key" },
  "openai-chat": { authorization: "Bearer key" },
  "gemini-generate": { "x-goog-api-key": "key" },
};

export const encode = (body: unknown): Uint8Array =>
  new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body));

type Trial = ValidateOptions & { readonly headers?: Readonly<Record<string, string>> };

export function attempt(protocol: ProtocolId, body: unknown, options: Trial = {}) {
  const { headers = HEADERS[protocol], ...rest } = options;
  return validate(protocol, headers, encode(body), rest);
}

/** The request as it was heard; a refusal fails the test with the provider's own words. */
export function hearing(protocol: ProtocolId, body: unknown, options: Trial = {}): Heard {
  const result = attempt(protocol, body, options);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.request;
}

const base64 = (bytes: readonly number[]): string => Buffer.from(bytes).toString("base64");
const uint32 = (value: number): number[] => [
  (value >>> 24) & 255,
  (value >>> 16) & 255,
  (value >>> 8) & 255,
  value & 255,
];

/** A PNG as far as its header goes. */
export const png = (width: number, height: number): string =>
  base64([
    ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52],
    ...uint32(width),
    ...uint32(height),
    ...[8, 6, 0, 0, 0],
  ]);

export const PNG = png(1, 1);
export const JPEG = base64([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xd9]);
export const GIF = Buffer.from("GIF89a\x01\x00\x01\x00\x00\x00\x00;", "latin1").toString("base64");
export const PDF = Buffer.from("%PDF-1.7\n%%EOF\n").toString("base64");
export const WORDS = Buffer.from("just words").toString("base64");

/** The smallest request each protocol takes; `stream` is asked for where the body says it. */
export function smallest(protocol: ProtocolId, stream = false): Heard {
  const words = { role: "user", content: "hi" };
  switch (protocol) {
    case "anthropic-messages":
      return hearing(protocol, { model: "default", max_tokens: 99, messages: [words], stream });
    case "openai-responses":
      return hearing(protocol, { model: "default", input: [words], stream });
    case "openai-chat":
      return hearing(protocol, { model: "default", messages: [words], stream });
    case "gemini-generate":
      return hearing(
        protocol,
        { contents: [{ role: "user", parts: [{ text: "hi" }] }] },
        { target: { model: "default", stream, sse: stream } },
      );
  }
}
