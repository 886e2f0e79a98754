/**
 * What a server's tool gave, as the envelope of every tool: its content list, with each item as it
 * came. What is too long for a conversation is cut, said so, and kept whole in the session's scratch
 * folder.
 */
import type { ToolContext, ToolOutput } from "@galley/turn";
import type { Scratch } from "../tools/scratch.ts";
import { type Kept, keepAll } from "../tools/spill.ts";
import { isJson } from "./foreign-schema.ts";

type Item = Readonly<Record<string, unknown>> & { readonly type: string };

const TEXT_BYTES = 200 * 1024;
/** Of base64, all media of one result together. */
const MEDIA_BYTES = 8 * 1024 * 1024;

const KNOWN = new Set(["text", "image", "audio", "resource", "resource_link"]);

export async function callOutput(
  answer: Readonly<Record<string, unknown>>,
  context: ToolContext,
  scratch: Scratch,
): Promise<ToolOutput> {
  const items = itemsOf(answer);
  const cut = cutItems(items);
  const kept = cut.isCut ? await keepWhole(items, context, scratch) : undefined;
  const content = cut.isCut ? [...cut.items, textItem(sayCut(cut, kept))] : cut.items;
  const metadata = cut.isCut && {
    metadata: { truncated: true, ...(kept?.ok && { output_path: kept.path }) },
  };
  if (answer.isError === true && content.every(({ type }) => type === "text")) {
    const said = content.map(({ text }) => String(text)).join("\n");
    return { type: "error", error_text: said || "it failed without a message", ...metadata };
  }
  const isError = answer.isError === true && { isError: true };
  return { type: "output", data: { content, ...isError }, ...metadata };
}

/** Every item is one that a model can be shown; whatever else there is, is shown as its JSON. */
function itemsOf({
  content,
  structuredContent,
  isError: _,
  _meta,
  ...rest
}: Item | Readonly<Record<string, unknown>>): Item[] {
  const listed = Array.isArray(content) ? content : content === undefined ? [] : [content];
  const items = listed.map((item): Item => {
    if (isJson(item) && typeof item.type === "string" && KNOWN.has(item.type)) return item as Item;
    return textItem(JSON.stringify(item));
  });
  if (items.length > 0) return items;
  // Servers that give structure are to give it as text too; one that does not has said it once.
  const whole = structuredContent ?? (Object.keys(rest).length > 0 ? rest : undefined);
  return whole === undefined ? [] : [textItem(JSON.stringify(whole))];
}

const textItem = (text: string): Item => ({ type: "text", text });

type Cut = { readonly items: Item[]; readonly isCut: boolean; readonly bytes: number };

function cutItems(items: readonly Item[]): Cut {
  let textRoom = TEXT_BYTES;
  let mediaRoom = MEDIA_BYTES;
  let bytes = 0;
  let isCut = false;
  const kept = items.flatMap((item): Item[] => {
    const { text, media } = bodyOf(item);
    if (media !== undefined) {
      mediaRoom -= media.length;
      if (mediaRoom >= 0) return [item];
      isCut = true;
      mediaRoom += media.length;
      return [textItem(`[${item.type} of ${media.length} characters of base64: too large]`)];
    }
    const whole = Buffer.from(text ?? JSON.stringify(item));
    bytes += whole.length;
    const room = textRoom;
    textRoom = Math.max(0, textRoom - whole.length);
    if (whole.length <= room) return [item];
    isCut = true;
    return room === 0 ? [] : [textItem(beginning(whole, room))];
  });
  return { items: kept, isCut, bytes };
}

function bodyOf(item: Item): { readonly text?: string; readonly media?: string } {
  const held = isJson(item.resource) ? item.resource : item;
  if (typeof held.text === "string") return { text: held.text };
  const media = held.blob ?? held.data;
  return typeof media === "string" ? { media } : {};
}

/** Whole characters, as many as fit. */
function beginning(bytes: Buffer, room: number): string {
  let end = room;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString("utf8", 0, end);
}

/** Text as it was, media as their base64: all that the server said. */
function keepWhole(items: readonly Item[], context: ToolContext, scratch: Scratch): Promise<Kept> {
  const bodies = items.map((item) => {
    const { text, media } = bodyOf(item);
    return text ?? media ?? JSON.stringify(item);
  });
  return keepAll(scratch, context, Buffer.from(bodies.join("\n")));
}

function sayCut({ bytes }: Cut, kept: Kept | undefined): string {
  const rest = kept?.ok
    ? `all of it is in ${kept.path}, which the read tool opens`
    : `the rest is lost: ${kept?.reason}`;
  return `[cut: the first ${Math.min(bytes, TEXT_BYTES)} of ${bytes} bytes of text are shown; ${rest}]`;
}
