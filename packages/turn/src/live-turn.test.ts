import assert from "node:assert/strict";
import { test } from "node:test";
import type { UiChunk } from "@galley/parts";
import fc from "fast-check";
import { createLiveTurn } from "./live-turn.ts";
import type { LiveTurn } from "./recording.ts";

const open = (reported: unknown[] = []) =>
  createLiveTurn({
    turn_id: "turn_1",
    segment: 0,
    message_id: "msg_1",
    report: (error) => reported.push(error),
  });

const said = (delta: string, id = "0"): UiChunk => ({ type: "text-delta", id, delta });

function readAll(turn: LiveTurn, cursor = 0): readonly (readonly UiChunk[])[] {
  const batches: (readonly UiChunk[])[] = [];
  for (let at = turn.readFrom(cursor); at; at = turn.readFrom(at.next)) batches.push(at.batch);
  return batches;
}

const words = (count: number): UiChunk[] =>
  Array.from({ length: count }, (_, index) => said(`w${index} `));
const textOf = (batches: readonly (readonly UiChunk[])[]): string =>
  batches
    .flat()
    .map((chunk) => (chunk.type === "text-delta" ? chunk.delta : ""))
    .join("");

test("a late reader hears everything from the first chunk, and then what is new", () => {
  const turn = open();
  turn.push([{ type: "start" }, said("a")]);
  turn.push([said("b")]);
  const first = turn.readFrom(0);
  assert.deepEqual(first, { from: 0, batch: [{ type: "start" }, said("a")], next: 2 });
  assert.deepEqual(turn.readFrom(2)?.batch, [said("b")]);
  assert.equal(turn.readFrom(3), undefined);
  turn.push([said("c")]);
  assert.deepEqual(turn.readFrom(3)?.batch, [said("c")]);
});

test("a batch is frozen and the same object for every reader", () => {
  const turn = open();
  turn.push([said("a")]);
  const batch = turn.readFrom(0)?.batch;
  assert.equal(turn.readFrom(0)?.batch, batch);
  assert.equal(Object.isFrozen(batch), true);
});

test("an empty batch is no news", () => {
  const turn = open();
  let told = 0;
  turn.listen(() => {
    told += 1;
  });
  turn.push([]);
  assert.equal(told, 0);
  assert.equal(turn.readFrom(0), undefined);
});

test("a long answer is kept in few batches, with its text joined", () => {
  const turn = open();
  for (const word of words(100_000)) turn.push([word]);
  const batches = readAll(turn);
  assert.equal(textOf(batches), textOf([words(100_000)]));
  assert.ok(batches.length < 200, `${batches.length} batches`);
  assert.ok(batches.flat().length < 200, `${batches.flat().length} chunks`);
});

test("a cursor from before the joining still points between the same two chunks", () => {
  const turn = open();
  const chunks = words(1_000);
  const cursors = chunks.map((word) => {
    const at = turn.readFrom(0) === undefined ? 0 : lastOf(turn);
    turn.push([word]);
    return at;
  });
  cursors.forEach((cursor, index) => {
    assert.equal(textOf(readAll(turn, cursor)), textOf([chunks.slice(index)]));
  });
});

function lastOf(turn: LiveTurn): number {
  let cursor = 0;
  for (let at = turn.readFrom(0); at; at = turn.readFrom(cursor)) cursor = at.next;
  return cursor;
}

test("only plain deltas of one id are joined; every other chunk stays as it came", () => {
  const turn = open();
  const signed: UiChunk = { ...said("s"), providerMetadata: { p: { key: 1 } } } as UiChunk;
  const input = (inputTextDelta: string): UiChunk => ({
    type: "tool-input-delta",
    toolCallId: "c",
    inputTextDelta,
  });
  const chunks: UiChunk[] = [
    ...[said("a"), said("b"), said("x", "1"), signed, said("c"), said(""), said("d"), said("e")],
    ...[{ type: "reasoning-delta", id: "0", delta: "r" } as const, input("{"), input("}")],
    ...Array.from({ length: 200 }, (): UiChunk => ({ type: "start-step" })),
  ];
  for (const chunk of chunks) turn.push([chunk]);
  assert.deepEqual(readAll(turn).flat().slice(0, 10), [
    ...[said("ab"), said("x", "1"), signed, said("c"), said(""), said("de")],
    ...[{ type: "reasoning-delta", id: "0", delta: "r" }, input("{}")],
    ...[{ type: "start-step" }, { type: "start-step" }],
  ]);
  assert.equal(readAll(turn).flat().length, 208);
});

test("readers that stop anywhere and come back hear each character once", () => {
  const chunk = fc.oneof(
    fc.string({ maxLength: 3 }).map((delta) => said(delta)),
    fc.constant<UiChunk>({ type: "start-step" }),
  );
  const batches = fc.array(fc.array(chunk, { maxLength: 3 }), { minLength: 150, maxLength: 600 });
  fc.assert(
    fc.property(batches, fc.array(fc.integer({ min: 1, max: 200 })), (pushed, pauses) => {
      const turn = open();
      const heard: UiChunk[] = [];
      let cursor = 0;
      let wait = pauses[0] ?? 500;
      let next = 1;
      for (const batch of pushed) {
        turn.push([...batch]);
        wait -= 1;
        if (wait > 0) continue;
        wait = pauses[next++] ?? 500;
        const at = turn.readFrom(cursor);
        heard.push(...(at?.batch ?? []));
        cursor = at?.next ?? cursor;
      }
      const all = [...heard, ...readAll(turn, cursor).flat()];
      assert.equal(flat(all), flat(pushed.flat()));
    }),
    { numRuns: 60 },
  );
});

/** What a reader makes of it: text, and a mark for each step. */
const flat = (chunks: readonly UiChunk[]): string =>
  chunks.map((chunk) => (chunk.type === "text-delta" ? chunk.delta : "\n|\n")).join("");

test("a listener that throws harms nobody, and is reported once", () => {
  const reported: unknown[] = [];
  const turn = open(reported);
  const trouble = new Error("broken pipe");
  let told = 0;
  turn.listen(() => {
    throw trouble;
  });
  turn.listen(() => {
    told += 1;
  });
  turn.push([said("a")]);
  turn.push([said("b")]);
  assert.equal(told, 2);
  assert.deepEqual(reported, [trouble]);
});

test("who stopped listening is told nothing, also when another listener stops it", () => {
  const turn = open();
  let told = 0;
  const stop: { second?: () => void } = {};
  turn.listen(() => stop.second?.());
  stop.second = turn.listen(() => {
    told += 1;
  });
  turn.push([said("a")]);
  assert.equal(told, 0);
});

test("the end is told once, and a chunk after it is reported", () => {
  const reported: unknown[] = [];
  const turn = open(reported);
  const states: boolean[] = [];
  turn.listen(() => states.push(turn.ended));
  turn.push([said("a")]);
  turn.end();
  turn.end();
  assert.deepEqual(states, [false, true]);
  turn.push([said("late"), said("later")]);
  assert.equal(turn.readFrom(1), undefined);
  assert.deepEqual(reported.map(String), ["Error: 2 chunks came after the end of turn_1"]);
});
