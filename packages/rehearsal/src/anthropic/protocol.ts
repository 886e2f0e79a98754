/** Anthropic Messages: admission, and the order in which the rules are applied. */
import { check, type Json } from "../check.ts";
import { segmentsOf, totalTokens } from "../heard.ts";
import type { Protocol, Setting } from "../protocol.ts";
import { type Complaint, firstComplaint } from "../refuse.ts";
import { errorBody, errorEvent, fault, fromFinding, invalid } from "./complain.ts";
import { hear } from "./heard.ts";
import { refuseLimits } from "./limits.ts";
import { refuseMedia } from "./media.ts";
import { API_VERSIONS, type ApiVersion, bodyShape, type MessagesBody } from "./shape.ts";
import { messageEvents, wholeMessage } from "./stream.ts";
import { refuseTools } from "./tools.ts";
import { refuseTurns } from "./turns.ts";

export const anthropicMessages: Protocol = {
  id: "anthropic-messages",
  /** Documented: "The maximum request size is 32 MB for standard API endpoints." */
  maxBodyBytes: 32 * 1024 * 1024,
  refuseSize: () => ({
    status: 413,
    type: "request_too_large",
    message: "Request exceeds the maximum size",
  }),
  refuseJson: (reason) => invalid(`The request body is not valid JSON: ${reason}`),
  admit,
  read(body, setting) {
    const version = versionOf(setting);
    const isBeta = setting.headers["anthropic-beta"] !== undefined;
    const { value, findings } = check(bodyShape(version, isBeta), body);
    if (findings[0]) return fromFinding(findings[0]);
    // The shape has just shown that it is one.
    const request = value as MessagesBody;
    const model = setting.findModel(request.model);
    if (!model) return { status: 404, type: "not_found_error", message: `model: ${request.model}` };
    const complaint = firstComplaint(
      () => refuseTurns(request, model, { version, verifySeals: setting.verifySeals }),
      () => refuseTools(request),
      () => refuseLimits(request, model),
      () => refuseMedia(request, model),
    );
    if (complaint) return complaint;
    const heard = hear(request);
    const inputTokens = totalTokens(segmentsOf(heard, setting.countTokens));
    if (inputTokens > model.contextWindow) {
      return invalid(`prompt is too long: ${inputTokens} tokens > ${model.contextWindow} maximum`);
    }
    return { ...heard, inputTokens, body: body as Json };
  },
  whole: wholeMessage,
  events: messageEvents,
  fault,
  errorEvent,
  errorBody,
  replyHeaders: (requestId) => ({ "request-id": requestId }),
};

function admit({ headers }: Setting): Complaint | undefined {
  if (!headers["x-api-key"] && !headers.authorization) {
    return {
      status: 401,
      type: "authentication_error",
      message: "x-api-key header is required",
    };
  }
  const version = headers["anthropic-version"];
  if (!version) return invalid("anthropic-version: header is required");
  return API_VERSIONS.some((known) => known === version)
    ? undefined
    : invalid(`anthropic-version: "${version}" is not a valid version`);
}

/** Admission has already refused every other one. */
const versionOf = ({ headers }: Setting): ApiVersion => headers["anthropic-version"] as ApiVersion;
