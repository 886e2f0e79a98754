/** Sizes of what stands before the messages: layers, tools, and the opening where there is one. */
import type { Sum } from "./budget.ts";
import type { Layer, ToolDefinition } from "./context.ts";
import { digestOf } from "./digest.ts";
import { addMeasure, estimateTokens, type Measure, measureText, NO_TOKENS } from "./estimate.ts";
import type { ManifestLayer, ManifestTool } from "./manifest.ts";
import { factsOf } from "./message-facts.ts";
import { OPENING } from "./settle-history.ts";

export type SizedFront = Sum & {
  readonly layers: readonly ManifestLayer[];
  readonly tools: readonly ManifestTool[];
  /** Not in the sum. */
  readonly opening: Sum & { readonly digest: string };
};

export function sizeFront(layers: readonly Layer[], tools: readonly ToolDefinition[]): SizedFront {
  const sizedLayers = layers.map((layer) => ({
    id: layer.id,
    ...sizeOf(layer, () => layer.text),
  }));
  const sizedTools = tools.map((tool) => ({
    name: tool.name,
    ...sizeOf(tool, () => JSON.stringify(tool)),
  }));
  const all = [...sizedLayers, ...sizedTools];
  const { measure, tokens, listed } = factsOf(OPENING);
  return {
    layers: sizedLayers.map(({ measure: _, ...layer }) => layer),
    tools: sizedTools.map(({ measure: _, ...tool }) => tool),
    measure: all.reduce((sum, each) => addMeasure(sum, each.measure), NO_TOKENS),
    tokens: all.reduce((sum, each) => sum + each.tokens, 0),
    opening: { measure, tokens, digest: listed[0]?.digest ?? "" },
  };
}

type Size = { readonly tokens: number; readonly digest: string; readonly measure: Measure };

/** Layers and tools are the same objects from step to step. */
const known = new WeakMap<Layer | ToolDefinition, Size>();

function sizeOf(of: Layer | ToolDefinition, read: () => string): Size {
  const found = known.get(of);
  if (found) return found;
  const text = read();
  const size = { tokens: estimateTokens(text), digest: digestOf(text), measure: measureText(text) };
  known.set(of, size);
  return size;
}
