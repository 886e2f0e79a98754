/** What one server keeps for its sessions beside the requests: streams, events and counters. */
import { createEventFeed } from "./event-feed.ts";
import type { Metrics } from "./metrics.ts";
import { createQueueDepth } from "./queue-depth.ts";
import type { SessionBackend } from "./session-backend.ts";
import type { SessionDeps } from "./session-deps.ts";
import { createSseHub, DEFAULT_SSE } from "./sse-hub.ts";

export type ServedSessions = Pick<SessionDeps, "backend" | "hub" | "feed" | "depth" | "metrics">;

export function serveSessions(
  backend: SessionBackend,
  streams: number,
  metrics: Metrics,
  report: (error: unknown) => void,
): ServedSessions {
  const depth = createQueueDepth(backend);
  const feed = createEventFeed({
    backend,
    report,
    onEvent(event) {
      metrics.event(event);
      depth.event(event);
    },
  });
  return { backend, metrics, depth, feed, hub: createSseHub({ ...DEFAULT_SSE, streams }) };
}
