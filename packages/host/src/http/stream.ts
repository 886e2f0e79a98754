/**
 * A running answer as server-sent events: one UI message chunk an event, `[DONE]` at the end.
 *
 * It writes to the raw response, because a token stream is many small writes. A failure before the
 * first chunk is thrown and becomes a problem document; a later one is a chunk, for the status has
 * gone out. Whoever goes away ends the work that was done for them.
 */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { isGalleyError, type UiChunk } from "@galley/parts";

const HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  // Read by the AI SDK's client, and by a proxy that would otherwise hold the events back.
  "x-vercel-ai-ui-message-stream": "v1",
  "x-accel-buffering": "no",
};

export type StreamInput = {
  readonly outgoing: ServerResponse;
  readonly open: (signal: AbortSignal) => AsyncIterable<UiChunk>;
  /** Aborted when the server stops waiting for its streams. */
  readonly stopping: AbortSignal;
  /** Hears of failures that are nobody's refusal. */
  readonly report: (error: unknown) => void;
};

export async function streamChunks({ outgoing, open, stopping, report }: StreamInput) {
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  const chunks = open(AbortSignal.any([gone.signal, stopping]))[Symbol.asyncIterator]();
  const first = await chunks.next();
  outgoing.writeHead(200, HEADERS);
  try {
    for (let each = first; !each.done && !gone.signal.aborted; each = await chunks.next()) {
      await write(outgoing, JSON.stringify(each.value), gone.signal);
    }
  } catch (error) {
    if (!gone.signal.aborted) {
      if (!isGalleyError(error)) report(error);
      await write(outgoing, JSON.stringify(lastWords(error)), gone.signal);
    }
  }
  await write(outgoing, "[DONE]", gone.signal);
  outgoing.end();
  // A stream that was left in the middle is told so, and frees what it holds.
  await chunks.return?.();
}

const lastWords = (error: unknown): UiChunk => ({
  type: "error",
  errorText: isGalleyError(error) ? error.message : "Something broke inside Galley.",
});

async function write(outgoing: ServerResponse, data: string, gone: AbortSignal): Promise<void> {
  if (gone.aborted || outgoing.write(`data: ${data}\n\n`)) return;
  try {
    await once(outgoing, "drain", { signal: gone });
  } catch (error) {
    // Nobody is left to drain it.
    if (!gone.aborted) throw error;
  }
}
