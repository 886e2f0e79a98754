/** The events of every session as one stream, and the counters that are made of them. */
import { HostEvent } from "@galley/parts";
import { checkedQuery } from "./requests.ts";
import type { Route } from "./route.ts";
import type { SessionDeps } from "./session-deps.ts";
import { EventsQuery } from "./session-requests.ts";

export const eventRoutes = (deps: SessionDeps): readonly Route[] => [
  {
    method: "GET",
    path: "/v1/events",
    id: "events",
    summary: "What happens in all sessions; first the status of each that does not rest",
    query: EventsQuery,
    answers: {
      says: "One event a `data:` line, for as long as the client stays",
      type: "text/event-stream",
      schema: HostEvent,
    },
    refuses: [503],
    async handle(c) {
      const query = checkedQuery(EventsQuery, c.req.query());
      const seat = deps.hub.admit();
      try {
        return seat.serve(c, await deps.feed.source(query, deps.isClosing));
      } finally {
        seat.leave();
      }
    },
  },
  {
    method: "GET",
    path: "/metrics",
    id: "metrics",
    summary: "Counters in the text format of Prometheus",
    answers: { says: "The counters", type: "text/plain" },
    async handle() {
      const gauges = { queued: await queued(deps), streams: deps.hub.open };
      return new Response(deps.metrics.text(gauges), {
        headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
      });
    },
  },
];

/** A store that cannot be read takes this one number away, and not the others. */
async function queued({ depth, report }: SessionDeps): Promise<number> {
  try {
    return await depth.total();
  } catch (error) {
    report(error);
    return Number.NaN;
  }
}
