/**
 * Turns the pure machine into a running one. Events of a session are taken one after the other;
 * each is reduced and its rows are written in one transaction, and only after the commit does
 * anything reach outside. A failed transaction leaves state, rows and the outside as they were.
 */
import type { Step } from "./drain.ts";
import { isOutside, isRow, type OutsideEffect, type RowEffect } from "./effect.ts";
import type { Happening, Stamp } from "./event.ts";
import { reduce } from "./reduce.ts";
import { QueueError, type Refused } from "./refusal.ts";
import { restore, type StoredRun } from "./restore.ts";
import type { RunState } from "./run-state.ts";

export interface SessionPorts<Tx> {
  /** Commits when `work` resolves, undoes everything and rejects with its error when it rejects. */
  transact<R>(work: (tx: Tx) => Promise<R>): Promise<R>;
  load(tx: Tx): Promise<StoredRun>;
  /** A conditional write: it rejects when the row is no longer what the effect takes it for. */
  write(tx: Tx, effect: RowEffect): Promise<void>;
  /** Starts what the effect orders and returns; what comes of it is dispatched later. */
  perform(effect: OutsideEffect): void;
  /** An effect that could not even be started. */
  failed(effect: OutsideEffect, error: unknown): void;
  stamp(): Stamp;
}

/** Given as a function it runs inside the transaction, so that a caller's own rows join it. */
export type Cause<Tx> = Happening | ((tx: Tx) => Promise<Happening>);

export interface DrivenSession<Tx> {
  state(): RunState;
  dispatch(cause: Cause<Tx>): Promise<Step | Refused>;
}

export async function driveSession<Tx>(ports: SessionPorts<Tx>): Promise<DrivenSession<Tx>> {
  let state: RunState;
  let last: Promise<unknown>;

  function performAll({ effects }: Step): void {
    for (const effect of effects.filter(isOutside)) {
      try {
        ports.perform(effect);
      } catch (error) {
        // A port may throw anything. The rest is still performed, and a start that failed is told.
        ports.failed(effect, error);
        const outcome = failedStart(effect, error);
        if (outcome !== undefined) dispatch(outcome).catch((lost) => ports.failed(effect, lost));
      }
    }
  }

  async function take(cause: Cause<Tx>): Promise<Step | Refused> {
    try {
      const step = await ports.transact(async (tx) => {
        const happening = typeof cause === "function" ? await cause(tx) : cause;
        const reduced = reduce(state, { ...happening, ...ports.stamp() });
        if ("refused" in reduced) throw QueueError.make("refused", reduced.refused);
        return await writeRows(ports, tx, reduced);
      });
      // Before any effect: performing one may dispatch again at once.
      state = step.state;
      performAll(step);
      return step;
    } catch (error) {
      if (QueueError.is(error, "refused")) return { refused: error.data };
      throw error;
    }
  }

  function dispatch(cause: Cause<Tx>): Promise<Step | Refused> {
    const taken = last.then(() => take(cause));
    // The next event does not care how this one ended; whoever dispatched it is told.
    last = taken.then(settled, settled);
    return taken;
  }

  const up = await ports.transact(async (tx) =>
    writeRows(ports, tx, restore(await ports.load(tx), ports.stamp())),
  );
  state = up.state;
  last = Promise.resolve();
  performAll(up);
  return { state: () => state, dispatch };
}

const settled = (): void => undefined;

async function writeRows<Tx>(ports: SessionPorts<Tx>, tx: Tx, step: Step): Promise<Step> {
  for (const effect of step.effects.filter(isRow)) await ports.write(tx, effect);
  return step;
}

/** Work that was claimed and never began ends like work that failed: it does not hang. */
function failedStart(effect: OutsideEffect, error: unknown): Happening | undefined {
  const message = error instanceof Error ? error.message : String(error);
  switch (effect.type) {
    case "fire":
    case "continue": {
      const { turn_id, segment } = effect;
      return { type: "turn-failed", turn_id, segment, message };
    }
    case "start-compaction":
      return { type: "compaction-failed", operation_id: effect.operation_id, message };
    case "abort-turn":
    case "abort-compaction":
    case "publish-event":
    case "publish-status":
    case "publish-queue":
      return undefined;
  }
}
