/**
 * The HTTP server of a host: it listens, hands requests to the application, bounds how long one may
 * take to arrive, and ends without cutting off what runs.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Pipeline } from "../pipeline/pipeline.ts";
import { createApp } from "./app.ts";
import { readAssets } from "./assets.ts";
import { bracketed, isLoopback } from "./gate.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { HttpError, problemResponse } from "./problem.ts";
import { SECURITY_HEADERS } from "./security-headers.ts";
import { serveSessions } from "./serve-sessions.ts";
import type { SessionBackend } from "./session-backend.ts";
import { DEFAULT_SSE } from "./sse-hub.ts";
import { answerUnreadable } from "./unreadable.ts";

export type ServerLimits = {
  readonly bodyBytes: number;
  /** Until the headers, and the whole request, have arrived. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** How long `close` waits for what runs before it ends it. */
  readonly graceMs: number;
  /** Streams of events at once, of all clients. */
  readonly streams: number;
};

export const DEFAULT_LIMITS: ServerLimits = {
  bodyBytes: 48 * 1024 * 1024,
  headersMs: 10_000,
  requestMs: 60_000,
  graceMs: 5_000,
  streams: DEFAULT_SSE.streams,
};

export type ServerInput = {
  readonly pipeline: Pipeline;
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  readonly token: string;
  /** Tells whoever runs the server, a line at a time. */
  readonly print: (line: string) => void;
  readonly limits?: Partial<ServerLimits>;
  /** Without it the server composes, proofs and tries, and knows no sessions. */
  readonly sessions?: SessionBackend;
};

export type RunningServer = {
  /** Without the token: `http://127.0.0.1:4747`. */
  readonly url: string;
  /** The start page with the token in its fragment, which a browser sends to nobody. */
  readonly pageUrl: string;
  close(): Promise<void>;
};

export async function startServer(input: ServerInput): Promise<RunningServer> {
  const limits = { ...DEFAULT_LIMITS, ...input.limits };
  const stopping = new AbortController();
  const metrics = createMetrics();
  let closed: Promise<void> | undefined;
  const isClosing = () => closed !== undefined;
  const shared = {
    isClosing,
    maxBody: limits.bodyBytes,
    report: (error: unknown) => input.print(`galley: a request failed: ${sayError(error)}`),
  };
  const sessions = input.sessions && {
    ...serveSessions(input.sessions, limits.streams, metrics, shared.report),
    ...shared,
    isCut: () => stopping.signal.aborted,
  };
  const { pipeline, host, token } = input;
  const who = { pipeline, host, token, assets: await readAssets() };
  const onRoute = routeOf.set.bind(routeOf);
  const app = createApp({ ...shared, ...who, stopping: stopping.signal, sessions, onRoute });
  const server = serverOf(app.fetch, limits);
  countRequests(server, metrics, isClosing);
  const url = await listen(server, input);
  if (!isLoopback(host)) input.print(beyondThisMachine(host));
  const close = async () => {
    await closeGently(server, stopping, limits.graceMs, () => sessions?.hub.wakeAll());
    sessions?.feed.close();
  };
  return {
    url,
    pageUrl: `${url}/#token=${encodeURIComponent(token)}`,
    close() {
      closed ??= close();
      return closed;
    },
  };
}

/** The route that an answer belongs to, by its pattern; none when nobody was there to take it. */
const routeOf = new WeakMap<object, string>();

function countRequests(server: Server, metrics: Metrics, isClosing: () => boolean): void {
  server.on("request", ({ method = "" }, outgoing) => {
    outgoing.once("close", () => {
      metrics.request(method, routeOf.get(outgoing) ?? "none", outgoing.statusCode);
      // Nothing more is asked on a connection that was kept for later.
      if (isClosing()) setImmediate(() => server.closeIdleConnections());
    });
  });
}

const beyondThisMachine = (host: string): string =>
  `galley: ${host} can be reached from other machines: the token is all that keeps them out, and it travels in the clear`;

type Fetch = ReturnType<typeof createApp>["fetch"];

function serverOf(fetch: Fetch, limits: ServerLimits): Server {
  const listener = getRequestListener(fetch, {
    // The kit's own fetch must stay what it is.
    overrideGlobalObjects: false,
    errorHandler: (error) =>
      problemResponse(HttpError.make("malformed", { reason: sayError(error) })),
  });
  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: Math.min(1_000, limits.headersMs, limits.requestMs),
    keepAliveTimeout: 5_000,
  });
  server.on("request", (incoming, outgoing) => {
    for (const [name, value] of SECURITY_HEADERS) outgoing.setHeader(name, value);
    void listener(incoming, outgoing);
  });
  answerUnreadable(server);
  return server;
}

async function listen(server: Server, { host, port }: ServerInput): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(port, host, resolve);
  try {
    await promise;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw code === "EADDRINUSE"
      ? HttpError.make("port_taken", { host, port }, { cause: error })
      : HttpError.make("cannot_listen", { host, port, reason: message }, { cause: error });
  } finally {
    server.off("error", reject);
  }
  // A server that listens on a port has an address of this kind.
  const { port: bound } = server.address() as AddressInfo;
  const name = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${bracketed(name)}:${bound}`;
}

/** New connections are refused at once; running answers get their time, then an orderly end. */
async function closeGently(
  server: Server,
  stopping: AbortController,
  graceMs: number,
  wakeStreams: () => void,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  // Streams that would go on for ever end now; those of a turn when it ends, or when time is up.
  setImmediate(wakeStreams);
  stopping.signal.addEventListener("abort", wakeStreams, { once: true });
  const timers = [
    setTimeout(() => stopping.abort(), graceMs),
    setTimeout(() => server.closeAllConnections(), graceMs + 1_000),
  ];
  await promise;
  for (const timer of timers) clearTimeout(timer);
}

const sayError = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error);
