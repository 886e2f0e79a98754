/**
 * What the model heard: a request after validation, in words that no provider owns.
 *
 * Scripts, the default answer, usage and the prompt cache read this and never a body. The body as it
 * was parsed travels along for whoever wants the provider's own spelling.
 */
import type { Json } from "./check.ts";
import type { ProtocolId } from "./protocol.ts";
import { blockTokens, type CountTokens } from "./tokens.ts";

type Marked = { readonly cacheMarker?: true };

export type HeardBlock = Marked &
  (
    | { readonly kind: "text"; readonly text: string }
    | { readonly kind: "reasoning"; readonly text: string }
    | {
        readonly kind: "media";
        readonly mediaType: string;
        /** Decoded size; 0 when only an address was given. */
        readonly bytes: number;
        readonly source: "inline" | "url" | "file";
        /** SHA-256 of the data, or the address: two equal blocks have equal identities. */
        readonly identity: string;
        readonly name?: string;
        readonly width?: number;
        readonly height?: number;
      }
    | {
        readonly kind: "tool-call";
        readonly id: string;
        readonly name: string;
        readonly input: unknown;
      }
    | {
        readonly kind: "tool-result";
        readonly id: string;
        readonly isError: boolean;
        readonly blocks: readonly HeardBlock[];
      }
    | { readonly kind: "other"; readonly type: string; readonly json: string }
  );

export type HeardMessage = { readonly role: string; readonly blocks: readonly HeardBlock[] };
export type HeardTool = { readonly name: string; readonly json: string } & Marked;

export type Heard = {
  readonly protocol: ProtocolId;
  readonly model: string;
  readonly stream: boolean;
  /** Gemini without `alt=sse` streams one JSON array instead of events. */
  readonly framing?: "json-array";
  readonly system: readonly HeardBlock[];
  readonly messages: readonly HeardMessage[];
  readonly tools: readonly HeardTool[];
  readonly maxOutput?: number;
  readonly cacheMarkers: number;
  /** Estimated tokens of everything above. */
  readonly inputTokens: number;
  readonly body: Json;
};

/** One piece of the prompt in the order a provider hashes it: tools, system, messages. */
export type Segment = { readonly key: string; readonly tokens: number; readonly marked: boolean };

export function segmentsOf(
  heard: Pick<Heard, "tools" | "system" | "messages">,
  count: CountTokens,
): Segment[] {
  const tools = heard.tools.map((tool) => ({
    key: `tool ${tool.json}`,
    tokens: count(tool.json),
    marked: tool.cacheMarker ?? false,
  }));
  const blocks = [
    ...heard.system.map((block) => ({ role: "system", block })),
    ...heard.messages.flatMap(({ role, blocks }) => blocks.map((block) => ({ role, block }))),
  ].map(({ role, block }) => ({
    key: `${role} ${JSON.stringify({ ...block, cacheMarker: undefined })}`,
    tokens: blockTokens(block, count),
    marked: block.cacheMarker ?? false,
  }));
  return [...tools, ...blocks];
}

export const totalTokens = (segments: readonly Segment[]): number =>
  segments.reduce((sum, { tokens }) => sum + tokens, 0);

/** The words of a heard block, for rules that look into the text of a prompt. */
export function wordsOf(blocks: readonly HeardBlock[]): string {
  return blocks
    .map((block) => {
      if (block.kind === "text" || block.kind === "reasoning") return block.text;
      return block.kind === "tool-result" ? wordsOf(block.blocks) : "";
    })
    .join(" ");
}
