/**
 * Any row of moves, played on the reducer and on the oracle at once, for tests. Each move is an
 * event, fitting or not; both sides must agree on what came of it, and the laws must hold.
 */
import type { RunEffect } from "./effect.ts";
import { isRow } from "./effect.ts";
import type { Happening } from "./event.ts";
import { happeningOf, type Move } from "./moves.ts";
import { createOracle } from "./oracle.ts";
import { queueOf, statusOf } from "./project.ts";
import { reduce } from "./reduce.ts";
import { QueueError } from "./refusal.ts";
import { restore } from "./restore.ts";
import { failureOf, type RunState, restingState, turnOf } from "./run-state.ts";
import { createShelf, type Shelf } from "./shelf.ts";

type Taken = {
  readonly verdict: string;
  readonly state: RunState;
  readonly effects: readonly RunEffect[];
};

function takeStep(state: RunState, happening: Happening, at: number, next_turn_id: string): Taken {
  try {
    const done = reduce(state, { ...happening, at, next_turn_id });
    if ("refused" in done) return { verdict: done.refused.code, state, effects: [] };
    return { verdict: "done", ...done };
  } catch (error) {
    if (QueueError.is(error, "out-of-place")) return { verdict: "thrown", state, effects: [] };
    throw error;
  }
}

/** The reducer's side in the words of the oracle. */
function viewOf(state: RunState, { fired, cancelled, continued }: Shelf): string {
  const { state: shown, operation } = statusOf(state);
  const turn = turnOf(state);
  const failure = failureOf(state);
  const status = [shown, operation, shown === "error" ? failure?.message : undefined];
  const slot = [
    status.filter((word) => word !== undefined).join(" "),
    turn?.message_id ?? null,
    turn === undefined ? "" : `${turn.turn_id}.${turn.segment}`,
    state.lease,
    state.held,
  ];
  const pause = failure === undefined ? "" : `${failure.message} ${failure.message_id}`;
  const line = state.queue.map(({ id }) => id);
  return [slot, [pause], line, fired, cancelled, [continued.length]]
    .map((each) => each.join(","))
    .join(" | ");
}

function brokenRest({ phase, queue, held, lease }: RunState): string | undefined {
  if (phase.status === "idle" && queue.length > 0 && !held && lease === null) {
    return "an idle session with something queued is held or leased";
  }
  if (held && queue.length === 0) return "a hold has something behind it";
  const rises = queue.every((entry, index) => {
    const before = queue[index - 1];
    return before === undefined || before.queued_at < entry.queued_at;
  });
  return rises ? undefined : "the order keys rise along the queue";
}

function brokenLedger(state: RunState, shelf: Shelf, ids: readonly string[]): string | undefined {
  const lost = ids.find((id) => {
    const places = [
      state.queue.some((entry) => entry.id === id),
      shelf.fired.includes(id),
      shelf.cancelled.includes(id),
    ];
    return places.filter(Boolean).length !== 1;
  });
  return lost && `${lost} is in exactly one place: queued, fired or cancelled`;
}

/** A host that dies here and comes back finds in the rows what it would have known. */
function brokenRestart(state: RunState, shelf: Shelf, at: number): string | undefined {
  const stamp = { at, next_turn_id: "turn_up" };
  const rows = shelf.rows();
  const live = takeStep(state, { type: "restarted", open: rows.open }, at, "turn_up");
  const found = restore(rows, stamp);
  const same = JSON.stringify(found.state) === JSON.stringify(live.state);
  return same ? undefined : "the rows restore what a restart of the live session gives";
}

function brokenNews(before: RunState, { state, effects }: Taken): string | undefined {
  const says = (type: RunEffect["type"]) => effects.filter((effect) => effect.type === type).length;
  const changed = JSON.stringify(statusOf(before)) !== JSON.stringify(statusOf(state));
  if (says("publish-status") !== Number(changed)) return "a changed status is published once";
  const moved = JSON.stringify(queueOf(before)) !== JSON.stringify(queueOf(state));
  if (moved && says("publish-queue") !== 1) return "a changed queue is published once";
  return undefined;
}

function settleRows(shelf: Shelf, happening: Happening, taken: Taken): string | undefined {
  if (taken.verdict !== "done") return undefined;
  try {
    if (happening.type === "turn-blocked") shelf.ask(happening.open);
    for (const effect of taken.effects.filter(isRow)) shelf.write(effect);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Read before the rows are written: what fires a second time was asked for. */
function brokenFire(happening: Happening, { effects }: Taken, shelf: Shelf): string | undefined {
  const again = effects.some(
    (effect) => effect.type === "fire" && shelf.fired.includes(effect.message_id),
  );
  const asked = happening.type === "retried";
  return again && !asked ? "a message fires once, unless it is retried" : undefined;
}

/** The first law that these moves break, with the move that broke it; undefined if none. */
export function brokenLaw(moves: readonly Move[]): string | undefined {
  const oracle = createOracle();
  const shelf = createShelf("ses_1");
  const ids: string[] = [];
  let state = restingState("ses_1");
  for (const [index, move] of moves.entries()) {
    const happening = happeningOf({ ids, oracle, shelf }, move);
    const turnId = `turn_${index}`;
    // A clock that stands still and steps back.
    const at = 1000 + index - (move.other % 7);
    const taken = takeStep(state, happening, at, turnId);
    const expected = oracle.take(happening, turnId);
    if (happening.type === "submitted" && happening.admission === "new")
      ids.push(happening.message_id);
    const fault = brokenFire(happening, taken, shelf) ?? settleRows(shelf, happening, taken);
    const [mine, theirs] = [viewOf(taken.state, shelf), oracle.view()];
    const broken =
      (taken.verdict === expected ? undefined : `${taken.verdict}, not ${expected}`) ??
      fault ??
      (mine === theirs ? undefined : `the oracle has ${theirs}, the reducer ${mine}`) ??
      brokenRest(taken.state) ??
      brokenLedger(taken.state, shelf, ids) ??
      brokenNews(state, taken) ??
      brokenRestart(taken.state, shelf, at);
    if (broken !== undefined) return `${index}: ${JSON.stringify(happening)}: ${broken}`;
    state = taken.state;
  }
  return undefined;
}
