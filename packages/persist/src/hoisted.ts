/** What is lifted out of JSON into columns, because something looks for it there. */
import { kindOfAssistantPart, ToolState } from "@galley/parts";
import { readObject } from "./json-text.ts";
import { StoreError } from "./store-error.ts";

type Json = Readonly<Record<string, unknown>>;

export type PartColumns = {
  readonly type: string;
  readonly tool_call_id: string | null;
  readonly tool_state: ToolState | null;
};

export function userPartColumns(data_json: string): PartColumns {
  return { type: typeOf(readObject(data_json, "a part")), tool_call_id: null, tool_state: null };
}

export function answerPartColumns(data_json: string): PartColumns {
  const part = readObject(data_json, "a part");
  const type = typeOf(part);
  if (kindOfAssistantPart(type) !== "tool") return { type, tool_call_id: null, tool_state: null };
  const state = ToolState.safeParse(part.state);
  return {
    type,
    tool_call_id: isColumn(part.toolCallId) ? part.toolCallId : null,
    tool_state: state.success ? state.data : null,
  };
}

/** A column is only what is looked for: half a character in it keeps no part out of the store. */
function typeOf(part: Json): string {
  if (typeof part.type === "string" && part.type !== "") return part.type.toWellFormed();
  throw StoreError.make("invalid", { what: "a part", issue: "it has no type" });
}

/** An escape in JSON can spell half of a surrogate pair, which a column cannot hold. */
const isColumn = (value: unknown): value is string =>
  typeof value === "string" && value.isWellFormed();

/** The metadata that decides what a turn does: a retry must agree on it. */
export function turnMetadata(metadata: Json): Json {
  const { model, agent, mode, trigger } = metadata;
  return { model, agent, mode, trigger };
}

export type Counts = {
  readonly usage_input: number;
  readonly usage_output: number;
  readonly usage_reasoning: number;
  readonly usage_cache_read: number;
  readonly usage_cache_write: number;
  readonly cost_usd: number;
};

export function countsOf(metadata: Json): Counts {
  const usage = (
    typeof metadata.usage === "object" && metadata.usage ? metadata.usage : {}
  ) as Json;
  return {
    usage_input: tokens(usage.input),
    usage_output: tokens(usage.output),
    usage_reasoning: tokens(usage.reasoning),
    usage_cache_read: tokens(usage.cache_read),
    usage_cache_write: tokens(usage.cache_write),
    cost_usd: typeof metadata.cost_usd === "number" ? metadata.cost_usd : 0,
  };
}

/** No request has had so many: a number that would spoil every sum is none. */
const MOST_TOKENS = 2 ** 40;

const tokens = (value: unknown): number =>
  typeof value === "number" && Number.isSafeInteger(value) && Math.abs(value) <= MOST_TOKENS
    ? value
    : 0;

const CONTENT_ID = /^sha256:[0-9a-f]{64}$/;

/** Every blob that a JSON text names, at any depth, each once. */
export function contentIdsIn(text: string): readonly string[] {
  // Most parts name none: a look at the text saves parsing it. An escaped spelling is not ours.
  if (!text.includes('"sha256:')) return [];
  const found = new Set<string>();
  const open: unknown[] = [JSON.parse(text)];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== "object" || value === null) continue;
    const id = (value as Json).content_id;
    if (typeof id === "string" && CONTENT_ID.test(id)) found.add(id);
    open.push(...Object.values(value));
  }
  return [...found].sort();
}
