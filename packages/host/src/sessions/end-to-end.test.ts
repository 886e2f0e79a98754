import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { type TestContext, test } from "node:test";
import type { AssistantPart, HostEvent } from "@galley/parts";
import { type Script, startRehearsal } from "@galley/rehearsal";
import { tempFolder } from "../testing/temp-folder.ts";
import { createHost, type Host } from "./create-host.ts";

const MODEL = { GALLEY_MODEL: "rehearsal/default" };

async function hostIn(
  t: TestContext,
  folders: { workspace: string; home: string },
  script?: Script,
) {
  const rehearsal = await startRehearsal(script ? { script } : {});
  t.after(() => rehearsal.close());
  const warned: string[] = [];
  const host = await createHost({
    ...folders,
    env: MODEL,
    warn: (line) => warned.push(line),
    offline: { url: async () => rehearsal.url, close: async () => {} },
  });
  t.after(() => host.close(0));
  return { host, rehearsal, warned };
}

async function setUp(t: TestContext, script?: Script, files: Record<string, string> = {}) {
  const folders = { workspace: await tempFolder(t, files), home: await tempFolder(t) };
  const made = await hostIn(t, folders, script);
  await made.host.start();
  const session = await made.host.sessions.create({});
  return { ...made, ...folders, session };
}

/** The next end of a turn in this session. */
function turnEnd({ sessions }: Host, session_id: string): Promise<HostEvent> {
  const { promise, resolve } = Promise.withResolvers<HostEvent>();
  const stop = sessions.listen((event) => {
    if (event.type !== "turn-finished" || event.session_id !== session_id) return;
    stop();
    resolve(event);
  });
  return promise;
}

async function send(host: Host, session_id: string, text: string): Promise<HostEvent> {
  const ended = turnEnd(host, session_id);
  await host.submit(session_id, { input: { text }, payload: { text } });
  return ended;
}

async function spoken({ store }: Host, session_id: string): Promise<[string, unknown[]][]> {
  const history = await store.messages.history(session_id);
  return history.map(({ message, parts }) => [
    message.role,
    parts.map(({ data_json }) => JSON.parse(data_json) as AssistantPart),
  ]);
}

test("a message is answered by the offline model, and both are kept", async (t) => {
  const { host, session } = await setUp(t, [{ say: "Hello Ann." }]);
  const ended = await send(host, session.id, "hello");
  assert.equal(ended.type === "turn-finished" && ended.reason, "finish");
  const [asked, answer] = await spoken(host, session.id);
  assert.deepEqual(asked, ["user", [{ type: "text", text: "hello" }]]);
  assert.equal(answer?.[0], "assistant");
  const texts = ((answer?.[1] ?? []) as { type: string; text?: string }[]).flatMap(
    ({ text }) => text ?? [],
  );
  assert.deepEqual(texts, ["Hello Ann."]);
  assert.deepEqual(await host.sessions.status(session.id), { state: "idle" });
});

test("a tool of the host is called, and its output goes back to the model", async (t) => {
  const script: Script = [
    { toolCalls: [{ name: "read", input: { path: "notes.txt" } }] },
    { say: "It says plums." },
  ];
  const { host, session, rehearsal } = await setUp(t, script, { "notes.txt": "plums\n" });
  await send(host, session.id, "what do my notes say?");
  const answer = (await spoken(host, session.id))[1]?.[1] as Record<string, unknown>[];
  const call = answer.find(({ type }) => type === "tool-read");
  assert.equal(call?.state, "output-available");
  assert.match(JSON.stringify(call?.output), /plums/);
  assert.equal(rehearsal.received.length, 2);
  assert.match(new TextDecoder().decode(rehearsal.received[1]?.body), /plums/);
});

test("a message and its system text are the same bytes in every later request", async (t) => {
  const { host, session, rehearsal } = await setUp(t, [{ say: "one" }, { say: "two" }]);
  await send(host, session.id, "plumage");
  await send(host, session.id, "feathers");
  const [one, two] = rehearsal.received.map(({ body }) => new TextDecoder().decode(body));
  assert.match(two ?? "", /plumage.*one.*feathers/s);
  const head = one?.slice(0, one.indexOf("plumage") + "plumage".length) ?? "";
  assert.ok(head.length > 100 && two?.startsWith(head));
  assert.match(head, /Where you work/);
  const kept = await host.store.requests.body(session.id, 2, 1);
  assert.equal(new TextDecoder().decode(kept), two);
});

test("a host that comes back answers what was queued, from the same file", async (t) => {
  const folders = { workspace: await tempFolder(t), home: await tempFolder(t) };
  const first = await hostIn(t, folders, [{ say: "slow", fault: { hang: true, afterEvents: 2 } }]);
  await first.host.start();
  const { id } = await first.host.sessions.create({});
  await first.host.submit(id, { input: { text: "one" }, payload: {} });
  const waits = await first.host.submit(id, { input: { text: "two" }, payload: {} });
  assert.equal(waits.disposition, "queued");
  await first.host.close(0);
  const second = await hostIn(t, folders, [{ say: "done" }]);
  const ended = turnEnd(second.host, id);
  await second.host.start();
  const event = await ended;
  assert.equal(event.type === "turn-finished" && event.message_id, waits.message_id);
  assert.deepEqual(
    (await spoken(second.host, id)).map(([role]) => role).filter((role) => role === "user"),
    ["user", "user"],
  );
});

test("a second host on the same database is refused while the first runs", async (t) => {
  const { host, workspace, home } = await setUp(t);
  const { url } = await host.serve({ host: "127.0.0.1", port: 0, token: "0123456789abcdef" });
  await assert.rejects(
    createHost({ workspace, home }),
    (error: { code: string; data: unknown }) => {
      assert.equal(error.code, "host.db_taken");
      assert.deepEqual(error.data, { path: join(home, "galley.db"), pid: process.pid, url });
      return true;
    },
  );
  await host.close();
  const next = await createHost({ workspace, home });
  await next.close();
});

test("the doctor says how the database is, who has it, and what waits", async (t) => {
  const { host, session, home } = await setUp(t, [{ say: "x", fault: { hang: true } }]);
  for (const text of ["one", "two"]) {
    await host.submit(session.id, { input: { text }, payload: {} });
  }
  const about = new Set(["database", "host", "queues"]);
  const said = (await host.pipeline.doctor()).filter(({ name }) => about.has(name));
  assert.deepEqual(
    said.map(({ name, status, says }) => [name, status, says.replace(/\d+\.\d+ MB/, "N MB")]),
    [
      ["database", "ok", `${join(home, "galley.db")} (N MB), sound`],
      ["host", "ok", "one runs on this database and does not listen"],
      ["queues", "ok", "1 messages wait in 1 sessions"],
    ],
  );
});

test("deleting a session takes its scratch folder along", async (t) => {
  const { host, session, home } = await setUp(t);
  const folder = join(home, "scratch", session.id);
  await mkdir(folder, { recursive: true });
  await host.sessions.delete(session.id);
  assert.equal(await host.store.sessions.get(session.id), undefined);
  assert.equal(existsSync(folder), false);
});

test("a session of another workspace is refused, and says which host takes it", async (t) => {
  const { host, session } = await setUp(t);
  const elsewhere = await tempFolder(t);
  await assert.rejects(host.sessions.create({ workspace: elsewhere }), {
    code: "host.bad_workspace",
  });
  const row = { ...session, id: "ses_far", workspace_root: elsewhere };
  await host.store.sessions.restore(row);
  const sent = host.submit("ses_far", { input: { text: "hello" }, payload: {} });
  await assert.rejects(sent, { code: "host.bad_workspace" });
});

test("a command chooses the model of the session, and starts no turn", async (t) => {
  const { host, session, rehearsal } = await setUp(t);
  const text = "/model rehearsal/default";
  const { disposition } = await host.submit(session.id, { input: { text }, payload: {} });
  assert.equal(disposition, "settled");
  const row = await host.store.sessions.get(session.id);
  assert.equal(row?.model_json, '{"provider_id":"rehearsal","model_id":"default"}');
  assert.deepEqual(rehearsal.received, []);
});

test("a retry under its id is answered as the first time; another payload is a conflict", async (t) => {
  const { host, session, rehearsal } = await setUp(t, [{ say: "once" }]);
  const submit = (text: string) =>
    host.submit(session.id, { id: "msg_mine", input: { text }, payload: { text } });
  const ended = turnEnd(host, session.id);
  const first = await submit("hello");
  await ended;
  const { message_id, disposition } = await submit("hello");
  assert.deepEqual([message_id, disposition], [first.message_id, "fired"]);
  await assert.rejects(submit("other"), { code: "turn.conflict" });
  assert.equal(rehearsal.received.length, 1);
});

test("a message that failed is sent again by a command, and the command is no message", async (t) => {
  const script: Script = [
    { fault: { cutAfterEvents: 4 }, say: "half of it" },
    { say: "all of it" },
  ];
  const { host, session, rehearsal } = await setUp(t, script);
  const failed = await send(host, session.id, "hello");
  assert.equal(failed.type === "turn-finished" && failed.reason, "error");
  assert.equal((await host.sessions.status(session.id)).state, "error");
  const again = await send(host, session.id, "/retry");
  assert.equal(again.type === "turn-finished" && again.reason, "finish");
  const bodies = rehearsal.received.map(({ body }) => new TextDecoder().decode(body));
  assert.equal(bodies.length, 2);
  assert.doesNotMatch(bodies[1] ?? "", /retry|half of it/);
});

test("what a turn did is on the trace, and not what was said", async (t) => {
  const sent: string[] = [];
  const collect = async (_url: unknown, { body }: RequestInit = {}) => {
    sent.push(String(body));
    return new Response();
  };
  const rehearsal = await startRehearsal({ script: [{ say: "a secret answer" }] });
  t.after(() => rehearsal.close());
  const host = await createHost({
    workspace: await tempFolder(t),
    home: await tempFolder(t),
    env: { ...MODEL, OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" },
    fetch: ((url: string, init: RequestInit) =>
      url.endsWith("/v1/traces") ? collect(url, init) : fetch(url, init)) as typeof fetch,
    offline: { url: async () => rehearsal.url, close: async () => {} },
  });
  const { id } = await host.sessions.create({});
  await send(host, id, "a secret question");
  await host.close(0);
  assert.match(sent.join(""), /"name":"session.turn"/);
  assert.match(sent.join(""), /"key":"model_id","value":\{"stringValue":"default"\}/);
  assert.doesNotMatch(sent.join(""), /secret/);
});
