/**
 * The rules a second time, for tests, written as differently as possible: one line of ids and a
 * handful of flags that are changed in place. It shares no code with the reducer, and no shape.
 */
import type { Happening } from "./event.ts";

/** What an event came to: done, thrown, or the code of the refusal. */
export type Verdict = string;

type Of<T extends Happening["type"]> = Extract<Happening, { readonly type: T }>;

export function createOracle() {
  let line: string[] = [];
  let running: string | null = null;
  let turn = "";
  let part = 0;
  let backingOff = false;
  let toldToStop = false;
  let asked: { id: string; approval: boolean }[] = [];
  let heard = 0;
  let compaction: string | null = null;
  let broken: { message: string; id: string | null } | null = null;
  let hold = false;
  let lease: string | null = null;
  let policy = "drain";
  const fired: string[] = [];
  const cancelled: string[] = [];
  let continued = 0;

  const isTaken = () => (running ?? compaction ?? lease) !== null;

  function start(id: string, nextTurn: string): void {
    [running, turn, part, toldToStop, backingOff] = [id, nextTurn, 0, false, false];
    fired.push(id);
  }

  function kick(nextTurn: string): void {
    const id = line[0];
    if (isTaken() || broken !== null || hold || id === undefined) return;
    line = line.slice(1);
    start(id, nextTurn);
  }

  function endRun(nextTurn: string): void {
    [running, asked, heard, toldToStop, backingOff] = [null, [], 0, false, false];
    kick(nextTurn);
  }

  function dropAll(): void {
    cancelled.push(...line);
    line = [];
    hold = false;
  }

  function isWrongReport(event: { turn_id: string; segment: number }): boolean {
    const isRunning = running !== null && asked.length === 0;
    return !isRunning || event.turn_id !== turn || event.segment !== part;
  }

  function unqueued(id: string, fate: string): Verdict {
    if (fate === "fired" || id === running) return "already-fired";
    return fate === "cancelled" ? "already-cancelled" : "not-queued";
  }

  function submit(event: Of<"submitted">, nextTurn: string): Verdict {
    const id = event.message_id;
    if (event.admission === "conflict") return "conflict";
    if (event.admission === "cancelled") return "already-cancelled";
    if (event.admission === "same" || line.includes(id) || running === id) return "done";
    if (event.origin === "human") [broken, hold] = [null, false];
    line.push(id);
    kick(nextTurn);
    return "done";
  }

  function cancel({ message_id: id, fate }: Of<"cancelled">): Verdict {
    if (!line.includes(id)) return unqueued(id, fate);
    line.splice(line.indexOf(id), 1);
    cancelled.push(id);
    if (line.length === 0) hold = false;
    return "done";
  }

  function move(event: Of<"moved">): Verdict {
    const { message_id: id, other_id: other } = event;
    if (!line.includes(id)) return unqueued(id, event.fate);
    if (!line.includes(other)) return unqueued(other, "unknown");
    if (id === other) return "done";
    line.splice(line.indexOf(id), 1);
    line.splice(line.indexOf(other) + Number(event.side === "after"), 0, id);
    return "done";
  }

  function stop({ clear_queue }: Of<"stopped">, nextTurn: string): Verdict {
    const clears = clear_queue ?? policy === "clear";
    const isRunning = running !== null || compaction !== null;
    if (!isRunning && !(clears && line.length > 0)) return "nothing-running";
    if (clears) dropAll();
    else if (policy === "hold" && line.length > 0 && broken === null) hold = true;
    if (asked.length > 0) endRun(nextTurn);
    else if (isRunning) [toldToStop, backingOff] = [true, false];
    return "done";
  }

  function close(id: string, isAnswer: boolean, nextTurn: string): Verdict {
    if (!asked.some((each) => each.id === id)) return "no-such-interaction";
    asked = asked.filter((each) => each.id !== id);
    if (isAnswer) heard += 1;
    if (asked.length > 0) return "done";
    if (heard === 0) endRun(nextTurn);
    else {
      [heard, part] = [0, part + 1];
      continued += 1;
    }
    return "done";
  }

  function retry({ message_id }: Of<"retried">, nextTurn: string): Verdict {
    if (isTaken()) return "busy";
    const id = message_id ?? broken?.id ?? null;
    if (id === null) return "nothing-to-retry";
    if (line.includes(id)) return "still-queued";
    [broken, hold] = [null, false];
    start(id, nextTurn);
    return "done";
  }

  function resume(nextTurn: string): Verdict {
    if (broken === null && !hold) return "not-paused";
    [broken, hold] = [null, false];
    kick(nextTurn);
    return "done";
  }

  function block(event: Of<"turn-blocked">, nextTurn: string): Verdict {
    const ids = event.open.map(({ tool_call_id }) => tool_call_id);
    const isList = ids.length > 0 && ids.every((id, at) => ids.indexOf(id) === at);
    if (isWrongReport(event) || backingOff || !isList) return "thrown";
    if (toldToStop) endRun(nextTurn);
    else {
      asked = event.open.map((each) => ({
        id: each.tool_call_id,
        approval: each.kind === "approval",
      }));
    }
    return "done";
  }

  function fail(event: Of<"turn-failed">, nextTurn: string): Verdict {
    if (isWrongReport(event)) return "thrown";
    if (!toldToStop) [broken, hold] = [{ message: event.message, id: running }, false];
    endRun(nextTurn);
    return "done";
  }

  function compacted(id: string, failure: string | null, nextTurn: string): Verdict {
    if (compaction === null || compaction !== id) return "thrown";
    if (failure !== null && !toldToStop) {
      [broken, hold] = [{ message: failure, id: broken?.id ?? null }, false];
    }
    [compaction, toldToStop] = [null, false];
    kick(nextTurn);
    return "done";
  }

  function restart(event: Of<"restarted">, nextTurn: string): Verdict {
    if (event.open.length > 0 && running === null) return "thrown";
    [lease, compaction, backingOff] = [null, null, false];
    if (running === null || event.open.length === 0) {
      endRun(nextTurn);
      return "done";
    }
    asked = event.open.map((each) => ({
      id: each.tool_call_id,
      approval: each.kind === "approval",
    }));
    toldToStop = false;
    return "done";
  }

  function backOffIs(value: boolean, event: Of<"retry-due" | "retry-scheduled">): Verdict {
    if (isWrongReport(event) || (!toldToStop && backingOff === value)) return "thrown";
    if (!toldToStop) backingOff = value;
    return "done";
  }

  function finish(event: Of<"turn-finished">, nextTurn: string): Verdict {
    if (isWrongReport(event) || backingOff) return "thrown";
    endRun(nextTurn);
    return "done";
  }

  function occupy(what: { compaction: string } | { lease: string }): Verdict {
    if (isTaken()) return "busy";
    if ("lease" in what) lease = what.lease;
    else [compaction, toldToStop] = [what.compaction, false];
    return "done";
  }

  function release(holder: string, nextTurn: string): Verdict {
    if (lease !== holder) return "thrown";
    lease = null;
    kick(nextTurn);
    return "done";
  }

  function take(event: Happening, nextTurn: string): Verdict {
    if (event.type === "submitted") return submit(event, nextTurn);
    if (event.type === "cancelled") return cancel(event);
    if (event.type === "edited")
      return line.includes(event.message_id) ? "done" : unqueued(event.message_id, event.fate);
    if (event.type === "moved") return move(event);
    if (event.type === "stopped") return stop(event, nextTurn);
    if (event.type === "answered") return close(event.tool_call_id, true, nextTurn);
    if (event.type === "dismissed") return close(event.tool_call_id, false, nextTurn);
    if (event.type === "retried") return retry(event, nextTurn);
    if (event.type === "resumed") return resume(nextTurn);
    if (event.type === "compaction-started") return occupy({ compaction: event.operation_id });
    if (event.type === "leased") return occupy({ lease: event.holder });
    if (event.type === "turn-finished") return finish(event, nextTurn);
    if (event.type === "turn-blocked") return block(event, nextTurn);
    if (event.type === "turn-failed") return fail(event, nextTurn);
    if (event.type === "retry-scheduled") return backOffIs(true, event);
    if (event.type === "retry-due") return backOffIs(false, event);
    if (event.type === "compaction-failed")
      return compacted(event.operation_id, event.message, nextTurn);
    if (event.type === "compaction-ended" || event.type === "compaction-aborted")
      return compacted(event.operation_id, null, nextTurn);
    if (event.type === "released") return release(event.holder, nextTurn);
    if (event.type === "restarted") return restart(event, nextTurn);
    policy = event.stop_policy;
    return "done";
  }

  function shown(): string {
    if (asked.some(({ approval }) => approval)) return "waiting_on_approval";
    if (asked.length > 0) return "waiting_on_user_input";
    if (running !== null) return backingOff ? "retrying" : "busy";
    if (compaction !== null) return "busy compaction";
    return broken === null ? "idle" : `error ${broken.message}`;
  }

  /** Everything that can be compared, as one text. */
  function view(): string {
    const slot = [shown(), running, running === null ? "" : `${turn}.${part}`, lease, hold];
    const pause = broken === null ? "" : `${broken.message} ${broken.id}`;
    return [slot, [pause], line, fired, cancelled, [continued]]
      .map((each) => each.join(","))
      .join(" | ");
  }

  return {
    take,
    view,
    calls: (): readonly string[] => asked.map(({ id }) => id),
    turn: () => ({ turn_id: turn, segment: part }),
    operation: () => compaction,
    lease: () => lease,
  };
}
