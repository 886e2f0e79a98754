/** Responses: admission, and the order in which the rules are applied. */
import { check, type Json } from "../check.ts";
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
import { firstComplaint } from "../refuse.ts";
import { wireEvent } from "../wire.ts";
import { hear } from "./heard.ts";
import { refuseMedia, refuseOptions } from "./options.ts";
import { finalStatus, outputItems, responseObject } from "./output.ts";
import { refuseItems, resolveItems } from "./pairing.ts";
import { type ResponsesBody, responsesBody } from "./shape.ts";
import { responseEvents } from "./stream.ts";

export const openaiResponses: Protocol = {
  id: "openai-responses",
  // OpenAI documents 512 MB of images; a rehearsal on a laptop stops earlier.
  maxBodyBytes: 64 * 1024 * 1024,
  refuseSize,
  refuseJson,
  admit,
  read(body, setting) {
    const { value, findings } = check(responsesBody, body);
    if (findings[0]) return fromFinding(findings[0]);
    // The shape has just shown that it is one.
    const request = value as ResponsesBody;
    const model = setting.findModel(request.model);
    if (!model) return unknownModel(request.model);
    const items = resolveItems(request, setting.stored);
    if (!Array.isArray(items)) return items;
    const heard = hear(request, items);
    const complaint = firstComplaint(
      () => refuseOptions(request, model),
      () => refuseItems(items, request, setting.stored, setting.verifySeals),
      () => refuseMedia(items, model),
      () => refuseWordlessJson(request.text?.format?.type === "json_object", heard, "input"),
    );
    if (complaint) return complaint;
    const inputTokens = totalTokens(segmentsOf(heard, setting.countTokens));
    if (inputTokens > model.contextWindow) {
      return invalid(
        "Your input exceeds the context window of this model. Please adjust your input and try again.",
        "input",
        "context_length_exceeded",
      );
    }
    return { ...heard, inputTokens, body: body as Json };
  },
  whole: (said, heard) => responseObject(said, heard, finalStatus(said), outputItems(said, heard)),
  events: responseEvents,
  fault,
  errorEvent: (sequence_number) =>
    wireEvent(
      {
        type: "error",
        code: "server_error",
        message: fault(500).message,
        param: null,
        sequence_number,
      },
      "error",
    ),
  errorBody,
  replyHeaders: (requestId) => ({ "x-request-id": requestId }),
};
