/**
 * Token estimates: deterministic, roughly honest, never a tokenizer.
 *
 * Text is counted by the function the caller plugs in (default: characters ÷ 4, rounded up). Images
 * cost what Anthropic documents, width × height ÷ 750, at most 1,600; other media, whose cost no
 * byte count gives away, a token for each 512 bytes.
 */
import type { HeardBlock } from "./heard.ts";

export type CountTokens = (text: string) => number;

export const countByLength: CountTokens = (text) => Math.ceil(text.length / 4);

const PIXELS_A_TOKEN = 750;
const IMAGE_TOKENS_MAX = 1_600;
const BYTES_A_TOKEN = 512;

export function blockTokens(block: HeardBlock, count: CountTokens): number {
  switch (block.kind) {
    case "text":
    case "reasoning":
      return count(block.text);
    case "media":
      return mediaTokens(block);
    case "tool-call":
      return count(block.name + JSON.stringify(block.input ?? null));
    case "tool-result":
      return block.blocks.reduce((sum, inner) => sum + blockTokens(inner, count), 0);
    case "other":
      return count(block.json);
  }
}

function mediaTokens(media: Extract<HeardBlock, { kind: "media" }>): number {
  if (media.width && media.height) {
    return Math.min(IMAGE_TOKENS_MAX, Math.ceil((media.width * media.height) / PIXELS_A_TOKEN));
  }
  return Math.ceil(media.bytes / BYTES_A_TOKEN);
}
