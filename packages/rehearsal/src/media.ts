/**
 * Media inside a request: base64 → bytes, what the bytes are, how large the picture is.
 *
 * It states facts; which of them a provider refuses is decided in that provider's folder.
 */
import { createHash } from "node:crypto";
import { type ImageSize, imageSize, isBase64, sniffMedia } from "@galley/parts";
import type { HeardBlock } from "./heard.ts";

export type Media = {
  readonly bytes: Uint8Array;
  /** By magic bytes; undefined when nothing is recognized. */
  readonly sniffed: string | undefined;
  readonly size: ImageSize | undefined;
};

/** Strict RFC 4648: the standard alphabet, padded, nothing in between. */
export const decodeBase64 = (data: string): Uint8Array | undefined =>
  isBase64(data) ? Buffer.from(data, "base64") : undefined;

/** Proto JSON takes both alphabets, with or without padding. */
export function decodeProtoBase64(data: string): Uint8Array | undefined {
  const bare = data.replace(/[-_]/g, (letter) => (letter === "-" ? "+" : "/")).replace(/=+$/, "");
  return decodeBase64(bare.padEnd(Math.ceil(bare.length / 4) * 4, "="));
}

export function examine(bytes: Uint8Array): Media {
  const sniffed = sniffMedia(bytes);
  return { bytes, sniffed, size: sniffed ? imageSize(bytes, sniffed) : undefined };
}

const DATA_URL = /^data:([^;,]*)((?:;[^;,]*)*),/;

/** `data:image/png;base64,…`; anything else is undefined. */
export function readDataUrl(url: string): { mediaType: string; base64: string } | undefined {
  const head = DATA_URL.exec(url);
  if (!head?.[2]?.endsWith(";base64")) return undefined;
  return { mediaType: (head[1] ?? "").toLowerCase(), base64: url.slice(head[0].length) };
}

export type HeardMedia = Extract<HeardBlock, { kind: "media" }>;

export function heardInline(base64: string, mediaType: string, name?: string): HeardMedia {
  const bytes = decodeProtoBase64(base64) ?? new Uint8Array();
  const { size } = examine(bytes);
  return {
    kind: "media",
    mediaType,
    bytes: bytes.byteLength,
    source: "inline",
    identity: createHash("sha256").update(bytes).digest("hex"),
    ...(name !== undefined && { name }),
    ...size,
  };
}

export function heardAddress(
  source: "url" | "file",
  address: string,
  mediaType = "unknown",
  name?: string,
): HeardMedia {
  return {
    kind: "media",
    mediaType,
    bytes: 0,
    source,
    identity: address,
    ...(name !== undefined && { name }),
  };
}
