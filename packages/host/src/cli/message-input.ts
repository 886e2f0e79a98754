/**
 * A message from a file or standard input: JSON when it is one, else plain text.
 *
 * What begins like a JSON object, or comes from a file named .json, was meant as JSON: when it is
 * broken it is refused, because a cut-off message must not go out as text.
 */
import { resolve } from "node:path";
import { HostError } from "../host-error.ts";
import { readRegular } from "../workspace/read-file.ts";
import type { Io } from "./io.ts";

export type MessageInput =
  | { readonly kind: "message"; readonly value: object }
  | { readonly kind: "text"; readonly text: string };

const KEY = "limits.message_bytes";

export async function readInput(
  file: string | undefined,
  io: Io,
  maxBytes: number,
): Promise<MessageInput> {
  if (file === undefined || file === "-") {
    return readBytes(await readStdin(io, maxBytes), "standard input");
  }
  const read = await readRegular(resolve(io.cwd, file), maxBytes);
  if (!read.ok) {
    const mend =
      read.reason === "not a regular file" ? { mend: "to read from a pipe, give -" } : {};
    throw HostError.make("unreadable", {
      what: "message",
      path: file,
      reason: read.reason,
      ...mend,
    });
  }
  if (read.more) {
    const { size } = read;
    throw HostError.make("too_large", {
      what: `the file ${file}`,
      size,
      limit: maxBytes,
      key: KEY,
    });
  }
  return readBytes(read.bytes, file);
}

const readStdin = (io: Io, limit: number): Promise<Uint8Array> =>
  collectStdin(io, limit, () =>
    HostError.make("too_large", { what: "standard input", limit, key: KEY }),
  );

/** Reads no further than it must to know that it is too much. */
export async function collectStdin(
  io: Io,
  maxBytes: number,
  tooLarge: () => Error,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of io.stdin() ?? []) {
    total += chunk.length;
    if (total > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Exported for tests. */
export function readBytes(bytes: Uint8Array, name: string): MessageInput {
  const text = decode(bytes);
  if (text === undefined) {
    throw HostError.make("bad_input", { name, reason: "it is neither JSON nor text in UTF-8" });
  }
  if (text.trim() === "") throw HostError.make("bad_input", { name, reason: "it is empty" });
  const parsed = parse(text);
  if ("value" in parsed) return { kind: "message", value: asMessage(parsed.value, name) };
  if (/^\s*\{/.test(text) || name.endsWith(".json")) {
    const reason = `it is not JSON (${parsed.fault}); ${AS_TEXT}`;
    throw HostError.make("bad_input", { name, reason });
  }
  return { kind: "text", text };
}

const AS_TEXT = "to send it as plain text, use --text";

function asMessage(value: unknown, name: string): object {
  const isMessage =
    typeof value === "object" && value !== null && ("role" in value || "parts" in value);
  if (isMessage) return value;
  const reason = `it is JSON but not a user message, which has "role" and "parts"; ${AS_TEXT}`;
  throw HostError.make("bad_input", { name, reason });
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // The one way a fatal decode fails: these bytes are not UTF-8.
    return undefined;
  }
}

function parse(text: string): { value: unknown } | { fault: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { fault: (error as SyntaxError).message };
  }
}
