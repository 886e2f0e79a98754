/**
 * Server-sent events off a response, one `data` at a time. A connection on which nothing comes for
 * longer than the server's own keep-alive allows counts as cut, as one that breaks does.
 */
import { createParser } from "eventsource-parser";
import { ClientError } from "./client-error.ts";
import { piecesOf } from "./pieces.ts";

/** The server sends a comment every 15 s when it has nothing to say. */
const SILENCE_MS = 60_000;

export async function* dataOf(
  response: Response,
  signal?: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  let found: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => void found.push(data) });
  const decoder = new TextDecoder();
  const listen = <T>(next: Promise<T>) => heard(next, response.url);
  for await (const bytes of piecesOf(response, signal, listen)) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    const ready = found;
    found = [];
    yield* ready;
  }
}

async function heard<T>(next: Promise<T>, url: string): Promise<T> {
  const silence = Promise.withResolvers<never>();
  const reason = `silent for ${SILENCE_MS / 1000} s`;
  const timer = setTimeout(
    () => silence.reject(ClientError.make("cut", { url, reason })),
    SILENCE_MS,
  );
  try {
    return await Promise.race([next, silence.promise]);
  } finally {
    clearTimeout(timer);
  }
}
