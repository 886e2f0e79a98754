/**
 * The body of an answer as it arrives: pieces of bytes, lines, or one whole. It reads through the
 * reader, because not every browser can loop over a body.
 */
import { reasonOf } from "./call.ts";
import { ClientError } from "./client-error.ts";

/** A connection that breaks is a `client.cut`; whoever leaves early lets it go. */
export async function* piecesOf(
  response: Response,
  signal?: AbortSignal,
  read: <T>(next: Promise<T>) => Promise<T> = (next) => next,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = response.body?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      const { done, value } = await read(reader.read());
      if (done) return;
      yield value;
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (ClientError.is(error, "cut")) throw error;
    const reason = reasonOf(error);
    throw ClientError.make("cut", { url: response.url, reason }, { cause: error });
  } finally {
    // At the end there is nothing left to cancel, and a broken connection cannot be.
    reader.cancel().catch(() => undefined);
  }
}

/** Lines with their line ends, as they were sent; a long answer is never held whole. */
export async function* linesOf(
  response: Response,
  signal?: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let rest = "";
  for await (const bytes of piecesOf(response, signal)) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield `${line}\n`;
  }
  rest += decoder.decode();
  if (rest !== "") yield rest;
}

export async function joined(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  const whole = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of all) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
