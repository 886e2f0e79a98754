/**
 * How many messages wait, in all sessions. Only sessions whose queue changed are counted again, and
 * only when somebody asks, so that asking often is cheap.
 */
import { type HostEvent, isGalleyError, type SessionId } from "@galley/parts";
import type { SessionBackend } from "./session-backend.ts";

export interface QueueDepth {
  event(event: HostEvent): void;
  total(): Promise<number>;
}

const COUNTED = new Set<HostEvent["type"]>(["queue-changed", "turn-started", "session-deleted"]);

export function createQueueDepth({ live, store }: Pick<SessionBackend, "live" | "store">) {
  const depths = new Map<SessionId, number>();
  const changed = new Set<SessionId>();
  let seeded = false;
  let counting: Promise<number> | undefined;

  async function count(): Promise<number> {
    if (!seeded) for (const id of await store.queue.sessions()) changed.add(id);
    seeded = true;
    for (const id of [...changed]) {
      changed.delete(id);
      const depth = await depthOf(id);
      if (depth === 0) depths.delete(id);
      else depths.set(id, depth);
    }
    return [...depths.values()].reduce((sum, depth) => sum + depth, 0);
  }

  async function depthOf(id: SessionId): Promise<number> {
    try {
      return (await live.queue(id)).entries.length;
    } catch (error) {
      // A session that was deleted took its queue along.
      if (isGalleyError(error) && error.code === "turn.no-session") return 0;
      changed.add(id);
      throw error;
    }
  }

  const depth: QueueDepth = {
    event({ type, session_id }) {
      if (COUNTED.has(type)) changed.add(session_id);
    },
    total() {
      counting ??= count().finally(() => {
        counting = undefined;
      });
      return counting;
    },
  };
  return depth;
}
