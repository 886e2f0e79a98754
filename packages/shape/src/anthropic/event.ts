/**
 * One event of an Anthropic stream, read so that nothing in it can surprise: a field of another
 * type than the API documents counts as absent. What the fields mean is decided in `decode.ts`.
 */
import { parseEvent } from "../decode.ts";
import { asCount, asObject, asText, countOrNone, type JsonObject } from "../json-value.ts";

export type Counts = {
  readonly input?: number | undefined;
  readonly output?: number | undefined;
  readonly thinking?: number | undefined;
  readonly cacheRead?: number | undefined;
  readonly cacheWrite?: number | undefined;
};

export type AnthropicEvent = {
  readonly type: string | undefined;
  readonly index: number;
  readonly id: string | undefined;
  readonly model: string | undefined;
  readonly block: {
    readonly type: string | undefined;
    readonly id: string | undefined;
    readonly name: string | undefined;
    readonly data: string;
    readonly text: string;
    readonly raw: JsonObject;
  };
  readonly delta: {
    readonly type: string | undefined;
    readonly text: string;
    readonly thinking: string;
    readonly signature: string;
    readonly json: string;
    readonly stopReason: string | undefined;
    readonly raw: JsonObject;
  };
  readonly counts: Counts;
  readonly error: string;
};

export function readEvent(data: string): AnthropicEvent | undefined {
  const event = parseEvent<JsonObject>(data);
  if (!event) return undefined;
  const message = asObject(event.message);
  return {
    type: word(event.type),
    index: asCount(event.index),
    id: word(message.id),
    model: word(message.model),
    block: readBlock(asObject(event.content_block)),
    delta: readDelta(asObject(event.delta)),
    counts: readCounts(asObject(event.usage ?? message.usage)),
    error: sayError(asObject(event.error)),
  };
}

const readBlock = (block: JsonObject): AnthropicEvent["block"] => ({
  type: word(block.type),
  id: word(block.id),
  name: word(block.name),
  data: asText(block.data),
  text: asText(block.text),
  raw: block,
});

const readDelta = (delta: JsonObject): AnthropicEvent["delta"] => ({
  type: word(delta.type),
  text: asText(delta.text),
  thinking: asText(delta.thinking),
  signature: asText(delta.signature),
  json: asText(delta.partial_json),
  stopReason: word(delta.stop_reason),
  raw: delta,
});

const readCounts = (usage: JsonObject): Counts => ({
  input: countOrNone(usage.input_tokens),
  output: countOrNone(usage.output_tokens),
  thinking: countOrNone(asObject(usage.output_tokens_details).thinking_tokens),
  cacheRead: countOrNone(usage.cache_read_input_tokens),
  cacheWrite: countOrNone(usage.cache_creation_input_tokens),
});

const sayError = (error: JsonObject): string =>
  [asText(error.type), asText(error.message)].filter(Boolean).join(": ") ||
  "the provider reported an error";

const word = (value: unknown): string | undefined => asText(value) || undefined;
