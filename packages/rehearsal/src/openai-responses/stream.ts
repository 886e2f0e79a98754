/**
 * The events of a streamed response, numbered. The order inside an item is the documented one:
 * item added, part added, deltas, done, part done, item done.
 */
import type { Heard } from "../heard.ts";
import { jsonPieces, type Said } from "../said.ts";
import { type WireEvent, wireEvent } from "../wire.ts";
import type { Item } from "./items.ts";
import { finalStatus, outputItems, outputText, responseObject } from "./output.ts";

type Event = { readonly type: string } & Record<string, unknown>;

export function responseEvents(said: Said, heard: Heard): WireEvent[] {
  const items = outputItems(said, heard);
  const started = responseObject(said, heard, "in_progress", []);
  const status = finalStatus(said);
  const events: Event[] = [
    { type: "response.created", response: started },
    { type: "response.in_progress", response: started },
    ...items.flatMap((item, index) => itemEvents(item, index, said)),
    { type: `response.${status}`, response: responseObject(said, heard, status, items) },
  ];
  return events.map((event, sequence_number) =>
    wireEvent({ ...event, sequence_number }, event.type),
  );
}

function itemEvents(item: Item, output_index: number, said: Said): Event[] {
  const place = { item_id: item.id, output_index };
  return [
    { type: "response.output_item.added", output_index, item: emptied(item) },
    ...innerEvents(item, place, said),
    { type: "response.output_item.done", output_index, item },
  ];
}

/** An item as it is announced, before anything was said in it. */
function emptied(item: Item): Record<string, unknown> {
  switch (item.type) {
    case "reasoning":
      return { ...item, summary: [] };
    case "message":
      return { ...item, status: "in_progress", content: [] };
    default:
      return { ...item, status: "in_progress", arguments: "" };
  }
}

type Place = { readonly item_id: unknown; readonly output_index: number };

function innerEvents(item: Item, place: Place, said: Said): Event[] {
  switch (item.type) {
    case "reasoning":
      return summaryEvents(said.reasoning ?? "", place);
    case "message":
      return (item.content as Record<string, unknown>[]).flatMap((part, content_index) =>
        part.type === "refusal"
          ? refusalEvents(String(part.refusal), { ...place, content_index })
          : textEvents(String(part.text), said.chunks, { ...place, content_index }),
      );
    default:
      return [
        ...jsonPieces(JSON.parse(String(item.arguments))).map((delta) => ({
          type: "response.function_call_arguments.delta",
          ...place,
          delta,
        })),
        { type: "response.function_call_arguments.done", ...place, arguments: item.arguments },
      ];
  }
}

function summaryEvents(text: string, place: Place): Event[] {
  const at = { ...place, summary_index: 0 };
  const part = (words: string) => ({ type: "summary_text", text: words });
  return [
    { type: "response.reasoning_summary_part.added", ...at, part: part("") },
    { type: "response.reasoning_summary_text.delta", ...at, delta: text },
    { type: "response.reasoning_summary_text.done", ...at, text },
    { type: "response.reasoning_summary_part.done", ...at, part: part(text) },
  ];
}

type PartPlace = Place & { readonly content_index: number };

function textEvents(text: string, chunks: readonly string[], at: PartPlace): Event[] {
  return [
    { type: "response.content_part.added", ...at, part: outputText("") },
    ...chunks.map((delta) => ({
      type: "response.output_text.delta",
      ...at,
      delta,
      logprobs: [],
    })),
    { type: "response.output_text.done", ...at, text, logprobs: [] },
    { type: "response.content_part.done", ...at, part: outputText(text) },
  ];
}

function refusalEvents(refusal: string, at: PartPlace): Event[] {
  return [
    { type: "response.content_part.added", ...at, part: { type: "refusal", refusal: "" } },
    { type: "response.refusal.delta", ...at, delta: refusal },
    { type: "response.refusal.done", ...at, refusal },
    { type: "response.content_part.done", ...at, part: { type: "refusal", refusal } },
  ];
}
