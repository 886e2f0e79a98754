/**
 * The rehearsal on loopback: node's HTTP server, the clock and the waiting. Everything that decides
 * is in the stage; this file reads a body, writes the pieces of a reply, and ends what is open.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { defineErrors } from "@galley/parts";
import { errorReply, type Reply } from "./answer.ts";
import { PROTOCOLS } from "./protocols.ts";
import { type Received, type Recorder, recorder } from "./record.ts";
import { type Route, routeOf } from "./route.ts";
import type { Script } from "./script.ts";
import { openStage, type Stage, type StageOptions } from "./stage.ts";

export type RehearsalOptions = StageOptions & {
  /** 0, the default, takes a free port. */
  readonly port?: number;
  /** How many received requests are kept; older ones are let go and counted. */
  readonly keepReceived?: number;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
};

export interface Rehearsal {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly url: string;
  readonly received: readonly Received[];
  /** How many received requests were let go. */
  readonly released: number;
  /** Resolves when no reply is under way, so that every `ending` is told. */
  idle(): Promise<void>;
  /** Starts another script from its first step; undefined brings the default answer back. */
  use(script: Script | undefined): void;
  /** Ends open streams too. */
  close(): Promise<void>;
}

export const RehearsalError = defineErrors("rehearsal", {
  "cannot-listen": ({ port, reason }: { port: number; reason: string }) =>
    `The rehearsal cannot listen on 127.0.0.1:${port}: ${reason}`,
});

const LOOPBACK = "127.0.0.1";
const RECEIVED_KEPT = 1_000;

export async function startRehearsal(options: RehearsalOptions = {}): Promise<Rehearsal> {
  const stage = openStage(options);
  const records = recorder(options.keepReceived ?? RECEIVED_KEPT);
  const closing = new AbortController();
  const now = options.now ?? Date.now;
  let closed: Promise<void> | undefined;
  const underWay = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    const serving = { stage, records, closing: closing.signal, options, now };
    const done = serve(request, response, serving)
      // What fails here is ours: break the connection instead of leaving the client to wait.
      .catch((error: unknown) => void response.destroy(error instanceof Error ? error : undefined))
      .finally(() => underWay.delete(done));
    underWay.add(done);
  });
  await listen(server, options.port ?? 0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${LOOPBACK}:${port}`,
    received: records.received,
    get released() {
      return records.released();
    },
    idle: async () => void (await Promise.all(underWay)),
    use: (script) => stage.use(script),
    close: () => {
      closed ??= end(server, closing);
      return closed;
    },
  };
}

function end(server: Server, closing: AbortController): Promise<void> {
  closing.abort();
  server.closeAllConnections();
  return new Promise((resolve, reject) =>
    server.close((error) => (error ? reject(error) : resolve())),
  );
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", (error) =>
      reject(
        RehearsalError.make("cannot-listen", { port, reason: error.message }, { cause: error }),
      ),
    );
    server.listen(port, LOOPBACK, resolve);
  });

type Serving = {
  readonly stage: Stage;
  readonly records: Recorder;
  readonly closing: AbortSignal;
  readonly options: RehearsalOptions;
  readonly now: () => number;
};

async function serve(request: IncomingMessage, response: ServerResponse, serving: Serving) {
  const method = request.method ?? "";
  const path = request.url ?? "/";
  const route = method === "POST" ? routeOf(path) : undefined;
  const { body, isWhole, hasLeft } = await readBody(
    request,
    serving.options.maxBodyBytes ?? maxBytes(route),
  );
  const { reply, accepted } = hasLeft
    ? LEFT
    : route
      ? perform(route, request, body, serving)
      : { reply: noSuchPath(method, path), accepted: false };
  const tell = serving.records.add({
    protocol: route?.protocol,
    method,
    path,
    headers: { ...request.headers },
    body,
    isWhole,
    status: reply.status,
    accepted,
  });
  tell(hasLeft ? "client-left" : await send(response, reply, serving.closing));
}

const maxBytes = (route: Route | undefined): number =>
  route ? PROTOCOLS[route.protocol].maxBodyBytes : 0;

/** What arrived, up to the first piece past the limit: enough to be refused for it. */
async function readBody(request: IncomingMessage, limit: number) {
  const pieces: Buffer[] = [];
  let size = 0;
  let isWhole = true;
  let hasLeft = false;
  try {
    for await (const piece of request as AsyncIterable<Buffer>) {
      if (size <= limit) pieces.push(piece);
      else isWhole = false;
      size += piece.byteLength;
    }
  } catch (error) {
    // The client left in the middle of its own request: recorded as far as it came.
    if (!request.destroyed) throw error;
    hasLeft = true;
  }
  const body = new Uint8Array(Buffer.concat(pieces));
  return { body, isWhole: isWhole && !hasLeft, hasLeft };
}

function perform(route: Route, request: IncomingMessage, body: Uint8Array, serving: Serving) {
  const nowSeconds = Math.floor(serving.now() / 1000);
  try {
    return serving.stage.perform({ route, headers: request.headers, body, nowSeconds });
  } catch (error) {
    // A fault of the rehearsal itself: told to the client and recorded, never a silent hang.
    const why = error instanceof Error ? error.message : String(error);
    const protocol = PROTOCOLS[route.protocol];
    const complaint = { ...protocol.fault(500), message: `rehearsal: internal failure: ${why}` };
    return { reply: errorReply(protocol, complaint, "req_rehearsal"), accepted: true };
  }
}

const noSuchPath = (method: string, path: string): Reply =>
  plainError(method === "POST" ? 404 : 405, `Invalid URL (${method} ${path})`);

/** No protocol speaks here; OpenAI's shape is the one most clients can read. */
const plainError = (status: number, message: string): Reply => ({
  status,
  headers: { "content-type": "application/json" },
  frames: [
    JSON.stringify({
      error: { message, type: "invalid_request_error", param: null, code: null },
    }),
  ],
  ending: "close",
  withHeaders: true,
  delayMs: 0,
  chunkDelayMs: 0,
});

/** Nobody is there to answer; 499 is what proxies write for it. */
const LEFT = { reply: plainError(499, "The client closed the request."), accepted: false };

async function send(
  response: ServerResponse,
  reply: Reply,
  closing: AbortSignal,
): Promise<Received["ending"]> {
  const left = new AbortController();
  response.on("close", () => left.abort());
  const gone = AbortSignal.any([closing, left.signal]);
  const whoLeft = () => (closing.aborted ? "server-closed" : "client-left");
  if (!(await wait(reply.delayMs, gone))) return whoLeft();
  if (reply.withHeaders) response.writeHead(reply.status, reply.headers).flushHeaders();
  for (const [index, piece] of reply.frames.entries()) {
    if (index > 0 && !(await wait(reply.chunkDelayMs, gone))) return whoLeft();
    response.write(piece);
  }
  switch (reply.ending) {
    case "close":
      response.end();
      await aborted(gone);
      return response.writableFinished ? "sent" : whoLeft();
    case "cut":
      // After the pieces are out: a broken connection, not an unsent reply.
      await new Promise<void>((resolve) => response.write("", () => resolve()));
      response.destroy();
      return "cut";
    case "hang":
      await aborted(gone);
      return whoLeft();
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });

/** False when the connection went away meanwhile, which is the one way this sleep ends early. */
async function wait(ms: number, gone: AbortSignal): Promise<boolean> {
  if (gone.aborted) return false;
  return ms <= 0 || sleep(ms, true, { signal: gone }).catch(() => false);
}
