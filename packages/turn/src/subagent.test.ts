import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { SessionRow } from "@galley/parts";
import { openSqliteStore } from "@galley/persist";
import { createLiveSessions } from "./create-live-sessions.ts";
import type { LiveSessions } from "./live.ts";
import { calls, hangs, says, scripted, type Try, throws, tool } from "./scripted.ts";
import { message, SESSION, stageDeps } from "./stage.ts";
import { DEEPEST_SUBAGENT, runSubagent, subagentOf } from "./subagent.ts";
import type { Tool } from "./tool.ts";

const BEGUN = [
  { type: "start-step" },
  { type: "text-start", id: "0" },
  { type: "text-delta", id: "0", delta: "working" },
] as const;

/** Sessions whose only tool is `task`; each level plays a script of its own, the parent's first. */
async function world(t: TestContext, ...levels: (readonly Try[])[]) {
  const store = await openSqliteStore({ path: ":memory:", sync: "normal" });
  t.after(() => store.close());
  const models = levels.map((tries) => scripted(tries));
  const reports: unknown[] = [];
  const task: Tool = tool("task", {
    run: (input, { session, message_id, tool_call_id, signal }) => {
      const { prompt } = input as { prompt: string };
      const order = { parent: session, message_id, tool_call_id, prompt, signal };
      return runSubagent(order, { ...deps, live: sessions });
    },
  });
  const deps = stageDeps(store, {
    models: {
      async open(_, id) {
        const row = await store.sessions.get(id);
        const depth = row === undefined ? 0 : (subagentOf(row)?.depth ?? 0);
        return models[depth] ?? scripted([]);
      },
    },
    tools: { open: async () => [task], permit: async () => ({ action: "allow" }) },
    report: (error) => reports.push(error),
  });
  const sessions: LiveSessions = createLiveSessions(deps);
  await sessions.create({ id: SESSION });
  const children = async (id = SESSION) =>
    (await store.sessions.list({ parent_id: id })).sessions as SessionRow[];
  return { store, sessions, models, reports, children };
}

type World = Awaited<ReturnType<typeof world>>;

async function until({ sessions }: World, state: string, id = SESSION): Promise<void> {
  while ((await sessions.status(id)).state !== state) await nextTurn();
}

/** The calls of the parent's answer, as they are stored. */
async function stored({ store }: World, id = SESSION): Promise<Record<string, unknown>[]> {
  const rows = await store.messages.history(id);
  const parts = rows.flatMap(({ parts }) => parts.map(({ data_json }) => JSON.parse(data_json)));
  return parts.filter(({ type }) => type === "tool-task");
}

const TASK = calls(["call_1", "task", { prompt: "find it" }]);

test("a subagent works in a child session, and its last words come back", async (t) => {
  const w = await world(t, [TASK, says("Thanks.")], [says("It is under the bed.")]);
  await w.store.sessions.patch(SESSION, { permissions_json: '[{"a":1}]', at: 1 });
  await w.sessions.submit(SESSION, message("go"));
  await until(w, "idle");
  const [child] = await w.children();
  const [call] = await stored(w);
  assert.equal(call?.state, "output-available");
  assert.deepEqual((call?.output as { data?: unknown } | undefined)?.data, {
    output: "It is under the bed.",
    session_id: child?.id,
  });
  assert.equal(child?.permissions_json, '[{"a":1}]');
  assert.deepEqual(JSON.parse(child?.metadata_json ?? "{}").subagent, {
    depth: 1,
    tool_call_id: "call_1",
  });
  const [, answer] = await w.store.messages.history(SESSION);
  assert.equal(child?.parent_message_id, answer?.message.id);
  assert.deepEqual((await w.store.sessions.list({})).sessions.length, 1);
  assert.deepEqual(w.reports, []);
});

test("the child is told its prompt and nothing of the conversation", async (t) => {
  const w = await world(t, [says("Hello."), TASK, says("Thanks.")], [says("Done.")]);
  await w.sessions.submit(SESSION, message("a secret"));
  await until(w, "idle");
  await w.sessions.submit(SESSION, message("go"));
  await until(w, "idle");
  const given = w.models[1]?.contexts[0]?.messages.map((each) => JSON.stringify(each));
  assert.equal(given?.length, 1);
  assert.match(given?.[0] ?? "", /find it/);
  assert.doesNotMatch(given?.[0] ?? "", /secret/);
});

test("stopping the parent stops the child, and the call says so", async (t) => {
  const w = await world(t, [TASK], [hangs(BEGUN)]);
  await w.sessions.submit(SESSION, message("go"));
  while ((await w.children()).length === 0) await nextTurn();
  const [child] = await w.children();
  await until(w, "busy", child?.id);
  await w.sessions.abort(SESSION);
  await until(w, "idle");
  await until(w, "idle", child?.id);
  const [call] = await stored(w);
  assert.deepEqual([call?.state, call?.errorText], ["output-error", "aborted by parent"]);
});

test("stopping the first of three stops all of them", async (t) => {
  const w = await world(t, [TASK], [TASK], [hangs(BEGUN)]);
  await w.sessions.submit(SESSION, message("go"));
  const childOf = async (id: string): Promise<string> => {
    while ((await w.children(id)).length === 0) await nextTurn();
    return (await w.children(id))[0]?.id ?? "";
  };
  const child = await childOf(SESSION);
  const grandchild = await childOf(child);
  await until(w, "busy", grandchild);
  await w.sessions.abort(SESSION);
  for (const id of [SESSION, child, grandchild]) await until(w, "idle", id);
  const [call] = await stored(w, child);
  assert.equal(call?.errorText, "aborted by parent");
});

test("subagents nest five deep and no deeper", async (t) => {
  const levels = Array.from({ length: DEEPEST_SUBAGENT }, (): Try[] => [TASK, says("ok")]);
  const w = await world(t, ...levels, [TASK, says("I did it myself.")]);
  await w.sessions.submit(SESSION, message("go"));
  await until(w, "idle");
  let id = SESSION;
  for (let depth = 1; depth <= 5; depth += 1) id = (await w.children(id))[0]?.id ?? "";
  const [call] = await stored(w, id);
  assert.equal(call?.state, "output-error");
  assert.match(String(call?.errorText), /at most 5 deep/);
  assert.deepEqual(await w.children(id), []);
});

test("a child that fails, and one that is stopped by itself, are told apart", async (t) => {
  const w = await world(
    t,
    [TASK, says("ok"), TASK, says("ok")],
    [throws(new Error("broken")), hangs(BEGUN)],
  );
  await w.sessions.submit(SESSION, message("go"));
  await until(w, "idle");
  await w.sessions.submit(SESSION, message("again"));
  while ((await w.children()).length < 2) await nextTurn();
  const running = async () => {
    for (const { id } of await w.children()) {
      if ((await w.sessions.status(id)).state === "busy") return id;
    }
    return undefined;
  };
  let id = await running();
  while (id === undefined) id = await running();
  await w.sessions.abort(id);
  await until(w, "idle");
  const texts = (await stored(w)).map(({ errorText }) => String(errorText));
  assert.match(texts[0] ?? "", /^the subagent \(ses_\d+\) failed: /);
  assert.match(texts[1] ?? "", /^the subagent \(ses_\d+\) was stopped$/);
});

test("a row that says it is a subagent and not how deep makes no more of them", () => {
  const row = { metadata_json: '{"relation":"subagent"}' } as SessionRow;
  assert.deepEqual(subagentOf(row), { depth: 5 });
  assert.equal(subagentOf({ metadata_json: '{"relation":"fork"}' } as SessionRow), undefined);
});
