/**
 * Layers, history and the new message become one context, with a manifest that counts all of it.
 *
 * It is given everything and reads nothing. The manifest names each block once, with its size, so
 * that what the model is shown can be held against what came in.
 */
import { base64Head, base64Size, mediaClass, sniffMedia, type UserPart } from "@galley/parts";
import type {
  AssembledContext,
  ContextMessage,
  Layer,
  Material,
  ToolChoice,
  ToolDefinition,
} from "./context.ts";
import { estimateMedia, estimateTokens } from "./estimate.ts";
import { type Settlement, settleHistory } from "./settle-history.ts";

export type AssembleInput = {
  readonly layers: readonly Layer[];
  readonly messages: readonly ContextMessage[];
  readonly tools?: readonly ToolDefinition[];
  readonly toolChoice?: ToolChoice;
  /** Tokens. */
  readonly contextWindow: number;
  readonly maxOutput: number;
  /** Whether the model is shown bytes of this type; all are, when nobody says. */
  readonly shows?: (mime: string) => boolean;
};

export type ManifestBlock = {
  readonly message_id?: string;
  readonly role: "user" | "assistant";
  readonly part: number;
  readonly type: string;
  readonly tokens: number;
};

export type Manifest = {
  readonly layers: readonly { readonly id: string; readonly tokens: number }[];
  readonly tools: readonly { readonly name: string; readonly tokens: number }[];
  readonly blocks: readonly ManifestBlock[];
  /** Tokens of input, and how many fit beside the longest answer. */
  readonly estimate: number;
  readonly limit: number;
  readonly over_limit: boolean;
  /** What was changed in the history so that a provider takes it. */
  readonly settlements: readonly Settlement[];
};

export function assemble(input: AssembleInput): { context: AssembledContext; manifest: Manifest } {
  const { layers, tools = [], toolChoice } = input;
  const { messages, settlements } = settleHistory(input.messages);
  const sizedLayers = layers.map(({ id, text }) => ({ id, tokens: estimateTokens(text) }));
  const sizedTools = tools.map((tool) => ({
    name: tool.name,
    tokens: estimateTokens(JSON.stringify(tool)),
  }));
  const shows = input.shows ?? (() => true);
  const blocks = messages.flatMap((message) => blocksOf(message, shows));
  const estimate = [...sizedLayers, ...sizedTools, ...blocks].reduce(
    (sum, { tokens }) => sum + tokens,
    0,
  );
  const limit = input.contextWindow - input.maxOutput;
  return {
    context: { layers, messages, tools, ...(toolChoice && { toolChoice }) },
    manifest: {
      layers: sizedLayers,
      tools: sizedTools,
      blocks,
      estimate,
      limit,
      over_limit: estimate > limit,
      settlements,
    },
  };
}

type Shows = (mime: string) => boolean;

function blocksOf(message: ContextMessage, shows: Shows): ManifestBlock[] {
  return message.parts.map((part, index) => ({
    ...(message.id !== undefined && { message_id: message.id }),
    role: message.role,
    part: index,
    type: part.type,
    tokens:
      message.role === "user"
        ? userTokens(part as UserPart, message.materials[index], shows)
        : estimateTokens(JSON.stringify(part)),
  }));
}

function userTokens(part: UserPart, material: Material | undefined, shows: Shows): number {
  if (material?.kind === "text") return estimateTokens(material.text);
  if (material?.kind === "bytes") return mediaTokens(material.mime, material.size, shows);
  if (part.type === "file-attachment" && typeof part.data === "string") {
    return mediaTokens(sniffMedia(base64Head(part.data)), base64Size(part.data), shows);
  }
  return estimateTokens(part.type === "text" ? String(part.text) : JSON.stringify(part));
}

/** About what a line takes that names a file instead of showing it. */
const DESCRIPTOR_TOKENS = 50;
const BYTES_A_TOKEN = 4;

function mediaTokens(mime: string | undefined, size: number, shows: Shows): number {
  if (mime === undefined || size === 0) return DESCRIPTOR_TOKENS;
  if (mediaClass(mime) === "text") return Math.ceil(size / BYTES_A_TOKEN);
  return shows(mime) ? estimateMedia(mime, size) : DESCRIPTOR_TOKENS;
}
