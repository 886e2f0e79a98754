/**
 * Random ways through a conversation (said, rewound, taken back, forked, failed, restarted) beside a
 * naive picture of them. After every step the rows, what a model is shown, and the counts agree.
 */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import { type Stage as Kit, message, openStage, SESSION, scratchPath } from "./stage.ts";
import { TurnError } from "./turn-error.ts";

const MOVES = ["say", "say", "fail", "edit", "resend", "undo", "undo", "fork", "restart"] as const;
type Move = { readonly act: (typeof MOVES)[number]; readonly pick: number };

/** A message or an answer, by its text. */
type Naive = { visible: string[]; readonly hidden: { base: string | null; branch: string[] }[] };

const isAsked = (text: string): boolean => text.startsWith("q");

function cutAt({ visible, hidden }: Naive, index: number): void {
  const branch = visible.splice(index);
  if (branch.length > 0) hidden.push({ base: visible.at(-1) ?? null, branch });
}

function undo(naive: Naive): boolean {
  const mark = naive.hidden.pop();
  if (mark === undefined) return false;
  const at = mark.base === null ? 0 : naive.visible.indexOf(mark.base) + 1;
  cutAt(naive, at);
  naive.visible.push(...mark.branch);
  return true;
}

async function texts({ store }: Kit, session: string): Promise<string[]> {
  const rows = await store.messages.history(session);
  return rows.map(({ parts }) => parts.map(({ data_json }) => JSON.parse(data_json).text).join(""));
}

async function walk(t: TestContext, moves: readonly Move[]): Promise<void> {
  const path = scratchPath(t);
  let kit = await openStage(t, { path });
  let said = 0;
  const naive: Naive = { visible: [], hidden: [] };

  /** Plays the turn that has just fired, and looks at what its model is shown. */
  async function play(ends: "finished" | "failed"): Promise<void> {
    const act = await kit.act(kit.acts.length - 1);
    const shown = await act.parts.transcript.upTo(act.claim.message_id);
    assert.deepEqual(
      shown.flatMap(({ parts }) => parts.map((part) => ("text" in part ? part.text : ""))),
      naive.visible,
    );
    said += 1;
    const text = `a${said}`;
    act.say(text);
    act.parts.recorder.stamp({ usage: USAGE });
    naive.visible.push(text);
    await act.end(ends === "finished" ? { type: "finished" } : { type: "failed", message: "x" });
  }

  async function ask(ends: "finished" | "failed"): Promise<void> {
    said += 1;
    const text = `q${said}`;
    const before = kit.acts.length;
    await kit.sessions.submit(SESSION, message(text));
    await kit.act(before);
    naive.visible.push(text);
    await play(ends);
  }

  async function goBack(pick: number, mode: "edit" | "resend"): Promise<void> {
    const asked = naive.visible.filter(isAsked);
    const text = asked[pick % asked.length];
    if (text === undefined) return;
    const at = naive.visible.indexOf(text);
    const id = (await kit.store.messages.history(SESSION))[at]?.message.id ?? "";
    const before = kit.acts.length;
    await kit.sessions.rewind(SESSION, id, mode);
    cutAt(naive, mode === "edit" ? at : at + 1);
    if (mode === "edit") return;
    await kit.act(before);
    await play("finished");
  }

  async function takeBack(): Promise<void> {
    const isDone = undo(naive);
    const done = await kit.sessions.unrewind(SESSION).then(
      () => true,
      (error: unknown) => {
        if (!TurnError.is(error, "no-rewind")) throw error;
        return false;
      },
    );
    assert.equal(done, isDone);
  }

  async function fork(pick: number): Promise<void> {
    const rows = await kit.store.messages.history(SESSION);
    const at = rows.length === 0 ? 0 : pick % rows.length;
    const from = rows[at]?.message.id;
    const order = from === undefined ? {} : { from_message_id: from };
    const made = await kit.sessions.fork(SESSION, order);
    const expected = naive.visible.slice(0, at + 1);
    assert.deepEqual(await texts(kit, made.id), expected);
    assert.equal(made.total_tokens, 3 * expected.filter((text) => !isAsked(text)).length);
  }

  async function restart(): Promise<void> {
    await kit.store.close();
    kit = await openStage(t, { path });
    await kit.sessions.start();
  }

  const acts: Record<Move["act"], (pick: number) => Promise<void>> = {
    say: () => ask("finished"),
    fail: () => ask("failed"),
    edit: (pick) => goBack(pick, "edit"),
    resend: (pick) => goBack(pick, "resend"),
    undo: takeBack,
    fork,
    restart,
  };
  for (const { act, pick } of moves) {
    await acts[act](pick);
    assert.deepEqual(await texts(kit, SESSION), naive.visible, act);
    const row = await kit.store.sessions.get(SESSION);
    const answers = naive.visible.filter((text) => !isAsked(text)).length;
    assert.equal(row?.total_tokens, 3 * answers, act);
  }
  assert.deepEqual(kit.reports, []);
  assert.deepEqual(await kit.store.check(), []);
  await kit.store.close();
}

const USAGE = { input: 1, output: 2, reasoning: 0, cache_read: 0, cache_write: 0 };

test("whatever way a conversation goes, rows, model and counts show one and the same branch", async (t) => {
  const move = fc.record({ act: fc.constantFrom(...MOVES), pick: fc.nat(50) });
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 10, maxLength: 40 }), (moves) => walk(t, moves)),
    { numRuns: 25 },
  );
});
