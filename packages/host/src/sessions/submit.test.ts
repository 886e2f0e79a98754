import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { idMinter, isGalleyError, type SessionStatus, type UserPart } from "@galley/parts";
import { openSqliteStore } from "@galley/persist";
import { type LiveSessions, type Submission, TurnError } from "@galley/turn";
import { loadSettings } from "../config/settings.ts";
import { pipelineIn } from "../testing/pipeline-in.ts";
import { tempFolder } from "../testing/temp-folder.ts";
import { choiceOf } from "./model-name.ts";
import { createSubmit } from "./submit.ts";

const NOW = 1_700_000_000_000;

/** Sessions that admit into a real store and never run a turn. */
async function setUp(t: TestContext, status: SessionStatus = { state: "idle" }) {
  const store = await openSqliteStore({ path: ":memory:" });
  t.after(() => store.close());
  await store.sessions.create({ id: "ses_1", agent: "default", at: NOW });
  const home = await tempFolder(t);
  const settings = await loadSettings({ workspace: home, home, env: {} });
  const mint = idMinter({ now: () => NOW, random: (count) => new Uint8Array(count) });
  const done: string[] = [];
  const submitted: Submission[] = [];
  const fake: Partial<LiveSessions> = {
    async submit(session_id, submission) {
      submitted.push(submission);
      const { message, payload, turn = true } = submission;
      const { id = mint("msg") } = message;
      const parts = message.parts.map((part) => ({
        id: mint("prt"),
        data_json: JSON.stringify(part),
      }));
      const metadata_json = JSON.stringify(message.metadata ?? {});
      const disposition = turn ? "fired" : "settled";
      const more = payload === undefined ? {} : { payload };
      const row = { id, session_id, metadata_json, parts, disposition, at: NOW, ...more } as const;
      return { message_id: id, disposition: (await store.messages.admit(row)).disposition };
    },
    status: async () => status,
    queue: async () => ({ entries: [], paused: null, stop_policy: "drain" }),
    abort: async () => void done.push("abort"),
    retry: async () => {
      throw TurnError.make("nothing-to-retry", {});
    },
    archive: async (id) => {
      done.push(`archive after ${submitted.length}`);
      return store.sessions.archive(id, NOW);
    },
    create: async ({ id = "" }) => {
      done.push("create");
      return store.sessions.create({ id, agent: "default", at: NOW });
    },
  };
  const pipeline = await pipelineIn(t, { files: { ".agents/commands/hi.md": "Say hi to $1." } });
  const submit = createSubmit({
    store,
    // The rest is not called here.
    live: fake as LiveSessions,
    settings,
    now: () => NOW,
    mint,
    modelOf: choiceOf,
    defaultModel: () => choiceOf("rehearsal/default"),
    pipelineOf: async () => pipeline,
  });
  const text = (words: string, id?: string) =>
    submit("ses_1", { input: { text: words }, payload: { text: words }, ...(id && { id }) });
  return { store, submit, text, done, submitted };
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => {
      if (!isGalleyError(error)) throw error;
      return [error.code, (error.data as { reason?: { code?: string } }).reason?.code];
    },
  );

const partsOf = (submission: Submission | undefined) => submission?.message.parts;

test("a typed command is settled on its way, and its words go to the sessions", async (t) => {
  const { text, submitted } = await setUp(t);
  const answer = await text("/hi Ann");
  assert.equal(answer.disposition, "fired");
  const [command] = partsOf(submitted[0]) ?? [];
  assert.equal(command?.outcome, "expanded");
  assert.deepEqual(command?.expansion, [{ type: "text", text: "Say hi to Ann." }]);
});

test("a command that comes as a part is settled like a typed one", async (t) => {
  const { submit, store } = await setUp(t);
  const parts: UserPart[] = [{ type: "command", id: "/rename", args: { raw: "Plans" } }];
  const { disposition, actions } = await submit("ses_1", { input: { parts }, payload: { parts } });
  assert.equal(disposition, "settled");
  assert.deepEqual(
    actions.map(({ state, result }) => [state, result]),
    [["ran", { title: "Plans" }]],
  );
  assert.equal((await store.sessions.get("ses_1"))?.title, "Plans");
});

test("host actions alone are kept as settled, and start no turn", async (t) => {
  const { text, submitted } = await setUp(t);
  const { disposition, notes } = await text("/model rehearsal/default");
  assert.equal(disposition, "settled");
  assert.deepEqual(notes, []);
  assert.equal(submitted[0]?.turn, false);
  assert.deepEqual(partsOf(submitted[0])?.[0]?.result, { model: "rehearsal/default" });
});

test("an action that fails is told, nothing is stored and nothing fires", async (t) => {
  const { text, submitted, store } = await setUp(t);
  const failed = "compose.action-failed";
  assert.deepEqual(await codeOf(text("/retry")), [failed, "turn.nothing-to-retry"]);
  assert.deepEqual(await codeOf(text("/model no/such")), [failed, "host.unknown_provider"]);
  assert.deepEqual(await codeOf(text("/queue drop 3")), [failed, "host.bad_argument"]);
  for (const later of ["/compact", "/memory"]) {
    assert.deepEqual(await codeOf(text(later)), [failed, "host.not_yet"], later);
  }
  assert.deepEqual(submitted, []);
  assert.deepEqual(await store.messages.all("ses_1"), []);
});

test("an action that wants an idle session is refused while it runs; another is not", async (t) => {
  const { text, done } = await setUp(t, { state: "busy", started_at: NOW });
  assert.deepEqual(await codeOf(text("/archive")), ["compose.action-failed", "turn.busy"]);
  assert.equal((await text("/stop")).disposition, "settled");
  assert.deepEqual(done, ["abort"]);
});

test("a retry under a known id runs no action again and is answered as the first time", async (t) => {
  const { text, done } = await setUp(t);
  const first = await text("/stop", "msg_1");
  const again = await text("/stop", "msg_1");
  assert.deepEqual([first.disposition, again.disposition], ["settled", "settled"]);
  assert.deepEqual(again.actions, []);
  assert.deepEqual(done, ["abort"]);
  assert.deepEqual(await codeOf(text("/stop now", "msg_1")), ["store.conflict", undefined]);
  assert.deepEqual(done, ["abort"]);
});

test("nothing of a message runs when one of its actions is known to fail", async (t) => {
  const { text, store, done } = await setUp(t, { state: "busy", started_at: NOW });
  for (const [words, code] of [
    ["/rename x\n/archive", "turn.busy"],
    ["/rename x\n/memory", "host.not_yet"],
    ["/rename x\n/model no/such", "host.unknown_provider"],
    ["/rename x\n/export pdf", "host.bad_argument"],
    ["/rename x\n/queue drop 1", "host.bad_argument"],
    ["/rename x\n/queue shuffle", "host.bad_argument"],
    ["/stop\n/clear\nand go on", "host.stands_alone"],
  ] as const) {
    assert.deepEqual(await codeOf(text(words)), ["compose.action-failed", code], words);
  }
  assert.deepEqual([(await store.sessions.get("ses_1"))?.title, done], [null, []]);
});

test("what ran before an action failed does not run again under the same id", async (t) => {
  const { text, done, store, submitted } = await setUp(t);
  const acted = async () => JSON.parse((await store.sessions.get("ses_1"))?.metadata_json ?? "{}");
  for (const _ of ["first", "again", "and again"]) {
    const failed = ["compose.action-failed", "turn.nothing-to-retry"];
    assert.deepEqual(await codeOf(text("/stop\n/retry", "msg_1")), failed);
    assert.deepEqual(done, ["abort"]);
  }
  assert.deepEqual(await acted(), {
    acted: { msg_1: [{ place: 0, id: "/stop", raw: "", result: { stopped: true } }] },
  });
  await codeOf(text("/stop\n/retry", "msg_2"));
  assert.deepEqual(done, ["abort", "abort"]);
  const { actions } = await text("/stop\n/rename x", "msg_1");
  assert.deepEqual(done, ["abort", "abort"]);
  assert.deepEqual(
    actions.map(({ id, result }) => [id, result]),
    [
      ["/stop", { stopped: true }],
      ["/rename", { title: "x" }],
    ],
  );
  assert.equal(submitted.length, 1);
  assert.deepEqual(Object.keys((await acted()).acted), ["msg_2"]);
});

test("two tries of one id at once run the action once", async (t) => {
  const { text, done } = await setUp(t);
  await Promise.all([text("/stop", "msg_1"), text("/stop", "msg_1"), text("/stop", "msg_1")]);
  assert.deepEqual(done, ["abort"]);
});

test("what ends the conversation is done after its message is kept, and takes no text", async (t) => {
  const { text, done, submitted, store } = await setUp(t);
  assert.deepEqual(await codeOf(text("/clear\nand go on")), [
    "compose.action-failed",
    "host.stands_alone",
  ]);
  assert.deepEqual([done, submitted], [[], []]);
  const { actions } = await text("/clear");
  const session_id = String(
    (actions[0]?.result as { session_id?: string } | undefined)?.session_id,
  );
  assert.equal((await store.sessions.get(session_id))?.agent, "default");
  await text("/archive");
  assert.deepEqual(done, ["create", "archive after 2"]);
  assert.deepEqual(await codeOf(text("hello")), ["turn.archived", undefined]);
});

test("a model named beside a message, or by its command, goes with it", async (t) => {
  const { submit, text, submitted } = await setUp(t);
  await submit("ses_1", { input: { text: "a" }, model: "openai/gpt-6", payload: {} });
  assert.deepEqual(submitted[0]?.model, { provider_id: "openai", model_id: "gpt-6" });
  await text("/model rehearsal/default\nhello");
  assert.deepEqual(submitted[1]?.model, { provider_id: "rehearsal", model_id: "default" });
});

test("editor context is kept in full, however often it comes", async (t) => {
  const { submit, submitted } = await setUp(t);
  const send = (ids: string[]) =>
    submit("ses_1", {
      input: { text: "go", editorContext: [{ kind: "selection", payload: { ids } }] },
      payload: {},
    });
  await send(["a"]);
  await send(["a"]);
  const kept = submitted.map((each) => partsOf(each)?.at(-1)?.payload);
  assert.deepEqual(kept, [{ ids: ["a"] }, { ids: ["a"] }]);
});

test("reports of the session are for the person: help, skills, context, export, queue", async (t) => {
  const { text } = await setUp(t);
  const resultOf = async (words: string) => (await text(words)).actions[0]?.result;
  assert.deepEqual(await resultOf("/queue"), { paused: null, stop_policy: "drain", waiting: [] });
  assert.deepEqual(await resultOf("/context"), { turn: 0, says: "nothing has been sent yet" });
  assert.deepEqual(await resultOf("/skills"), []);
  assert.deepEqual(await resultOf("/export json"), {
    format: "json",
    get: "/v1/sessions/ses_1/export?format=json",
  });
  assert.deepEqual(await resultOf("/help hi"), [{ id: "/hi", description: "Say hi to $1." }]);
  assert.deepEqual(await resultOf("/model"), { model: "rehearsal/default" });
});

test("an attachment over the limit is refused before anything has happened", async (t) => {
  const { submit, done, store } = await setUp(t);
  const data = Buffer.alloc(33 * 1024 * 1024).toString("base64");
  const parts: UserPart[] = [
    { type: "command", id: "/stop" },
    { type: "file-attachment", name: "a.bin", mime: "application/octet-stream", data },
  ];
  const sent = submit("ses_1", { input: { parts }, payload: {} });
  assert.deepEqual(await codeOf(sent), ["host.too_large", undefined]);
  assert.deepEqual([done, await store.messages.all("ses_1")], [[], []]);
});

test("a session that is not there is refused", async (t) => {
  const { submit } = await setUp(t);
  const none = submit("ses_none", { input: { text: "a" }, payload: {} });
  assert.deepEqual(await codeOf(none), ["turn.no-session", undefined]);
});
