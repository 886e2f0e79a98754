/**
 * Anthropic's words for what a check found. The API validates with pydantic, and its messages are
 * pydantic's behind a dotted path (observed: "messages.36.content.2.image.source.base64.media_type:
 * Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'").
 */
import type { Finding, JsonType, Path } from "../check.ts";
import type { FaultStatus } from "../protocol.ts";
import type { Complaint } from "../refuse.ts";
import { type WireEvent, wireEvent } from "../wire.ts";

export const invalid = (message: string): Complaint => ({
  status: 400,
  type: "invalid_request_error",
  message,
});

/** `at(["messages", 0, "content"], "…")` → "messages.0.content: …" */
export const at = (path: Path, message: string): Complaint =>
  invalid(path.length === 0 ? message : `${path.join(".")}: ${message}`);

export const fromFinding = (finding: Finding): Complaint => at(finding.path, sentence(finding));

function sentence(finding: Finding): string {
  switch (finding.kind) {
    case "missing":
      return "Field required";
    case "unknown":
      return "Extra inputs are not permitted";
    case "type":
      return `Input should be ${finding.wanted.map((type) => TYPES[type]).join(" or ")}`;
    case "choice":
      return `Input should be ${oneOf(finding.allowed)}`;
    case "tag":
      return `Input tag '${String(finding.got)}' found using '${finding.key}' does not match any of the expected tags: ${finding.allowed.map((tag) => `'${tag}'`).join(", ")}`;
    case "range":
      return `Input should be ${finding.bound === "min" ? "greater" : "less"} than or equal to ${finding.limit}`;
    case "length":
      return `${finding.of === "string" ? "String" : "List"} should have at ${finding.bound === "min" ? "least" : "most"} ${finding.limit} ${finding.of === "string" ? "characters" : `items after validation, not ${finding.got}`}`;
    case "pattern":
      return `String should match pattern '${finding.pattern}'`;
  }
}

const TYPES: { readonly [T in JsonType]: string } = {
  string: "a valid string",
  number: "a valid number",
  integer: "a valid integer",
  boolean: "a valid boolean",
  array: "a valid list",
  object: "a valid dictionary",
  null: "null",
};

function oneOf(allowed: readonly string[]): string {
  const quoted = allowed.map((value) => `'${value}'`);
  const last = quoted.pop() ?? "";
  return quoted.length === 0 ? last : `${quoted.join(", ")} or ${last}`;
}

/** Documented under "HTTP errors" of the API reference. */
const FAULTS: { readonly [S in FaultStatus]: { readonly type: string; readonly message: string } } =
  {
    429: { type: "rate_limit_error", message: "This request would exceed your rate limit." },
    500: { type: "api_error", message: "Internal server error" },
    503: { type: "api_error", message: "Service unavailable" },
    529: { type: "overloaded_error", message: "Overloaded" },
  };

export function fault(status: FaultStatus, retryAfterSeconds?: number): Complaint {
  return {
    status,
    ...FAULTS[status],
    ...(retryAfterSeconds !== undefined && {
      headers: { "retry-after": String(retryAfterSeconds) },
    }),
  };
}

export const errorEvent = (): WireEvent =>
  wireEvent({ type: "error", error: FAULTS[529] }, "error");

export const errorBody = ({ type, message }: Complaint, requestId: string): unknown => ({
  type: "error",
  error: { type, message },
  request_id: requestId,
});
