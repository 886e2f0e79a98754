/**
 * System layers as one message of several text parts, the first of the conversation, so that each
 * layer can be found again in the bytes.
 */
import type { Layer } from "@galley/assemble";
import type { Envelope } from "../protocol.ts";
import { wireJson } from "../wire-json.ts";

type Opening = { readonly open: string; readonly type: "text" | "input_text" };

/** A request has at least one message after it, so the comma has something to part. */
export function withLayers(
  before: string,
  layers: readonly Layer[],
  { open, type }: Opening,
): Omit<Envelope, "tail"> {
  if (layers.length === 0) return { head: before, traces: [] };
  let head = before + open;
  const traces = layers.map(({ id, text }, index) => {
    if (index > 0) head += ",";
    const start = head.length;
    head += wireJson({ type, text });
    return { layer: id, start, end: head.length };
  });
  return { head: `${head}]},`, traces };
}
