/**
 * Every open stream of server-sent events, written to raw responses.
 *
 * A stream is pulled: its source keeps a cursor into what everybody shares, and the next frames are
 * asked for only while the client takes them. So a slow client costs a cursor, not a buffer. Seats
 * are counted, silence is broken by comments, and who takes nothing for long is cut off.
 */
import type { ServerResponse } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context } from "hono";
import { HttpError } from "./problem.ts";
import type { Env } from "./route.ts";

/** `cut` ends the connection in the middle, so that a client knows that there would be more. */
export type Next = Uint8Array | "wait" | "end" | "cut";

export interface SseSource {
  next(): Next;
  /** Calls `wake` when `next` has more to say than `wait`; returns how to stop listening. */
  listen(wake: () => void): () => void;
}

export type SseLimits = {
  /** Streams at once, of all clients. */
  readonly streams: number;
  readonly keepAliveMs: number;
  /** So many beats without taking what was sent, and a client counts as gone. */
  readonly stuckBeats: number;
};

export const DEFAULT_SSE: SseLimits = { streams: 512, keepAliveMs: 15_000, stuckBeats: 4 };

export interface Seat {
  serve(c: Context<Env>, source: SseSource): Response;
  /** Gives the seat back when there was nothing to serve; harmless after `serve`. */
  leave(): void;
}

export interface SseHub {
  /** Throws `too_many_streams` when every seat is taken. */
  admit(): Seat;
  readonly open: number;
  /** Every source is asked again: what runs is coming to its end. */
  wakeAll(): void;
}

export const SSE_HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  // Read by the AI SDK's client, and by a proxy that would otherwise hold the events back.
  "x-vercel-ai-ui-message-stream": "v1",
  "x-accel-buffering": "no",
};

const COMMENT = ": \n\n";

type Stream = {
  readonly outgoing: ServerResponse;
  readonly pump: () => void;
  /** Whether something was written since the last beat. */
  wrote: boolean;
  stuck: number;
};

export function createSseHub(limits: SseLimits): SseHub {
  const streams = new Set<Stream>();
  let seats = 0;
  let timer: NodeJS.Timeout | undefined;

  const beat = () => {
    for (const stream of streams) keepAlive(stream, limits.stuckBeats);
  };
  const add = (stream: Stream) => {
    streams.add(stream);
    timer ??= setInterval(beat, limits.keepAliveMs).unref();
  };
  const remove = (stream: Stream) => {
    streams.delete(stream);
    if (streams.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  function admit(): Seat {
    if (seats >= limits.streams) {
      throw HttpError.make("too_many_streams", { limit: limits.streams });
    }
    seats += 1;
    let taken = true;
    let serving = false;
    const free = () => {
      if (taken) seats -= 1;
      taken = false;
    };
    return {
      leave() {
        if (!serving) free();
      },
      serve(c, source) {
        if (c.env.incoming.method === "HEAD") {
          free();
          return new Response(null, { headers: SSE_HEADERS });
        }
        serving = true;
        start(c.env.outgoing, source, { add, remove, free });
        return RESPONSE_ALREADY_SENT;
      },
    };
  }
  return {
    admit,
    get open() {
      return streams.size;
    },
    wakeAll() {
      for (const { pump } of [...streams]) pump();
    },
  };
}

type Upkeep = {
  readonly add: (stream: Stream) => void;
  readonly remove: (stream: Stream) => void;
  readonly free: () => void;
};

function start(outgoing: ServerResponse, source: SseSource, { add, remove, free }: Upkeep): void {
  if (outgoing.destroyed) {
    // Whoever asked has gone; what was got ready for them is let go in the same way as ever.
    source.listen(() => {})();
    free();
    return;
  }
  let over = false;
  const pump = () => {
    while (!over && !outgoing.writableNeedDrain) {
      const next = source.next();
      if (next === "wait") return;
      if (typeof next === "string") return finish(next);
      stream.wrote = true;
      outgoing.write(next);
    }
  };
  const finish = (how: "end" | "cut" | "gone") => {
    if (over) return;
    over = true;
    outgoing.off("drain", pump);
    stop();
    remove(stream);
    free();
    if (how === "end") outgoing.end();
    else outgoing.destroy();
  };
  const stream: Stream = { outgoing, pump, wrote: false, stuck: 0 };
  outgoing.once("close", () => finish("gone")).on("drain", pump);
  outgoing.writeHead(200, SSE_HEADERS);
  // The client hears that it was taken, though the first frame may be long in coming.
  outgoing.flushHeaders();
  add(stream);
  const stop = source.listen(pump);
  pump();
}

function keepAlive(stream: Stream, stuckBeats: number): void {
  const { outgoing } = stream;
  if (outgoing.writableNeedDrain) {
    stream.stuck += 1;
    if (stream.stuck >= stuckBeats) outgoing.destroy();
    return;
  }
  stream.stuck = 0;
  if (!stream.wrote) outgoing.write(COMMENT);
  stream.wrote = false;
}
