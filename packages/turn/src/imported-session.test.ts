import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { exportSession, importSession, openSqliteStore, type Store } from "@galley/persist";
import { receiveSession } from "./imported-session.ts";

const AT = 1_700_000_000_000;

async function storeWith(t: TestContext, session: string): Promise<Store> {
  const store = await openSqliteStore({ path: ":memory:" });
  t.after(() => store.close());
  await store.sessions.create({ id: session, agent: "default", at: 1 });
  return store;
}

const user = (id: string, session_id: string, disposition: "fired" | "queued") =>
  ({ id, session_id, metadata_json: "{}", parts: [], disposition, at: 2 }) as const;

const run = (over: object = {}) => ({
  ...{ turn_id: "turn_1", message_id: "msg_u", answer_id: "msg_a", segment: 0, started_at: 2 },
  ...{ running: false, open: [{ tool_call_id: "call_1", kind: "approval" }], answered: [] },
  ...over,
});

/** A session whose turn waits for a person, as it is exported. */
async function asking(t: TestContext, state: string, marks: object): Promise<string> {
  const store = await storeWith(t, "ses_file");
  await store.messages.admit(user("msg_u", "ses_file", "fired"));
  const answer = { id: "msg_a", session_id: "ses_file", role: "assistant", metadata_json: "{}" };
  await store.messages.begin({ ...answer, role: "assistant", at: 3 });
  const data_json = `{"type":"tool-write","toolCallId":"call_1","state":"${state}"}`;
  await store.parts.upsert([{ id: "prt_1", message_id: "msg_a", index: 0, data_json, at: 3 }]);
  await store.sessions.patch("ses_file", { metadata: { "1.0": 1, ...marks }, at: 4 });
  return printed(store);
}

async function printed(store: Store): Promise<string> {
  let text = "";
  for await (const line of exportSession(store, "ses_file")) text += line;
  return text;
}

async function taken(store: Store, text: string) {
  let notes: readonly string[] = [];
  await importSession(store, text, {
    async receive(file, tables) {
      const received = await receiveSession(file, tables, AT);
      notes = received.notes;
      return received.receipt;
    },
  });
  const row = await store.sessions.get("ses_file");
  return { notes, metadata: JSON.parse(row?.metadata_json ?? ""), rules: row?.permissions_json };
}

const LEFT_OUT = "the turn that it says is open was left out: it cannot go on here";

test("a file whose marks are about its own messages is stored to the byte", async (t) => {
  const text = await asking(t, "approval-requested", { run: run() });
  const store = await storeWith(t, "ses_other");
  assert.deepEqual((await taken(store, text)).notes, []);
  assert.equal(await printed(store), text);
});

test("a turn that is claimed and has no answer yet is taken, unless another session has its id", async (t) => {
  const text = await asking(t, "output-available", { run: run({ answer_id: "msg_theirs" }) });
  const free = await taken(await storeWith(t, "ses_other"), text);
  assert.deepEqual([free.notes, free.metadata.run.answer_id], [[], "msg_theirs"]);
  const store = await storeWith(t, "ses_other");
  const theirs = { id: "msg_theirs", session_id: "ses_other", metadata_json: "{}", at: 3 };
  await store.messages.begin({ ...theirs, role: "assistant" });
  const { notes, metadata } = await taken(store, text);
  assert.deepEqual([notes, metadata], [[LEFT_OUT], { "1.0": 1 }]);
});

test("a turn of another message, or with leave that somebody gave elsewhere, is left out", async (t) => {
  const cases: readonly [string, object][] = [
    ["approval-requested", run({ message_id: "msg_else" })],
    ["approval-requested", run({ answer_id: "msg_u" })],
    ["approval-requested", run({ answered: ["call_0"] })],
    ["approval-responded", run()],
    ["approval-requested", { turn_id: 1 }],
  ];
  for (const [state, mark] of cases) {
    const text = await asking(t, state, { run: mark });
    const { notes, metadata } = await taken(await storeWith(t, "ses_other"), text);
    assert.deepEqual([notes, metadata], [[LEFT_OUT], { "1.0": 1 }], JSON.stringify(mark));
  }
});

test("what waits in a file waits for somebody, and a pause about others' messages is none", async (t) => {
  const error = { reason: "error", message: "no", turn_id: null, at: 5 };
  const foreign = { ...error, message_id: "msg_theirs" };
  const own = { ...error, message_id: "msg_q" };
  const held = { reason: "hold", at: AT };
  const note = "1 messages wait: they fire when somebody resumes the session";
  for (const [pause, kept, notes] of [
    [undefined, held, [note]],
    [foreign, held, [note]],
    [own, own, []],
    [{ reason: "hold", at: 6 }, { reason: "hold", at: 6 }, []],
  ]) {
    const store = await storeWith(t, "ses_file");
    await store.messages.admit(user("msg_q", "ses_file", "queued"));
    await store.sessions.patch("ses_file", { metadata: { pause }, at: 4 });
    const told = await taken(await storeWith(t, "ses_other"), await printed(store));
    assert.deepEqual([told.metadata.pause, told.notes], [kept, notes]);
  }
});

test("rules of a file that allow are marked as the file's, and the others keep their bytes", async (t) => {
  const store = await storeWith(t, "ses_file");
  const deny = '[ {"permission":"bash","pattern":"*","action":"deny"} ]';
  await store.sessions.patch("ses_file", { permissions_json: deny, at: 4 });
  assert.equal((await taken(await storeWith(t, "ses_other"), await printed(store))).rules, deny);
  const allow = '[{"permission":"*","pattern":"*","action":"allow","source":"user"}]';
  await store.sessions.patch("ses_file", { permissions_json: allow, at: 4 });
  const { rules, notes } = await taken(await storeWith(t, "ses_other"), await printed(store));
  assert.equal(
    rules,
    '[{"permission":"*","pattern":"*","action":"allow","source":"user","imported":true}]',
  );
  assert.deepEqual(notes, ["1 rules allow something: they count for nothing here"]);
});
