/** Chat Completions: admission, and the order in which the rules are applied. */
import { check, type Finding, isJson, type Json } from "../check.ts";
import { segmentsOf, totalTokens } from "../heard.ts";
import {
  admit,
  errorBody,
  fault,
  fromFinding,
  invalid,
  refuseJson,
  refuseSize,
  unknownModel,
} from "../openai/complain.ts";
import { refuseWordlessJson } from "../openai/json-mode.ts";
import type { Protocol } from "../protocol.ts";
import { type Complaint, firstComplaint } from "../refuse.ts";
import { wireEvent } from "../wire.ts";
import { hear } from "./heard.ts";
import { refuseMessages } from "./messages.ts";
import { refuseOptions } from "./options.ts";
import { type ChatBody, chatBody } from "./shape.ts";
import { completionEvents, wholeCompletion } from "./stream.ts";

export const openaiChat: Protocol = {
  id: "openai-chat",
  // OpenAI documents 512 MB of images; a rehearsal on a laptop stops earlier.
  maxBodyBytes: 64 * 1024 * 1024,
  refuseSize,
  refuseJson,
  admit,
  read(body, setting) {
    if (isJson(body) && body.model === undefined) {
      return invalid("you must provide a model parameter");
    }
    const { value, findings } = check(chatBody, body);
    if (findings[0]) return inChatWords(findings[0]);
    // The shape has just shown that it is one.
    const request = value as ChatBody;
    const model = setting.findModel(request.model);
    if (!model) return unknownModel(request.model);
    const heard = hear(request);
    const complaint = firstComplaint(
      () => refuseMessages(request.messages, model),
      () => refuseOptions(request, model),
      () => refuseWordlessJson(request.response_format?.type === "json_object", heard, "messages"),
    );
    if (complaint) return complaint;
    const inputTokens = totalTokens(segmentsOf(heard, setting.countTokens));
    if (inputTokens > model.contextWindow) {
      return invalid(
        `This model's maximum context length is ${model.contextWindow} tokens. However, your messages resulted in ${inputTokens} tokens. Please reduce the length of the messages.`,
        "messages",
        "context_length_exceeded",
      );
    }
    return { ...heard, inputTokens, body: body as Json };
  },
  whole: wholeCompletion,
  events: completionEvents,
  fault,
  errorEvent: () => wireEvent(errorBody(fault(500))),
  errorBody,
  replyHeaders: (requestId) => ({ "x-request-id": requestId }),
};

/** Observed: Chat Completions words an unknown top-level field in its own way. */
function inChatWords(finding: Finding): Complaint {
  const [name, ...rest] = finding.path;
  return finding.kind === "unknown" && rest.length === 0
    ? invalid(`Unrecognized request argument supplied: ${name}`)
    : fromFinding(finding);
}
