/**
 * The body of the AI SDK's default transport, and what of it is ours to take: the last message. The
 * history that comes along is not read, because the session has its own.
 */
import { createHash } from "node:crypto";
import { type MessageId, SessionId } from "@galley/parts";
import { z } from "zod";
import type { ComposeInput } from "../pipeline/pipeline.ts";
import { HttpError } from "./problem.ts";
import { checked, DraftPart, inputOf, model } from "./requests.ts";
import { GALLEY_DATA } from "./stored-answer.ts";

const UiPart = z.looseObject({ type: z.string().min(1) });

export const UiMessage = z.looseObject({
  id: z.string().min(1).max(4_096).describe("the key under which a retry is known"),
  role: z.enum(["user", "assistant", "system"]),
  parts: z.array(UiPart),
  metadata: z.json().exactOptional(),
});
export type UiMessage = z.infer<typeof UiMessage>;

/** Fields that an application adds by itself are refused: they would be lost. */
export const ChatRequest = z.strictObject({
  id: z.string().min(1).max(4_096).describe("the chat's id; ses_… is a session's own"),
  messages: z.array(z.unknown()).min(1).describe("UI messages; only the last is read"),
  trigger: z.enum(["submit-message", "regenerate-message"]).exactOptional(),
  messageId: z.string().max(4_096).nullable().exactOptional(),
  model,
});
export type ChatRequest = z.infer<typeof ChatRequest>;

export const lastOf = ({ messages }: ChatRequest): UiMessage => checked(UiMessage, messages.at(-1));

/** An id of ours is itself; one that fits becomes ours, and of any other its hash. */
function ourId(prefix: "ses" | "msg", id: string): string {
  const whole = id.startsWith(`${prefix}_`) ? id : `${prefix}_${id}`;
  if (/^[a-z]{3}_[A-Za-z0-9_-]{1,128}$/.test(whole)) return whole;
  return `${prefix}_${createHash("sha256").update(id).digest("base64url")}`;
}

export const sessionOfChat = (id: string): SessionId => SessionId.parse(ourId("ses", id));

export const messageOfChat = (id: string): MessageId => ourId("msg", id);

/** The parts of a UI message in ours: text as typed, files as attachments, ours as they are. */
export function chatInput({ parts, metadata }: UiMessage): ComposeInput {
  const ours = parts.flatMap(ourParts);
  const draft = checked(z.array(DraftPart), ours);
  return inputOf({
    draft: { parts: draft, ...(metadata !== undefined && { metadata: { ui_metadata: metadata } }) },
  });
}

type Part = z.infer<typeof UiPart>;

function ourParts(part: Part): readonly Part[] {
  switch (part.type) {
    case "text":
      return [{ ...part, type: "typed" }];
    case "file":
      return [attachment(part)];
    case GALLEY_DATA:
      return checked(z.array(UiPart), Array.isArray(part.data) ? part.data : [part.data]);
    default:
      return [part];
  }
}

function attachment({ type: _, url, mediaType, filename, ...rest }: Part): Part {
  if (typeof url !== "string") throw bad("parts: a file has a url");
  const name = typeof filename === "string" && filename !== "" ? filename : "attachment";
  const [, declared = "", base64, data] = DATA_URL.exec(url) ?? [];
  const mime = typeof mediaType === "string" ? mediaType : declared || "application/octet-stream";
  const file = { ...rest, type: "file-attachment", name, mime };
  if (data === undefined) return { ...file, url };
  return { ...file, data: base64 ? data : Buffer.from(unescaped(data)).toString("base64") };
}

const DATA_URL = /^data:([^;,]*)(?:;(?!base64,)[^;,]*)*(;base64)?,(.*)$/is;

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    throw bad("parts: a data: URL that cannot be read", error);
  }
}

const bad = (issue: string, cause?: unknown) =>
  HttpError.make("bad_shape", { issues: [issue] }, { cause });
