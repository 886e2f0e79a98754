/**
 * The events of all sessions for any number of listeners: encoded once, kept for as long as it takes
 * the slowest of them that is worth waiting for. Who falls further behind is cut off, and finds the
 * present state when it comes back: the first frames of a stream are the sessions that do not rest.
 */
import type { HostEvent, SessionId, SessionStatus } from "@galley/parts";
import type { SessionBackend } from "./session-backend.ts";
import type { Next, SseSource } from "./sse-hub.ts";
import { frame } from "./sse-source.ts";

/** Events that a listener may be behind. */
const KEPT = 1_024;

export type EventQuery = { readonly session_id?: SessionId | undefined };

export interface EventFeed {
  /** From now on, after the state of every session that does not rest. */
  source(query: EventQuery, isCut: () => boolean): Promise<SseSource>;
  /** After a session was deleted: it has no state any more. */
  forget(id: SessionId): void;
  close(): void;
}

type Kept = { readonly session_id: SessionId; readonly frame: Uint8Array };

export type FeedInput = {
  readonly backend: Pick<SessionBackend, "live" | "store" | "now">;
  /** Hears every event too. */
  readonly onEvent: (event: HostEvent) => void;
  readonly report: (error: unknown) => void;
};

export function createEventFeed({ backend, onEvent, report }: FeedInput): EventFeed {
  const kept: Kept[] = [];
  /** The number of the first that is kept. */
  let base = 0;
  const wakes = new Set<() => void>();
  const restless = new Map<SessionId, SessionStatus>();
  const note = (id: SessionId, status: SessionStatus) => {
    if (status.state === "idle") restless.delete(id);
    else restless.set(id, status);
  };

  const unlisten = backend.live.listen((event) => {
    onEvent(event);
    if (event.type === "status-changed") note(event.session_id, event.status);
    if (event.type === "session-deleted") restless.delete(event.session_id);
    kept.push({ session_id: event.session_id, frame: frame(JSON.stringify(event)) });
    if (kept.length > KEPT) {
      kept.shift();
      base += 1;
    }
    for (const wake of wakes) wake();
  });
  const seeded = seed(backend, restless).catch(report);

  function present({ session_id: wanted }: EventQuery): Uint8Array {
    const at = backend.now();
    const frames = [...restless]
      .filter(([id]) => wanted === undefined || wanted === id)
      .map(([session_id, status]) =>
        frame(JSON.stringify({ type: "status-changed", session_id, at, status })),
      );
    return Buffer.concat(frames);
  }

  return {
    async source(query, isCut) {
      await seeded;
      // Taken in one step: nothing can happen between the state and the events that follow it.
      let first: Uint8Array | undefined = present(query);
      let cursor = base + kept.length;
      return {
        next(): Next {
          if (first !== undefined && first.length > 0) {
            const frames = first;
            first = undefined;
            return frames;
          }
          if (isCut()) return "end";
          if (cursor < base) return "cut";
          for (let each = kept[cursor - base]; each !== undefined; each = kept[cursor - base]) {
            cursor += 1;
            if (query.session_id === undefined || query.session_id === each.session_id) {
              return each.frame;
            }
          }
          return "wait";
        },
        listen(wake) {
          wakes.add(wake);
          return () => wakes.delete(wake);
        },
      };
    },
    forget: (id) => void restless.delete(id),
    close: unlisten,
  };
}

/** Sessions that did not rest before anybody listened. What an event said meanwhile stands. */
async function seed(
  { live, store }: FeedInput["backend"],
  restless: Map<SessionId, SessionStatus>,
): Promise<void> {
  const marked = [
    store.queue.sessions(),
    store.sessions.marked("run"),
    store.sessions.marked("pause"),
  ];
  for (const id of new Set((await Promise.all(marked)).flat())) {
    const status = await live.status(id);
    if (status.state !== "idle" && !restless.has(id)) restless.set(id, status);
  }
}
