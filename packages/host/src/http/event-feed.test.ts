/** Listeners of events that are slow, late, or were not there when it began. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { HostEvent, SessionStatus } from "@galley/parts";
import { createEventFeed, type FeedInput } from "./event-feed.ts";

type Small = { readonly input: FeedInput; publish(event: HostEvent): void };

function small(statuses: Readonly<Record<string, SessionStatus>> = {}): Small {
  let publish = (_: HostEvent) => {};
  const backend = {
    now: () => 7,
    live: {
      listen(heard: (event: HostEvent) => void) {
        publish = heard;
        return () => {};
      },
      status: async (id: string) => statuses[id] ?? { state: "idle" },
    },
    store: {
      queue: { sessions: async () => Object.keys(statuses) },
      sessions: { marked: async () => [] },
    },
  };
  return {
    publish: (event) => publish(event),
    // The feed reads no more of them than this.
    input: { backend, onEvent: () => {}, report: assert.fail } as unknown as FeedInput,
  };
}

const queued = (session_id: string, at: number): HostEvent => ({
  type: "queue-changed",
  session_id,
  at,
});

const said = (next: unknown): unknown =>
  next instanceof Uint8Array ? new TextDecoder().decode(next) : next;

test("a listener that falls too far behind is cut off, and one that keeps up is not", async () => {
  const { input, publish } = small();
  const feed = createEventFeed(input);
  const behind = await feed.source({}, () => false);
  const along = await feed.source({}, () => false);
  for (let at = 0; at < 1_024; at += 1) {
    publish(queued("ses_a", at));
    along.next();
  }
  assert.equal(said(behind.next()), `data: ${JSON.stringify(queued("ses_a", 0))}\n\n`);
  publish(queued("ses_a", 1_024));
  publish(queued("ses_a", 1_025));
  assert.equal(behind.next(), "cut");
  assert.equal(said(along.next()), `data: ${JSON.stringify(queued("ses_a", 1_024))}\n\n`);
});

test("a session that waited before anybody listened is in the first frames", async () => {
  const { input } = small({ ses_a: { state: "error", message: "no" }, ses_b: { state: "idle" } });
  const source = await createEventFeed(input).source({}, () => false);
  assert.equal(
    said(source.next()),
    'data: {"type":"status-changed","session_id":"ses_a","at":7,"status":{"state":"error","message":"no"}}\n\n',
  );
  assert.equal(source.next(), "wait");
});

test("a session that came to rest, or was deleted, is in nobody's first frames", async () => {
  const { input, publish } = small();
  const feed = createEventFeed(input);
  const status = (session_id: string, state: SessionStatus["state"]): HostEvent => ({
    type: "status-changed",
    session_id,
    at: 1,
    status: { state },
  });
  publish(status("ses_a", "busy"));
  publish(status("ses_b", "busy"));
  publish(status("ses_a", "idle"));
  feed.forget("ses_b");
  assert.equal((await feed.source({}, () => false)).next(), "wait");
});

test("every listener is woken, and not after it left", async () => {
  const { input, publish } = small();
  const feed = createEventFeed(input);
  const woken: string[] = [];
  const one = (await feed.source({}, () => false)).listen(() => woken.push("one"));
  (await feed.source({}, () => false)).listen(() => woken.push("two"));
  publish(queued("ses_a", 1));
  one();
  publish(queued("ses_a", 2));
  assert.deepEqual(woken, ["one", "two", "two"]);
});
