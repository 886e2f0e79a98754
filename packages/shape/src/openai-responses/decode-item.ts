/**
 * One item of a Responses stream: a message, reasoning, or a call, from its first delta to its end.
 *
 * An item holds numbered blocks, which are what people see. The event that ends it has the whole
 * content once more: what no delta brought is said then, and only then is the item's own record
 * (its id, its encrypted reasoning) complete.
 */
import type { UiChunk } from "@galley/parts";
import { asList, asObject, asText, type JsonObject } from "../json-value.ts";
import { endInput } from "../openai/tool-input.ts";

export type Item =
  | {
      readonly kind: "text" | "reasoning";
      /** Names the blocks: unlike the item's id, the same in all its events. */
      readonly key: string;
      readonly itemId: string;
      /** Block to how many of its characters were said. */
      readonly blocks: ReadonlyMap<string, number>;
    }
  | {
      readonly kind: "call";
      readonly key: string;
      readonly itemId: string;
      readonly callId: string;
      readonly name: string;
      readonly json: string;
    };
type Grown = readonly [Item, readonly UiChunk[]];

/** Undefined for items of a kind that was not asked for, and for a call that nobody could run. */
export function openItem(key: string, item: JsonObject): Grown | undefined {
  const itemId = asText(item.id);
  switch (item.type) {
    case "message":
      return [speech("text", key, itemId), []];
    case "reasoning":
      return [speech("reasoning", key, itemId), []];
    case "function_call": {
      const callId = asText(item.call_id) || itemId || key;
      const name = asText(item.name);
      if (name === "") return undefined;
      const call: Item = { kind: "call", key, itemId, callId, name, json: "" };
      return [call, [{ type: "tool-input-start", toolCallId: callId, toolName: name }]];
    }
    default:
      return undefined;
  }
}

export const speech = (kind: "text" | "reasoning", key: string, itemId: string): Item => ({
  kind,
  key,
  itemId,
  blocks: new Map(),
});

/** An empty delta begins a block. */
export function growBlock(item: Item, block: string, delta: string): Grown {
  if (item.kind === "call") return [item, []];
  const id = `${item.key}:${block}`;
  const said = item.blocks.get(block);
  const chunks: UiChunk[] = [
    ...(said === undefined ? [{ type: `${item.kind}-start` as const, id }] : []),
    ...(delta === "" ? [] : [{ type: `${item.kind}-delta` as const, id, delta }]),
  ];
  const blocks = new Map(item.blocks).set(block, (said ?? 0) + delta.length);
  return [{ ...item, blocks }, chunks];
}

export function growCall(item: Item, delta: string): Grown {
  if (item.kind !== "call" || delta === "") return [item, []];
  const chunk = {
    type: "tool-input-delta",
    toolCallId: item.callId,
    inputTextDelta: delta,
  } as const;
  return [{ ...item, json: item.json + delta }, [chunk]];
}

/** The whole of a block: what was not said yet follows. */
export function catchUp(item: Item, block: string, whole: string): Grown {
  if (item.kind === "call") return [item, []];
  return growBlock(item, block, whole.slice(item.blocks.get(block) ?? 0));
}

/** `done` is the item as its last event has it. */
export function closeItem(item: Item, done: JsonObject): readonly UiChunk[] {
  if (item.kind === "call") return closeCall(item, done);
  const [whole, late] = wholeBlocks(done).reduce<Grown>(
    ([each, chunks], [block, text]) => {
      const [next, more] = catchUp(each, block, text);
      return [next, [...chunks, ...more]];
    },
    [item, []],
  );
  const encrypted = asText(done.encrypted_content);
  // Encrypted reasoning without a summary still needs a part that carries it.
  const [shown, bare] =
    encrypted !== "" && whole.kind === "reasoning" && whole.blocks.size === 0
      ? growBlock(whole, "0", "")
      : [whole, []];
  const metadata = record(item.itemId || asText(done.id), {
    ...(encrypted && { reasoningEncryptedContent: encrypted }),
    ...(asText(done.phase) && { phase: asText(done.phase) }),
  });
  return [...late, ...bare, ...endBlocks(shown, metadata)];
}

/** Ends what is open without the item's last word; a call stays as far as it was written. */
export const dropItem = (item: Item): readonly UiChunk[] =>
  endBlocks(item, record(item.itemId, {}));

function endBlocks(item: Item, metadata: ReturnType<typeof record>): UiChunk[] {
  if (item.kind === "call") return [];
  const type = `${item.kind}-end` as const;
  return [...item.blocks.keys()].map((block) => ({
    type,
    id: `${item.key}:${block}`,
    ...metadata,
  }));
}

function closeCall(item: Extract<Item, { kind: "call" }>, done: JsonObject): readonly UiChunk[] {
  const whole = asText(done.arguments);
  const [grown, late] = whole.startsWith(item.json)
    ? growCall(item, whole.slice(item.json.length))
    : [item, []];
  const json = grown.kind === "call" ? grown.json : "";
  const cut = done.status === "incomplete";
  const input = endInput(item.callId, item.name, whole || json, cut);
  return [...late, { ...input, ...record(item.itemId || asText(done.id), {}) }];
}

/** What the provider wants to see again with a later request, under its key. */
function record(itemId: string, rest: Readonly<Record<string, string>>) {
  const openai = { ...(itemId && { itemId }), ...rest };
  return Object.keys(openai).length > 0 ? { providerMetadata: { openai } } : {};
}

/** Summary parts have plain numbers; reasoning in full, which open models show, has its own. */
export const textBlock = (index: unknown): string => String(typeof index === "number" ? index : 0);
export const thoughtBlock = (index: unknown): string => `t${textBlock(index)}`;

function wholeBlocks({ type, content, summary }: JsonObject): [block: string, text: string][] {
  const texts = (list: unknown) =>
    asList(list).map((part) => {
      const { text, refusal } = asObject(part);
      return asText(text) || asText(refusal);
    });
  const name = type === "reasoning" ? thoughtBlock : textBlock;
  return [
    ...texts(summary).map((text, index): [string, string] => [textBlock(index), text]),
    ...texts(content).map((text, index): [string, string] => [name(index), text]),
  ];
}
