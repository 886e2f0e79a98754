/**
 * Reads a JSON body without trusting it: its type, its size and its depth are checked while it
 * arrives, so that what is refused has cost no more than what was read of it.
 */
import type { IncomingMessage } from "node:http";
import { type NestingMeter, nestingMeter } from "./nesting.ts";
import { HttpError } from "./problem.ts";

export const MAX_DEPTH = 64;

export async function readJson(incoming: IncomingMessage, maxBytes: number): Promise<unknown> {
  checkType(incoming.headers["content-type"]);
  checkHead(incoming, maxBytes);
  return parse(await collect(incoming, maxBytes, nestingMeter(MAX_DEPTH)));
}

/** JSON where there is a body, and an empty object where there is none. */
export async function readOptionalJson(
  incoming: IncomingMessage,
  maxBytes: number,
): Promise<unknown> {
  if (incoming.headers["content-type"] !== undefined) checkType(incoming.headers["content-type"]);
  checkHead(incoming, maxBytes);
  const bytes = await collect(incoming, maxBytes, nestingMeter(MAX_DEPTH));
  if (bytes.length === 0) return {};
  // Whatever says nothing about its type is not taken at its word.
  checkType(incoming.headers["content-type"]);
  return parse(bytes);
}

/** Whatever it is: a file. */
export async function readBytes(incoming: IncomingMessage, maxBytes: number): Promise<Buffer> {
  checkHead(incoming, maxBytes);
  return collect(incoming, maxBytes, ANY_DEPTH);
}

/** Many JSON values in one text, a line each. */
export async function readLines(incoming: IncomingMessage, maxBytes: number): Promise<string> {
  checkHead(incoming, maxBytes);
  return decode(await collect(incoming, maxBytes, nestingMeter(MAX_DEPTH)));
}

const ANY_DEPTH: NestingMeter = { push: () => true };

function checkHead(incoming: IncomingMessage, maxBytes: number): void {
  checkEncoding(incoming.headers["content-encoding"]);
  if (Number(incoming.headers["content-length"] ?? 0) > maxBytes) {
    throw HttpError.make("too_large", { limit: maxBytes });
  }
}

/** A page of another origin can send `text/plain` unasked, but never `application/json`. */
function checkType(header = ""): void {
  const [type = "", ...parameters] = header.toLowerCase().split(";");
  const charset = parameters.map((each) => each.trim()).find((each) => each.startsWith("charset="));
  const isJson = /^application\/(?:json|[\w.-]+\+json)$/.test(type.trim());
  const isUtf8 = charset === undefined || /^charset="?utf-8"?$/.test(charset);
  if (!isJson || !isUtf8) throw HttpError.make("wrong_type", { expected: "application/json" });
}

/** Unpacking would let a small body become a large one. */
function checkEncoding(header = "identity"): void {
  if (header.trim().toLowerCase() === "identity") return;
  throw HttpError.make("wrong_type", { expected: "it is, without Content-Encoding" });
}

async function collect(
  incoming: IncomingMessage,
  maxBytes: number,
  meter: NestingMeter,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunksOf(incoming)) {
    size += chunk.length;
    if (size > maxBytes) throw HttpError.make("too_large", { limit: maxBytes });
    if (!meter.push(chunk)) throw HttpError.make("too_deep", { limit: MAX_DEPTH });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

async function* chunksOf(incoming: IncomingMessage): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield* incoming;
  } catch (error) {
    // The one way in which reading fails: the caller has gone away.
    throw HttpError.make("incomplete", {}, { cause: error });
  }
}

function parse(bytes: Buffer): unknown {
  if (bytes.length === 0) throw HttpError.make("not_json", { reason: "it is empty" });
  const text = decode(bytes);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw HttpError.make("not_json", { reason: plain((error as Error).message) }, { cause: error });
  }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw HttpError.make("not_json", { reason: "it is not UTF-8" }, { cause: error });
  }
}

/** The parser quotes the text; line breaks of the caller's do not belong in our sentence. */
const plain = (message: string): string => message.replaceAll(/\s+/g, " ");
