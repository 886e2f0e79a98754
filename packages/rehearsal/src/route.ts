/** Which protocol an address speaks. Each stands at its own path, and again behind a prefix. */
import type { ProtocolId, Target } from "./protocol.ts";

export type Route = { readonly protocol: ProtocolId; readonly target: Target };

const PATHS: readonly [RegExp, ProtocolId][] = [
  [/^(?:\/anthropic)?\/v1\/messages$/, "anthropic-messages"],
  [/^(?:\/openai)?\/v1\/responses$/, "openai-responses"],
  [/^(?:\/openai)?\/v1\/chat\/completions$/, "openai-chat"],
];
const GEMINI = /^(?:\/gemini)?\/v1beta\/models\/([^/:]+):(generateContent|streamGenerateContent)$/;

export function routeOf(address: string): Route | undefined {
  const { pathname, searchParams } = new URL(address, "http://rehearsal.invalid");
  const [, protocol] = PATHS.find(([path]) => path.test(pathname)) ?? [];
  if (protocol) return { protocol, target: {} };
  const [, model, method] = GEMINI.exec(pathname) ?? [];
  if (model === undefined) return undefined;
  const key = searchParams.get("key");
  return {
    protocol: "gemini-generate",
    target: {
      model: decodeURIComponent(model),
      stream: method === "streamGenerateContent",
      sse: searchParams.get("alt") === "sse",
      ...(key !== null && { key }),
    },
  };
}
