/**
 * What Node refuses before there is a request: bytes that are not HTTP, headers that are too large,
 * requests that arrive too slowly. They get a problem document too, written to the bare socket.
 */
import type { Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { HttpError, problemHeaders, problemOf } from "./problem.ts";
import { SECURITY_HEADERS } from "./security-headers.ts";

export function answerUnreadable(server: Server): void {
  const answers = new WeakMap<Duplex, ServerResponse>();
  server.on("request", ({ socket }, outgoing) => answers.set(socket, outgoing));
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const running = answers.get(socket);
    // Into the middle of an answer nothing else may be written.
    const midway = running?.headersSent === true && !running.writableFinished;
    if (midway || !socket.writable) socket.destroy();
    else socket.end(documentOf(sentenceFor(error)));
  });
}

function sentenceFor({ code, message }: NodeJS.ErrnoException) {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return HttpError.make("slow", {});
  if (code === "HPE_HEADER_OVERFLOW") return HttpError.make("headers_too_large", {});
  return HttpError.make("malformed", { reason: message });
}

function documentOf(error: Error): string {
  const problem = problemOf(error);
  const body = JSON.stringify(problem);
  const headers = {
    ...Object.fromEntries(SECURITY_HEADERS),
    ...problemHeaders(error),
    "content-length": Buffer.byteLength(body),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${problem.status} ${problem.title}\r\n${lines.join("")}\r\n${body}`;
}
