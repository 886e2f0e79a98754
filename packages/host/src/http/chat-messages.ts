/**
 * Stored messages as the AI SDK's UI messages: what `chat-request.ts` takes apart, put together
 * again. Answers are stored in that shape; of a user's parts those that it does not know go inside
 * `data-galley`, and come back from there as they were.
 */
import { type AssistantPart, isPart, kindOfAssistantPart, type UserPart } from "@galley/parts";
import type { MessageWithParts } from "@galley/persist";
import { z } from "zod";
import { UiMessage } from "./chat-request.ts";
import { GALLEY_DATA } from "./stored-answer.ts";

export const ChatMessages = z.looseObject({ messages: z.array(UiMessage) });

type UiPart = { readonly type: string; readonly [key: string]: unknown };

export function uiMessage({ message, parts }: MessageWithParts) {
  const { id, role, metadata_json } = message;
  const stored = parts.map(({ data_json }) => JSON.parse(data_json) as UiPart);
  const shown = role === "user" ? stored.map(userPart) : stored.map(answerPart);
  return { id, role, metadata: JSON.parse(metadata_json) as unknown, parts: shown };
}

const inside = (part: UiPart): UiPart => ({ type: GALLEY_DATA, data: part });

const answerPart = (part: UiPart): UiPart =>
  kindOfAssistantPart((part as AssistantPart).type) === "foreign" ? inside(part) : part;

function userPart(part: UiPart): UiPart {
  const known = part as UserPart;
  if (part.type.startsWith("data-") && part.type !== GALLEY_DATA) return part;
  if (!isPart(known)) return inside(part);
  if (known.type === "text") return known;
  const url = known.type === "file-attachment" ? addressOf(known) : undefined;
  if (known.type !== "file-attachment" || url === undefined) return inside(part);
  return { type: "file", mediaType: known.mime, filename: known.name, url };
}

function addressOf(file: { mime: string; data?: unknown; url?: unknown; content_id?: unknown }) {
  if (typeof file.data === "string") return `data:${file.mime};base64,${file.data}`;
  if (typeof file.url === "string") return file.url;
  return typeof file.content_id === "string" ? `/v1/blobs/${file.content_id}` : undefined;
}
