/**
 * Rules across the messages of a chat: what each role may hold, and the pairing of tool calls.
 * OpenAI has no rule about the first role, about neighbours of one role or about empty text.
 */
import { isJson } from "../check.ts";
import { decodeBase64, examine } from "../media.ts";
import type { RehearsalModel } from "../model.ts";
import { invalid, paramOf } from "../openai/complain.ts";
import { refuseFileData, refuseImageUrl } from "../openai/media.ts";
import { type Complaint, firstComplaint } from "../refuse.ts";
import type { Message, Part } from "./shape.ts";

export function refuseMessages(
  messages: readonly Message[],
  model: RehearsalModel,
): Complaint | undefined {
  return firstComplaint(
    () => refuseSilence(messages),
    () => refusePairing(messages),
    () => refuseParts(messages, model),
  );
}

/** Observed: an assistant message without content needs something else to be. */
function refuseSilence(messages: readonly Message[]): Complaint | undefined {
  const index = messages.findIndex(
    (message) =>
      message.role === "assistant" &&
      (message.content === null || message.content === undefined) &&
      !message.tool_calls &&
      !message.refusal &&
      !message.function_call &&
      !message.audio,
  );
  return index === -1
    ? undefined
    : invalid(
        "Invalid value for 'content': expected a string, got null.",
        `messages.[${index}].content`,
      );
}

/** Documented and observed: results follow their call at once, each once, before anything else. */
function refusePairing(messages: readonly Message[]): Complaint | undefined {
  let open = new Set<string>();
  let answered = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (message.role === "tool") {
      const id = message.tool_call_id ?? "";
      if (answered.has(id)) return duplicate(id, index);
      if (!open.delete(id)) return stray(index);
      answered.add(id);
      continue;
    }
    if (open.size > 0) return unanswered(open, index);
    answered = new Set();
    const ids = (message.tool_calls ?? []).map((call) => call.id);
    open = new Set(ids);
    const twice = ids.find((id, at) => ids.indexOf(id) < at);
    if (twice !== undefined) return duplicate(twice, index);
  }
  return open.size > 0 ? unanswered(open, messages.length) : undefined;
}

const duplicate = (id: string, index: number): Complaint =>
  invalid(
    `Duplicate value for 'tool_call_id' of '${id}' in message[${index}]`,
    `messages.[${index}].tool_call_id`,
  );

const stray = (index: number): Complaint =>
  invalid(
    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    `messages.[${index}].role`,
  );

const unanswered = (open: ReadonlySet<string>, index: number): Complaint =>
  invalid(
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open].join(", ")}`,
    `messages.[${index}].role`,
  );

function refuseParts(messages: readonly Message[], model: RehearsalModel): Complaint | undefined {
  for (const [index, { role, content }] of messages.entries()) {
    for (const [place, part] of (Array.isArray(content) ? content : []).entries()) {
      const path = ["messages", index, "content", place];
      if (role !== "user" && MEDIA_PARTS.includes(part.type)) {
        return misplaced(part.type, role, index);
      }
      const complaint = refusePart(part, path, model);
      if (complaint) return complaint;
    }
  }
  return undefined;
}

const MEDIA_PARTS = ["image_url", "input_audio", "file"];

/** Observed for images; files and audio are refused in the same place. */
const misplaced = (type: string, role: string, index: number): Complaint =>
  type === "image_url"
    ? invalid(
        `Invalid 'messages[${index}]'. Image URLs are only allowed for messages with role 'user', but this message with role '${role}' contains an image URL.`,
        `messages[${index}]`,
        "invalid_value",
      )
    : invalid(
        `Invalid 'messages[${index}]'. Content of type '${type}' is only allowed for messages with role 'user', but this message has role '${role}'.`,
        `messages[${index}]`,
        "invalid_value",
      );

const isPdf = (mediaType: string): boolean => mediaType === "application/pdf";

function refusePart(part: Part, path: (string | number)[], model: RehearsalModel) {
  const inner = part[part.type];
  if (!isJson(inner)) return undefined;
  if (part.type === "image_url") {
    return refuseImageUrl(String(inner.url), paramOf([...path, "image_url", "url"]), model);
  }
  if (part.type === "input_audio") return refuseAudio(inner.data, inner.format, path);
  if (inner.file_id !== undefined) return undefined;
  const param = paramOf([...path, "file", "file_data"]);
  if (typeof inner.file_data !== "string") {
    return invalid(`Missing required parameter: '${param}'.`, param, "missing_required_parameter");
  }
  return refuseFileData(inner.file_data, param, isPdf);
}

const AUDIO: { readonly [format: string]: string } = { wav: "audio/wav", mp3: "audio/mpeg" };

function refuseAudio(data: unknown, format: unknown, path: (string | number)[]) {
  const param = paramOf([...path, "input_audio", "data"]);
  const bytes = decodeBase64(String(data));
  if (!bytes || bytes.byteLength === 0) {
    return invalid(
      `Invalid '${param}'. The audio data is not valid base64.`,
      param,
      "invalid_value",
    );
  }
  const { sniffed } = examine(bytes);
  // Many MP3 files start without a tag; only a type that is recognized and other is refused.
  return sniffed !== undefined && sniffed !== AUDIO[String(format)]
    ? invalid("The data provided for 'input_audio' is not of valid format.", param, "invalid_value")
    : undefined;
}
