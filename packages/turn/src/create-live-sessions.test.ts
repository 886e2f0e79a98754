import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { openSqliteStore } from "@galley/persist";
import { createLiveSessions } from "./create-live-sessions.ts";
import type { LiveSessions } from "./live.ts";
import { calls, hangs, says, scripted, type Try, tool } from "./scripted.ts";
import { message, SESSION, scratchPath, shown, stageDeps } from "./stage.ts";
import { questionTool } from "./tools/question.ts";

async function world(t: TestContext, path: string, tries: readonly Try[]) {
  const store = await openSqliteStore({ path, sync: "normal" });
  t.after(() => store.close());
  const reports: unknown[] = [];
  const model = scripted(tries);
  const write = tool("write");
  const deps = stageDeps(store, {
    models: { open: async () => model },
    tools: {
      open: async () => [questionTool, write],
      permit: async (request) => ({ action: request.tool === write ? "ask" : "allow" }),
    },
    report: (error) => reports.push(error),
  });
  return { store, model, reports, sessions: createLiveSessions(deps) };
}

async function until(sessions: LiveSessions, state: string): Promise<void> {
  while ((await sessions.status(SESSION)).state !== state) await nextTurn();
}

test("messages are answered one after the other, each with all that was said before", async (t) => {
  const { sessions, store, model, reports } = await world(t, ":memory:", [says("A."), says("B.")]);
  await sessions.create({ id: SESSION });
  await sessions.submit(SESSION, message("one"));
  await sessions.submit(SESSION, message("two"));
  await until(sessions, "idle");
  assert.deepEqual(await shown(store), ["one", "A.", "two", "B."]);
  const [first, second] = model.contexts;
  assert.equal(second?.messages.length, 3);
  assert.equal(second?.messages[0], first?.messages[0]);
  assert.deepEqual(await store.sessions.marked("run"), []);
  assert.deepEqual(reports, []);
});

test("a person is asked, the host dies, and the answer goes on in the next one", async (t) => {
  const path = scratchPath(t);
  const ask = { questions: [{ question: "which?" }] };
  const before = await world(t, path, [
    calls(["call_q", "question", ask], ["call_w", "write", { path: "a" }]),
  ]);
  await before.sessions.create({ id: SESSION });
  await before.sessions.submit(SESSION, message("go"));
  await until(before.sessions, "waiting_on_approval");
  await before.sessions.answer(SESSION, { tool_call_id: "call_w", decision: "allow" });
  await before.store.close();

  const after = await world(t, path, [says("Done.")]);
  await after.sessions.start();
  await until(after.sessions, "waiting_on_user_input");
  await after.sessions.answer(SESSION, { tool_call_id: "call_q", answers: [["this"]] });
  await until(after.sessions, "idle");
  const rows = await after.store.messages.history(SESSION);
  const calledStates = rows[1]?.parts.map(({ type, tool_state }) => [type, tool_state]);
  assert.deepEqual(calledStates, [
    ["step-start", null],
    ["tool-question", "output-available"],
    ["tool-write", "output-available"],
    ["step-start", null],
    ["text", null],
  ]);
  assert.deepEqual(after.reports, []);
});

test("a stop ends a turn that hangs, with what it said", async (t) => {
  const begun = [
    { type: "start-step" },
    { type: "text-start", id: "0" },
    { type: "text-delta", id: "0", delta: "so far" },
  ] as const;
  const { sessions, store } = await world(t, ":memory:", [hangs(begun)]);
  await sessions.create({ id: SESSION });
  await sessions.submit(SESSION, message("go"));
  const live = sessions.live(SESSION);
  while (!(await shown(store)).includes("so far")) await nextTurn();
  await sessions.abort(SESSION);
  await until(sessions, "idle");
  assert.deepEqual(await shown(store), ["go", "so far"]);
  const [, row] = await store.messages.history(SESSION);
  assert.equal(typeof JSON.parse(row?.message.metadata_json ?? "{}").aborted_at, "number");
  assert.equal(live?.ended, true);
});
