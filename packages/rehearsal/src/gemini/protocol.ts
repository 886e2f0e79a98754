/** Gemini `generateContent`: admission, and the order in which the rules are applied. */
import { check, type Json } from "../check.ts";
import { segmentsOf, totalTokens } from "../heard.ts";
import type { Protocol, Setting } from "../protocol.ts";
import { type Complaint, firstComplaint } from "../refuse.ts";
import { wireEvent } from "../wire.ts";
import { errorBody, fault, fromFinding, invalid } from "./complain.ts";
import { hear } from "./heard.ts";
import { refuseOptions } from "./options.ts";
import { type GenerateBody, generateBody } from "./shape.ts";
import { responseEvents, wholeResponse } from "./stream.ts";
import { refuseTurns } from "./turns.ts";

export const geminiGenerate: Protocol = {
  id: "gemini-generate",
  /** Inline data: 100 MB a request (observed), 20 MB until 2026. */
  maxBodyBytes: 100 * 1024 * 1024,
  // Observed: a 400, not a 413.
  refuseSize: (limit) => invalid(`Request payload size exceeds the limit: ${limit} bytes.`),
  refuseJson: (reason) => invalid(`Invalid JSON payload received. ${reason}`),
  admit,
  read(body, setting) {
    const { value, findings } = check(generateBody, body);
    if (findings[0]) return fromFinding(findings[0]);
    // The shape has just shown that it is one.
    const request = value as GenerateBody;
    const id = setting.target.model ?? "";
    const model = setting.findModel(id);
    if (!model) {
      return {
        status: 404,
        type: "NOT_FOUND",
        message: `models/${id} is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.`,
      };
    }
    const complaint = firstComplaint(
      () => refuseTurns(request.contents, model, setting.verifySeals),
      () => refuseOptions(request, model),
    );
    if (complaint) return complaint;
    const heard = hear(request, setting.target);
    const inputTokens = totalTokens(segmentsOf(heard, setting.countTokens));
    if (inputTokens > model.contextWindow) {
      return invalid(
        `The input token count (${inputTokens}) exceeds the maximum number of tokens allowed (${model.contextWindow}).`,
      );
    }
    return { ...heard, inputTokens, body: body as Json };
  },
  whole: wholeResponse,
  events: responseEvents,
  fault,
  errorEvent: () => wireEvent(errorBody(fault(503))),
  errorBody,
  replyHeaders: () => ({}),
};

/** Observed: no key at all is a 403, not a 401. */
function admit({ headers, target }: Setting): Complaint | undefined {
  if (headers["x-goog-api-key"] || headers.authorization || target.key) return undefined;
  return {
    status: 403,
    type: "PERMISSION_DENIED",
    message:
      "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
  };
}
