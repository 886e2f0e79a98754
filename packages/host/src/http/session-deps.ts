/** What the routes of sessions share: the backend, its streams, and the bounds of a request. */
import type { Context } from "hono";
import { readJson, readOptionalJson } from "./body.ts";
import type { EventFeed } from "./event-feed.ts";
import type { Metrics } from "./metrics.ts";
import type { QueueDepth } from "./queue-depth.ts";
import type { Env } from "./route.ts";
import type { SessionBackend } from "./session-backend.ts";
import type { SseHub } from "./sse-hub.ts";

export type SessionDeps = {
  readonly backend: SessionBackend;
  readonly hub: SseHub;
  readonly feed: EventFeed;
  readonly depth: QueueDepth;
  readonly metrics: Metrics;
  /** Bytes. */
  readonly maxBody: number;
  /** Whether the server no longer waits for what runs. */
  readonly isCut: () => boolean;
  readonly isClosing: () => boolean;
  readonly report: (error: unknown) => void;
};

type Bounds = Pick<SessionDeps, "maxBody">;

export const bodyOf = (c: Context<Env>, { maxBody }: Bounds): Promise<unknown> =>
  readJson(c.env.incoming, maxBody);

export const optionalBodyOf = (c: Context<Env>, { maxBody }: Bounds): Promise<unknown> =>
  readOptionalJson(c.env.incoming, maxBody);

export const JSON_TYPE = "application/json";
