/**
 * Tells every listener of every event of every session. Nothing is kept: a doorbell that nobody
 * heard has not rung, and what happened is in the store.
 */
import type { HostEvent } from "@galley/parts";

export type Heard = (event: HostEvent) => void;

export interface EventBus {
  publish(event: HostEvent): void;
  /** Returns how to stop listening. */
  listen(heard: Heard): () => void;
}

export function createEventBus(report: (error: unknown) => void): EventBus {
  const listeners = new Set<{ readonly heard: Heard }>();

  function ring(event: HostEvent): void {
    for (const listener of [...listeners]) {
      // One listener may have stopped another.
      if (!listeners.has(listener)) continue;
      try {
        listener.heard(event);
      } catch (error) {
        report(error);
      }
    }
  }

  return {
    // Rung when the step that it tells of is done: whoever hears that a turn began finds it running.
    publish: (event) => queueMicrotask(() => ring(event)),
    listen(heard) {
      // An object of its own: the same function may listen twice, and stop once.
      const listener = { heard };
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
