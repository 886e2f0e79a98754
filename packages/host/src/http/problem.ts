/**
 * How a failure leaves over HTTP: an RFC 9457 problem document with a stable code and a sentence
 * that says what to do. This is the one table of the server's own failures and of their statuses;
 * what a package below refuses keeps its own code and sentence.
 */
import { STATUS_CODES } from "node:http";
import { defineErrors, isGalleyError, type Problem } from "@galley/parts";
import { OF_SESSIONS } from "./session-statuses.ts";

/** Bytes as people say them: whole megabytes where that is exact enough. */
const megabytes = (bytes: number): string =>
  bytes >= 1024 * 1024 ? `${Math.round(bytes / (1024 * 1024))} MB` : `${bytes} bytes`;

export const HttpError = defineErrors("http", {
  malformed: (data: { reason: string }) =>
    `This is not a request that can be read (${data.reason}). Send it as HTTP/1.1.`,
  not_json: (data: { reason: string }) =>
    `The body is not JSON (${data.reason}). Send one JSON value in UTF-8.`,
  incomplete: (_: object) => "The body ended before it was complete. Send the request again.",
  too_deep: (data: { limit: number }) =>
    `The body nests deeper than ${data.limit} levels. Send it flatter.`,
  no_token: (_: object) =>
    "This call needs the token: send the header Authorization: Bearer TOKEN with the token that galley serve printed.",
  wrong_token: (_: object) =>
    "The token is not the one of this server. Take the one that galley serve printed, or set GALLEY_TOKEN for both.",
  foreign_host: (data: { expected: string }) =>
    `The Host header names another server. Call this one as ${data.expected}.`,
  foreign_origin: (data: { expected: string }) =>
    `Pages of other origins may not call this server. Open ${data.expected} and call it from there.`,
  not_found: (data: { path: string }) =>
    `There is nothing at ${data.path}. GET /openapi.json lists what there is.`,
  wrong_method: (data: { method: string; path: string; allow: readonly string[] }) =>
    `${data.path} does not take ${data.method}. Use ${data.allow.join(" or ")}.`,
  slow: (_: object) => "The request took too long to arrive. Send it again, faster or smaller.",
  too_large: (data: { limit: number }) =>
    `The body is larger than ${megabytes(data.limit)}. Send less, or name files by path (refs) instead of attaching them.`,
  wrong_type: (data: { expected: string }) =>
    `The body has the wrong type. Send it as ${data.expected}.`,
  bad_shape: (data: { issues: readonly string[] }) =>
    `The body does not have the shape of this call: ${data.issues.join("; ")}. GET /openapi.json describes it.`,
  no_such: (data: { what: string; id: string }) => `There is no ${data.what} ${data.id}.`,
  not_an_answer: (data: { reason: string }) =>
    `This message cannot be answered: ${data.reason}. Send a user message last, or the output of a call that waits for one.`,
  headers_too_large: (_: object) => "The headers are too large. Send fewer or shorter ones.",
  internal: (_: object) =>
    "Something broke inside Galley. The terminal in which galley serve runs says what.",
  not_yet: (data: { what: string }) => `${data.what} is not built yet.`,
  closing: (_: object) => "The server is closing. Start it again with galley serve.",
  too_many_streams: (data: { limit: number }) =>
    `${data.limit} streams are open, and there are no more. Close one, or try again later.`,
  port_taken: (data: { host: string; port: number }) =>
    `port ${data.port} on ${data.host} is taken: stop what listens there, or choose another with --port`,
  cannot_listen: (data: { host: string; port: number; reason: string }) =>
    `cannot listen on ${data.host} port ${data.port}: ${data.reason}`,
});

const STATUS: Readonly<Record<string, number>> = {
  "http.malformed": 400,
  "http.not_json": 400,
  "http.incomplete": 400,
  "http.too_deep": 400,
  "http.no_token": 401,
  "http.wrong_token": 401,
  "http.foreign_host": 403,
  "http.foreign_origin": 403,
  "http.not_found": 404,
  "http.wrong_method": 405,
  "http.slow": 408,
  "http.too_large": 413,
  "http.wrong_type": 415,
  "http.bad_shape": 422,
  "http.headers_too_large": 431,
  "http.no_such": 404,
  "http.not_an_answer": 422,
  "http.internal": 500,
  "http.not_yet": 501,
  "http.closing": 503,
  "http.too_many_streams": 503,
  "host.too_large": 413,
  // What the provider did is not the caller's fault.
  "send.refused": 502,
  "send.unreachable": 502,
  ...OF_SESSIONS,
};

/** A refusal by a package below is about what was asked for: well formed, and not to be done. */
const REFUSED = 422;

const CHALLENGE = 'Bearer realm="galley"';

/** Statuses that pass: seconds after which to try again. */
const RETRY_AFTER: Readonly<Record<number, string>> = { 503: "2" };

export function problemOf(error: unknown): Problem {
  const known = isGalleyError(error) ? error : HttpError.make("internal", {});
  const status = STATUS[known.code] ?? REFUSED;
  return {
    type: "about:blank",
    title: STATUS_CODES[status] ?? "Error",
    status,
    detail: known.message,
    code: known.code,
    ...issuesOf(known.data),
  };
}

function issuesOf(data: unknown): { issues?: readonly string[] } {
  const issues = (data as { issues?: unknown } | null)?.issues;
  return Array.isArray(issues) ? { issues } : {};
}

/** Headers that the status itself demands. */
export function problemHeaders(error: unknown): Record<string, string> {
  const retry = RETRY_AFTER[problemOf(error).status];
  const base = {
    "content-type": "application/problem+json",
    ...(retry !== undefined && { "retry-after": retry }),
  };
  if (HttpError.is(error, "wrong_method")) return { ...base, allow: error.data.allow.join(", ") };
  if (HttpError.is(error, "no_token")) return { ...base, "www-authenticate": CHALLENGE };
  if (HttpError.is(error, "wrong_token")) {
    return { ...base, "www-authenticate": `${CHALLENGE}, error="invalid_token"` };
  }
  return base;
}

export function problemResponse(error: unknown): Response {
  const problem = problemOf(error);
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: problemHeaders(error),
  });
}
