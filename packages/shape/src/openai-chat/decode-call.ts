/**
 * Tool calls in a Chat Completions stream: deltas that name their call by its place, interleaved.
 *
 * OpenAI gives the place with every delta, the id and the name with the first. Other servers give
 * no place, or the same one for all; no id; or the name late. None of it may mix two calls up.
 */
import type { UiChunk } from "@galley/parts";
import { asObject, asText, type JsonObject } from "../json-value.ts";
import { endInput, namelessCall } from "../openai/tool-input.ts";
import { wireJson } from "../wire-json.ts";

export type Call = {
  readonly index: number | undefined;
  /** As the server sent it; empty when it sent none. */
  readonly given: string;
  readonly id: string;
  /** Empty until it is known: a call without a name has not started yet. */
  readonly name: string;
  readonly json: string;
  readonly open: boolean;
};
type Pushed = readonly [readonly Call[], readonly UiChunk[]];

/** `stem` makes an id for a call that comes without one. */
export function pushCall(calls: readonly Call[], delta: JsonObject, stem: string): Pushed {
  const { name, arguments: piece } = asObject(delta.function);
  const at = placeOf(calls, delta, asText(name));
  const before = calls[at] ?? fresh(delta, `${stem}_${calls.length}`);
  const after: Call = {
    ...before,
    name: before.name || asText(name),
    json: before.json + argumentText(piece),
  };
  const next = at === -1 ? [...calls, after] : calls.with(at, after);
  return [next, grown(before, after)];
}

function fresh({ id, index }: JsonObject, made: string): Call {
  const given = asText(id);
  return {
    index: typeof index === "number" ? index : undefined,
    given,
    id: given || made,
    name: "",
    json: "",
    open: true,
  };
}

/** Which call a delta goes on with; -1 when it begins another one. */
function placeOf(calls: readonly Call[], { index, id }: JsonObject, name: string): number {
  const given = asText(id);
  if (typeof index === "number") {
    const at = calls.findLastIndex((call) => call.open && call.index === index);
    const known = calls[at]?.given ?? "";
    return given !== "" && known !== "" && given !== known ? -1 : at;
  }
  if (given !== "") return calls.findLastIndex((call) => call.open && call.given === given);
  return name === "" ? calls.findLastIndex((call) => call.open) : -1;
}

/** A few servers send the arguments as an object, whole. */
const argumentText = (piece: unknown): string =>
  typeof piece === "object" && piece !== null ? wireJson(piece) : asText(piece);

function grown(before: Call, after: Call): UiChunk[] {
  if (after.name === "") return [];
  const { id: toolCallId, name: toolName } = after;
  const start: UiChunk[] =
    before.name === "" ? [{ type: "tool-input-start", toolCallId, toolName }] : [];
  const inputTextDelta = after.json.slice(before.name === "" ? 0 : before.json.length);
  if (inputTextDelta === "") return start;
  return [...start, { type: "tool-input-delta", toolCallId, inputTextDelta }];
}

/** `cut`: the answer was stopped by a limit, perhaps inside a call. */
export function closeCalls(calls: readonly Call[], cut: boolean): Pushed {
  const chunks = calls.filter(({ open }) => open).flatMap((call) => closeCall(call, cut));
  return [calls.map((call) => ({ ...call, open: false })), chunks];
}

function closeCall({ id, name, json, given }: Call, cut: boolean): UiChunk[] {
  if (name !== "") return [endInput(id, name, json, cut)];
  return json === "" && given === "" ? [] : [namelessCall(json)];
}
