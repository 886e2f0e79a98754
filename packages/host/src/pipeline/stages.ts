/**
 * What each stage made, for people to look at: the same values as on the way to the wire, with
 * base64 replaced by its size and hash, because it says nothing to a reader.
 */
import type { AssembledContext, Manifest } from "@galley/assemble";
import { base64Size, type Outcome } from "@galley/parts";
import { sha256 } from "../workspace/loader.ts";

export function assembledStage({ layers, messages, tools }: AssembledContext, manifest: Manifest) {
  return { layers, messages: folded(messages), tools, manifest };
}

/** Each outcome with what its part became on the wire. */
export function loweredStage(outcomes: readonly Outcome[], body: Uint8Array) {
  return {
    outcomes,
    blocks: outcomes.flatMap(({ part, bytes }) =>
      bytes.map(([from, to]) => ({ part, block: folded(readJson(body.subarray(from, to))) })),
    ),
  };
}

function readJson(bytes: Uint8Array): unknown {
  const text = new TextDecoder().decode(bytes);
  try {
    return JSON.parse(text);
  } catch {
    // A part may be a piece of a JSON value, such as the inside of a string: shown as it stands.
    return text;
  }
}

/** Where base64 stands in our shapes and in those of the providers; text never does. */
const BINARY_KEYS = new Set(["base64", "data", "file_data", "image_url", "url"]);
const BASE64_URL = /^data:[^,]{0,200};base64,/;
/** The beginning tells: checking all of a large one costs more than making it did. */
const BASE64_START = /^[A-Za-z0-9+/]{1,256}={0,2}$/;

/** The same value with base64 as size and hash. */
export function folded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(folded);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      typeof inner === "string" && BINARY_KEYS.has(key) ? fold(key, inner) : folded(inner),
    ]),
  );
}

function fold(key: string, text: string): unknown {
  const [head] = BASE64_URL.exec(text) ?? [];
  const isUrl = key.endsWith("url");
  if (head === undefined && (isUrl || !BASE64_START.test(text.slice(0, 256)))) return text;
  const base64 = text.slice(head?.length ?? 0);
  return { size: base64Size(base64), sha256: sha256(Buffer.from(base64, "base64")) };
}
