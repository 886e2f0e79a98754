/** A host that listens: the HTTP server over its sessions, and the word to others where it is. */
import { type RunningServer, type ServerInput, startServer } from "../http/server.ts";
import type { SessionBackend } from "../http/session-backend.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import type { HostLock } from "./host-lock.ts";

export type ServeInput = Pick<ServerInput, "host" | "port" | "token" | "limits"> & {
  /** Tells whoever runs the server, a line at a time. */
  readonly print?: (line: string) => void;
};

export type Served = Pick<RunningServer, "url" | "pageUrl">;

export type ServingInput = {
  readonly pipeline: Pipeline;
  readonly sessions: SessionBackend;
  readonly lock: HostLock | undefined;
  /** Of a request, unless the one who serves says otherwise. */
  readonly bodyBytes: number;
  warn(line: string): void;
};

export interface Serving {
  serve(input: ServeInput): Promise<Served>;
  close(): Promise<void>;
}

export function serving({ pipeline, sessions, lock, bodyBytes, warn }: ServingInput): Serving {
  const running: RunningServer[] = [];
  return {
    async serve({ print = warn, ...input }) {
      const limits = { bodyBytes, ...input.limits };
      const server = await startServer({ ...input, limits, pipeline, sessions, print });
      running.push(server);
      await lock?.announce(server.url);
      return { url: server.url, pageUrl: server.pageUrl };
    },
    async close() {
      await Promise.all(running.map((server) => server.close()));
    },
  };
}
