import assert from "node:assert/strict";
import { test } from "node:test";
import { message, openStage, SESSION, shown } from "./stage.ts";
import { TurnError } from "./turn-error.ts";

const isTurn = (code: Parameters<typeof TurnError.is>[1]) => (error: unknown) =>
  TurnError.is(error, code);

test("a message fires when nothing runs, and its row is there when it resolves", async (t) => {
  const stage = await openStage(t);
  const submitted = await stage.submit("hello");
  assert.equal(submitted.disposition, "fired");
  assert.deepEqual(await shown(stage.store), ["hello"]);
  const { claim } = await stage.act(0);
  assert.equal(claim.message_id, submitted.message_id);
  assert.equal(claim.segment, 0);
  assert.match(claim.answer_id, /^msg_/);
});

test("a message that comes while a turn runs waits, and fires when the turn is over", async (t) => {
  const stage = await openStage(t);
  await stage.submit("one");
  const second = await stage.submit("two");
  const third = await stage.submit("three");
  assert.deepEqual(
    [second.disposition, second.position, third.disposition, third.position],
    ["queued", 1, "queued", 2],
  );
  const first = await stage.act(0);
  first.say("answer one");
  await first.end({ type: "finished" });
  const next = await stage.act(1);
  assert.equal(next.claim.message_id, second.message_id);
  assert.deepEqual(await shown(stage.store), ["one", "answer one", "two"]);
  assert.deepEqual(
    (await stage.sessions.queue(SESSION)).entries.map(({ message }) => message.id),
    [third.message_id],
  );
});

test("an exact retry is answered as the first time, also after it fired", async (t) => {
  const stage = await openStage(t);
  await stage.submit("one");
  const two = { message: { role: "user", id: "msg_two", parts: [{ type: "text", text: "two" }] } };
  const submission = two as Parameters<typeof stage.sessions.submit>[1];
  const first = await stage.sessions.submit(SESSION, submission);
  const again = await stage.sessions.submit(SESSION, submission);
  assert.deepEqual(again, first);
  await (await stage.act(0)).end({ type: "finished" });
  await stage.act(1);
  const late = await stage.sessions.submit(SESSION, submission);
  assert.deepEqual(late, { message_id: "msg_two", disposition: "queued" });
  assert.equal(stage.acts.length, 2);
});

test("a retry is the same message, whichever model the session has turned to since", async (t) => {
  const stage = await openStage(t);
  const submission = {
    message: { role: "user" as const, id: "msg_a", parts: [{ type: "text" as const, text: "a" }] },
  };
  const first = await stage.sessions.submit(SESSION, submission);
  await stage.submit("b", { model: { provider_id: "test", model_id: "large" } });
  assert.deepEqual(await stage.sessions.submit(SESSION, submission), first);
});

test("a retry is compared by what the client sent, where composing changed it", async (t) => {
  const stage = await openStage(t);
  const compose = (text: string, payload: unknown) =>
    stage.sessions.submit(SESSION, { ...message(text, "msg_a"), payload });
  const first = await compose("@a settled at nine", { text: "@a" });
  assert.deepEqual(await compose("@a settled at ten", { text: "@a" }), first);
  await assert.rejects(compose("@a settled at nine", { text: "@b" }), isTurn("conflict"));
});

test("a known id with another payload is a conflict, and changes nothing", async (t) => {
  const stage = await openStage(t);
  const id = "msg_a";
  const say = (text: string) =>
    stage.sessions.submit(SESSION, {
      message: { role: "user", id, parts: [{ type: "text", text }] },
    });
  await say("one");
  await assert.rejects(say("two"), isTurn("conflict"));
  await stage.sessions.create({ id: "ses_other" });
  const elsewhere = {
    message: { role: "user" as const, id, parts: [{ type: "text" as const, text: "one" }] },
  };
  await assert.rejects(stage.sessions.submit("ses_other", elsewhere), isTurn("conflict"));
  assert.deepEqual(await shown(stage.store), ["one"]);
});

test("a cancelled message stays cancelled", async (t) => {
  const stage = await openStage(t);
  await stage.submit("one");
  const parts = [{ type: "text" as const, text: "two" }];
  const two = { message: { role: "user" as const, id: "msg_two", parts } };
  await stage.sessions.submit(SESSION, two);
  await stage.sessions.cancel(SESSION, "msg_two");
  await assert.rejects(stage.sessions.submit(SESSION, two), isTurn("cancelled"));
  await assert.rejects(stage.sessions.cancel(SESSION, "msg_two"), isTurn("cancelled"));
});

test("the model is fixed when a message is submitted, and holds for those after it", async (t) => {
  const stage = await openStage(t);
  const large = { provider_id: "test", model_id: "large" };
  const ids = [
    await stage.submit("one"),
    await stage.submit("two", { model: large }),
    await stage.submit("three"),
  ];
  const models = await Promise.all(
    ids.map(async ({ message_id }) => {
      const row = await stage.store.messages.get(message_id);
      return JSON.parse(row?.message.metadata_json ?? "{}").model.model_id;
    }),
  );
  assert.deepEqual(models, ["small", "large", "large"]);
  const session = await stage.store.sessions.get(SESSION);
  assert.equal(session?.model_json, JSON.stringify(large));
});

test("what a client says in the host's name is not kept, and everything else is", async (t) => {
  const stage = await openStage(t);
  const metadata = {
    queued_at: 1,
    hidden_at: 2,
    trigger: { source: "api" as const, fired_at: 3 },
    theirs: { a: 1 },
  };
  const parts = [{ type: "text" as const, text: "hi" }];
  const { message_id } = await stage.sessions.submit(SESSION, {
    message: { role: "user", metadata, parts },
  });
  const row = await stage.store.messages.get(message_id);
  assert.equal(
    row?.message.metadata_json,
    '{"schema_version":1,"theirs":{"a":1},"model":{"provider_id":"test","model_id":"small"}}',
  );
});

test("a message of host actions is recorded in its place, and no turn begins", async (t) => {
  const stage = await openStage(t);
  const submission = { turn: false };
  const settled = await stage.submit("/rename x", submission);
  assert.equal(settled.disposition, "settled");
  assert.deepEqual(await shown(stage.store), ["/rename x"]);
  assert.deepEqual(await stage.sessions.status(SESSION), { state: "idle" });
  assert.equal(stage.acts.length, 0);
});

test("an archived session takes no message until it is taken out", async (t) => {
  const stage = await openStage(t);
  const row = await stage.sessions.archive(SESSION, true);
  assert.notEqual(row.archived_at, null);
  await assert.rejects(stage.submit("hello"), isTurn("archived"));
  assert.equal((await stage.sessions.archive(SESSION, false)).archived_at, null);
  assert.equal((await stage.submit("hello")).disposition, "fired");
});

test("a session that works, or in which something waits, is not archived", async (t) => {
  const stage = await openStage(t);
  await stage.submit("one");
  await assert.rejects(stage.sessions.archive(SESSION, true), isTurn("busy"));
  await stage.submit("two");
  await stage.sessions.setStopPolicy(SESSION, "hold");
  await stage.sessions.abort(SESSION);
  await (await stage.act(0)).end({ type: "aborted" });
  await assert.rejects(stage.sessions.archive(SESSION, true), isTurn("has-queue"));
});

test("the first line of the first message is the title, and a title that is there stays", async (t) => {
  const stage = await openStage(t);
  await stage.submit(`\n  ${"word ".repeat(20)}\nsecond line`);
  assert.equal(
    (await stage.store.sessions.get(SESSION))?.title,
    "word word word word word word word word word word word word…",
  );
  await stage.sessions.create({ id: "ses_named", title: "mine" });
  const parts = [{ type: "text" as const, text: "other" }];
  await stage.sessions.submit("ses_named", { message: { role: "user", parts } });
  assert.equal((await stage.store.sessions.get("ses_named"))?.title, "mine");
});

test("a session that is not there is refused everywhere", async (t) => {
  const { sessions } = await openStage(t);
  const parts = [{ type: "text" as const, text: "x" }];
  const missing = isTurn("no-session");
  await assert.rejects(sessions.submit("ses_no", { message: { role: "user", parts } }), missing);
  await assert.rejects(sessions.status("ses_no"), missing);
  await assert.rejects(sessions.queue("ses_no"), missing);
  await assert.rejects(sessions.abort("ses_no"), missing);
  await assert.rejects(sessions.delete("ses_no"), missing);
});

test("a session is not made with the host's own metadata", async (t) => {
  const { sessions, store } = await openStage(t);
  await assert.rejects(
    sessions.create({ id: "ses_x", metadata: { run: {} } }),
    isTurn("reserved-metadata"),
  );
  assert.equal(await store.sessions.get("ses_x"), undefined);
});

test("looking at a session that sleeps starts nothing", async (t) => {
  const stage = await openStage(t);
  const row = { session_id: SESSION, metadata_json: "{}", at: 5 };
  const parts = [{ id: "prt_x", data_json: '{"type":"text","text":"left"}' }];
  await stage.store.messages.admit({ ...row, id: "msg_x", parts, disposition: "queued" });
  assert.deepEqual(await stage.sessions.status(SESSION), { state: "idle" });
  assert.equal((await stage.sessions.queue(SESSION)).entries.length, 1);
  assert.equal(stage.acts.length, 0);
  await stage.sessions.start();
  assert.equal((await stage.act(0)).claim.message_id, "msg_x");
});

test("a deleted session stops what runs and is gone with its rows", async (t) => {
  const stage = await openStage(t);
  await stage.submit("one");
  await stage.submit("two");
  const act = await stage.act(0);
  const deleted = stage.sessions.delete(SESSION);
  act.parts.signal.addEventListener("abort", () => void act.end({ type: "aborted" }));
  await deleted;
  assert.equal(await stage.store.sessions.get(SESSION), undefined);
  assert.deepEqual(await stage.store.messages.all(SESSION), []);
  await assert.rejects(stage.submit("three"), isTurn("no-session"));
  assert.deepEqual(stage.reports, []);
});

test("whoever hears that a turn began finds it running", async (t) => {
  const stage = await openStage(t);
  const found: unknown[] = [];
  stage.sessions.listen((event) => {
    if (event.type === "turn-started") found.push(stage.sessions.live(SESSION)?.message_id);
  });
  const { message_id } = await stage.submit("hello");
  await stage.act(0);
  assert.deepEqual(found, [message_id]);
  const live = stage.sessions.live(SESSION);
  await (await stage.act(0)).end({ type: "finished" });
  assert.equal(live?.ended, true);
  assert.equal(stage.sessions.live(SESSION), undefined);
});
