/**
 * OpenAI's words for what a check found, shared by Chat Completions and Responses: `message`, `param`
 * as a JavaScript path, and a `code` for the kind of mistake.
 */
import type { Finding, JsonType, Path } from "../check.ts";
import type { FaultStatus } from "../protocol.ts";
import type { Complaint, RequestHeaders } from "../refuse.ts";

export const invalid = (
  message: string,
  param: string | null = null,
  code: string | null = null,
): Complaint => ({ status: 400, type: "invalid_request_error", message, param, code });

/** `["messages", 0, "content"]` → "messages[0].content" */
export const paramOf = (path: Path): string =>
  path
    .map((step, index) =>
      typeof step === "number" ? `[${step}]` : index === 0 ? step : `.${step}`,
    )
    .join("");

export function fromFinding(finding: Finding): Complaint {
  const param = paramOf(finding.path);
  switch (finding.kind) {
    case "missing":
      return invalid(
        `Missing required parameter: '${param}'.`,
        param,
        "missing_required_parameter",
      );
    case "unknown":
      return invalid(`Unknown parameter: '${param}'.`, param, "unknown_parameter");
    case "type":
      return invalid(
        `Invalid type for '${param}': expected ${finding.wanted.map((type) => NAMES[type]).join(" or ")}, but got ${NAMES[typeName(finding.got)]} instead.`,
        param,
        "invalid_type",
      );
    case "choice":
      return unsupported(param, finding.got, finding.allowed);
    case "tag":
      return unsupported(`${param}.${finding.key}`, finding.got, finding.allowed);
    case "range":
      return outOfRange(param, finding);
    case "length":
      return finding.of === "string" ? stringLength(param, finding) : arrayLength(param, finding);
    case "pattern":
      return invalid(
        `Invalid '${param}': string does not match pattern. Expected a string that matches the pattern '${finding.pattern}'.`,
        param,
        "invalid_value",
      );
  }
}

const NAMES: { readonly [T in JsonType]: string } = {
  string: "a string",
  number: "a decimal",
  integer: "an integer",
  boolean: "a boolean",
  array: "an array",
  object: "an object",
  null: "null",
};

function typeName(value: unknown): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  if (typeof value === "string") return "string";
  return typeof value === "boolean" ? "boolean" : "object";
}

export const unsupported = (param: string, got: unknown, allowed: readonly string[]): Complaint =>
  invalid(
    `Invalid value: '${String(got)}'. Supported values are: ${series(allowed)}.`,
    param,
    "invalid_value",
  );

function series(values: readonly string[]): string {
  const quoted = values.map((value) => `'${value}'`);
  if (quoted.length < 3) return quoted.join(" and ");
  return `${quoted.slice(0, -1).join(", ")}, and ${quoted.at(-1)}`;
}

type Limit<K> = Extract<Finding, { kind: K }>;

function outOfRange(param: string, { bound, limit, got, whole }: Limit<"range">): Complaint {
  const noun = whole ? "integer" : "decimal";
  return bound === "min"
    ? invalid(
        `Invalid '${param}': ${noun} below minimum value. Expected a value >= ${limit}, but got ${got} instead.`,
        param,
        `${noun}_below_min_value`,
      )
    : invalid(
        `Invalid '${param}': ${noun} above maximum value. Expected a value <= ${limit}, but got ${got} instead.`,
        param,
        `${noun}_above_max_value`,
      );
}

function stringLength(param: string, { bound, limit, got }: Limit<"length">): Complaint {
  return bound === "min"
    ? invalid(
        `Invalid '${param}': empty string. Expected a string with minimum length ${limit}, but got an empty string instead.`,
        param,
        "empty_string",
      )
    : invalid(
        `Invalid '${param}': string too long. Expected a string with maximum length ${limit}, but got a string with length ${got} instead.`,
        param,
        "string_above_max_length",
      );
}

function arrayLength(param: string, { bound, limit, got }: Limit<"length">): Complaint {
  return bound === "min"
    ? invalid(
        `Invalid '${param}': empty array. Expected an array with minimum length ${limit}, but got an empty array instead.`,
        param,
        "empty_array",
      )
    : invalid(
        `Invalid '${param}': array too long. Expected an array with maximum length ${limit}, but got an array with length ${got} instead.`,
        param,
        "array_above_max_length",
      );
}

export function admit({ headers }: { readonly headers: RequestHeaders }): Complaint | undefined {
  if (/^Bearer \S/.test(headers.authorization ?? "")) return undefined;
  return {
    ...invalid(
      "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).",
    ),
    status: 401,
  };
}

export const unknownModel = (model: string): Complaint => ({
  ...invalid(
    `The model \`${model}\` does not exist or you do not have access to it.`,
    null,
    "model_not_found",
  ),
  status: 404,
});

export const refuseSize = (limit: number): Complaint => ({
  ...invalid(`Maximum request size is ${limit} bytes.`),
  status: 413,
});

export const refuseJson = (reason: string): Complaint =>
  invalid(`We could not parse the JSON body of your request. (${reason})`);

const FAULTS: { readonly [S in FaultStatus]: Omit<Complaint, "status"> } = {
  429: {
    type: "requests",
    message: "Rate limit reached for requests.",
    code: "rate_limit_exceeded",
  },
  500: {
    type: "server_error",
    message: "The server had an error while processing your request. Sorry about that!",
  },
  503: {
    type: "server_error",
    message: "The engine is currently overloaded, please try again later",
  },
  529: { type: "server_error", message: "Overloaded" },
};

export function fault(status: FaultStatus, retryAfterSeconds?: number): Complaint {
  const headers = { "retry-after": String(retryAfterSeconds) };
  return { status, ...FAULTS[status], ...(retryAfterSeconds !== undefined && { headers }) };
}

export const errorBody = ({ message, type, param, code }: Complaint): unknown => ({
  error: { message, type, param: param ?? null, code: code ?? null },
});
