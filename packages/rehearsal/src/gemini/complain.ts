/**
 * Gemini's words for what a check found. The API reads proto JSON: unknown names and wrong types are
 * refused by the parser, the rest by rules that name the field behind a star.
 */
import { type Finding, isJson, type JsonType, type Path } from "../check.ts";
import type { FaultStatus } from "../protocol.ts";
import type { Complaint } from "../refuse.ts";

export const invalid = (message: string, field?: string): Complaint => ({
  status: 400,
  type: "INVALID_ARGUMENT",
  message,
  ...(field !== undefined && {
    details: [
      {
        "@type": "type.googleapis.com/google.rpc.BadRequest",
        fieldViolations: [{ field, description: message }],
      },
    ],
  }),
});

/** `["contents", 0, "inlineData"]` → "contents[0].inline_data" */
export const fieldOf = (path: Path): string =>
  path
    .map((step, index) =>
      typeof step === "number" ? `[${step}]` : `${index === 0 ? "" : "."}${snake(step)}`,
    )
    .join("");

const snake = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A rule of the request itself: "* GenerateContentRequest.contents[0].parts: …" */
export const rule = (path: Path, message: string): Complaint =>
  invalid(`* GenerateContentRequest.${fieldOf(path)}: ${message}\n`);

export function fromFinding(finding: Finding): Complaint {
  const field = fieldOf(finding.path);
  switch (finding.kind) {
    case "unknown": {
      const parent = fieldOf(finding.path.slice(0, -1));
      const where = parent === "" ? "" : ` at '${parent}'`;
      return invalid(
        `Invalid JSON payload received. Unknown name "${finding.path.at(-1)}"${where}: Cannot find field.`,
        parent,
      );
    }
    case "type":
      return invalid(
        `Invalid value at '${field}' (${finding.wanted.map((type) => TYPES[type]).join(" or ")}), ${shown(finding.got)}`,
        field,
      );
    case "choice":
    case "tag":
      return invalid(
        `Invalid value at '${field}' (type.googleapis.com/google.ai.generativelanguage.v1beta), ${shown(finding.got)}`,
        field,
      );
    case "missing":
      return rule(finding.path, "must be specified.");
    case "range":
      return rule(
        finding.path,
        `must be ${finding.bound === "min" ? "at least" : "at most"} ${finding.limit}, but is ${finding.got}.`,
      );
    case "length":
      return rule(
        finding.path,
        `must have ${finding.bound === "min" ? "at least" : "at most"} ${finding.limit} entries, but has ${finding.got}.`,
      );
    case "pattern":
      return rule(finding.path, `must match ${finding.pattern}.`);
  }
}

const TYPES: { readonly [T in JsonType]: string } = {
  string: "TYPE_STRING",
  number: "TYPE_DOUBLE",
  integer: "TYPE_INT32",
  boolean: "TYPE_BOOL",
  array: "repeated field",
  object: "type.googleapis.com/google.protobuf.Struct",
  null: "null",
};

const shown = (value: unknown): string =>
  isJson(value) || Array.isArray(value)
    ? "Starting an object on a scalar field"
    : JSON.stringify(value);

/** The canonical codes of google.rpc. */
const FAULTS: { readonly [S in FaultStatus]: { readonly type: string; readonly message: string } } =
  {
    429: {
      type: "RESOURCE_EXHAUSTED",
      message: "Resource has been exhausted (e.g. check quota).",
    },
    500: { type: "INTERNAL", message: "An internal error has occurred. Please retry." },
    503: {
      type: "UNAVAILABLE",
      message: "The model is overloaded. Please try again later.",
    },
    529: { type: "UNAVAILABLE", message: "Overloaded" },
  };

export function fault(status: FaultStatus, retryAfterSeconds?: number): Complaint {
  if (retryAfterSeconds === undefined) return { status, ...FAULTS[status] };
  const retry = {
    "@type": "type.googleapis.com/google.rpc.RetryInfo",
    retryDelay: `${retryAfterSeconds}s`,
  };
  return {
    status,
    ...FAULTS[status],
    details: [retry],
    headers: { "retry-after": String(retryAfterSeconds) },
  };
}

export const errorBody = ({ status, message, type, details }: Complaint): unknown => ({
  error: { code: status, message, status: type, ...(details && { details }) },
});
