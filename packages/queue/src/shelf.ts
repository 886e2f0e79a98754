/**
 * The rows that the effects of a session leave behind, for tests: as strict as a store with
 * conditional writes, and able to say what a restart would find. Any fault is thrown as text.
 */
import type { RowEffect } from "./effect.ts";
import type { StoredRun } from "./restore.ts";
import type { Interaction, QueueEntry, Turn } from "./run-state.ts";

export type Shelf = {
  write(effect: RowEffect): void;
  /** The calls that the turn's recorder keeps as it runs into them. */
  ask(open: readonly Interaction[]): void;
  rows(): StoredRun;
  readonly fired: readonly string[];
  readonly cancelled: readonly string[];
  readonly continued: readonly string[];
};

function must(holds: boolean, rule: string): asserts holds {
  if (!holds) throw new Error(rule);
}

export function createShelf(session_id: string): Shelf {
  const queued = new Map<string, QueueEntry>();
  const fired: string[] = [];
  const cancelled: string[] = [];
  const continued: string[] = [];
  let turn: (Turn & { readonly running: boolean }) | null = null;
  let open: readonly Interaction[] = [];
  let answered: readonly string[] = [];
  let pause: StoredRun["pause"] = null;
  let stop_policy: StoredRun["stop_policy"] = "drain";

  function claim({ at, ...effect }: Extract<RowEffect, { type: "fire" | "continue" }>): void {
    const { message_id, turn_id, segment } = effect;
    must(turn?.running !== true, "at most one turn runs");
    must(!cancelled.includes(message_id), "a cancelled message never fires");
    turn = { message_id, turn_id, segment, started_at: at, running: true };
    if (effect.type === "continue") {
      must(open.length === 0, "a turn goes on when nothing is open");
      continued.push(turn_id);
      answered = [];
      return;
    }
    open = [];
    answered = [];
    const first = [...queued.values()].toSorted((a, b) => a.queued_at - b.queued_at)[0];
    if (queued.has(message_id)) must(first?.id === message_id, "the head of the queue fires");
    queued.delete(message_id);
    fired.push(message_id);
  }

  function close(effect: Extract<RowEffect, { type: "close-turn" }>): void {
    const isClaimed = turn?.running === true && turn.turn_id === effect.turn_id;
    must(isClaimed && turn?.segment === effect.segment, "only the running segment is closed");
    const isOver = effect.ending !== "blocked" && open.length === 0;
    turn = turn === null || isOver ? null : { ...turn, running: false };
  }

  function settle(effect: Extract<RowEffect, { type: "settle-interaction" }>): void {
    const before = open.length;
    open = open.filter(({ tool_call_id }) => tool_call_id !== effect.tool_call_id);
    must(open.length === before - 1, "an interaction is settled once");
    if (effect.how === "answered") answered = [...answered, effect.tool_call_id];
    if (open.length === 0 && answered.length === 0 && turn?.running === false) turn = null;
  }

  function write(effect: RowEffect): void {
    switch (effect.type) {
      case "fire":
      case "continue":
        claim(effect);
        return;
      case "persist-queued":
        must(!queued.has(effect.entry.id), "a message is queued once");
        queued.set(effect.entry.id, effect.entry);
        return;
      case "unqueue":
        must(queued.delete(effect.message_id), "only a queued message is cancelled");
        cancelled.push(effect.message_id);
        return;
      case "reorder":
        for (const entry of effect.entries) {
          must(queued.has(entry.id), "only queued messages are moved");
          queued.set(entry.id, entry);
        }
        return;
      case "close-turn":
        close(effect);
        return;
      case "settle-interaction":
        settle(effect);
        return;
      case "set-pause":
        pause = effect.pause;
        return;
      case "clear-pause":
        must(pause !== null, "only a pause is cleared");
        pause = null;
        return;
      case "set-policy":
        stop_policy = effect.stop_policy;
    }
  }

  return {
    write,
    ask: (asked) => {
      open = asked;
    },
    rows: () => ({
      session_id,
      stop_policy,
      // Backwards: a store promises no order, and the order keys must be enough.
      queued: [...queued.values()].toReversed(),
      turn,
      open,
      answered,
      pause,
    }),
    fired,
    cancelled,
    continued,
  };
}
