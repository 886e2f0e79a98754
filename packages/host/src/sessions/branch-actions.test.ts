import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type Script, startRehearsal } from "@galley/rehearsal";
import { tempFolder } from "../testing/temp-folder.ts";
import { createHost, type Host } from "./create-host.ts";

async function setUp(t: TestContext, script: Script) {
  const rehearsal = await startRehearsal({ script });
  t.after(() => rehearsal.close());
  const host = await createHost({
    workspace: await tempFolder(t),
    home: await tempFolder(t),
    env: { GALLEY_MODEL: "rehearsal/default" },
    offline: { url: async () => rehearsal.url, close: async () => {} },
  });
  t.after(() => host.close(0));
  const { id } = await host.sessions.create({});
  const say = async (text: string) => {
    const answer = await host.submit(id, { input: { text }, payload: { text } });
    if (answer.disposition !== "settled") await idle(host, id);
    return answer;
  };
  /** What the command of a settled message came to. */
  const act = async (text: string) => {
    const { message_id, disposition } = await say(text);
    assert.equal(disposition, "settled");
    const row = await host.store.messages.get(message_id);
    return JSON.parse(row?.parts[0]?.data_json ?? "{}").result;
  };
  return { host, id, say, act, rehearsal };
}

async function idle({ sessions }: Host, id: string): Promise<void> {
  for (;;) {
    const { state, message } = await sessions.status(id);
    if (state === "idle") return;
    assert.notEqual(state, "error", message);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function textsIn({ store }: Host, id: string): Promise<string[]> {
  const rows = await store.messages.history(id);
  return rows.map(({ parts }) =>
    parts.map(({ data_json }) => JSON.parse(data_json).text ?? "").join(""),
  );
}

test("/fork copies the conversation and says where", async (t) => {
  const { host, id, say, act } = await setUp(t, [{ say: "Hello." }]);
  await say("hi");
  const { session_id, title } = await act("/fork Another way");
  assert.equal(title, "Another way");
  assert.deepEqual(await textsIn(host, session_id), ["hi", "Hello."]);
  assert.equal((await host.store.sessions.get(session_id))?.parent_id, id);
});

test("/rewind takes the last message back as a draft, and undo brings it again", async (t) => {
  const { host, id, say, act } = await setUp(t, [{ say: "A." }, { say: "B." }]);
  await say("one");
  await say("two");
  const { draft } = await act("/rewind");
  assert.deepEqual(draft.parts, [{ type: "text", text: "two" }]);
  assert.deepEqual(await textsIn(host, id), ["one", "A.", ""]);
  await act("/rewind undo");
  assert.deepEqual((await textsIn(host, id)).slice(0, 4), ["one", "A.", "two", "B."]);
  const first = await act("/rewind 2");
  assert.deepEqual(first.draft.parts, [{ type: "text", text: "one" }]);
  await assert.rejects(act("/rewind 9"), { code: "compose.action-failed" });
  await assert.rejects(act("/rewind soon"), { code: "compose.action-failed" });
});

test("/btw asks in a sidecar while the parent runs, and the parent never hears of it", async (t) => {
  const { host, id, say, act, rehearsal } = await setUp(t, (heard) => {
    const last = JSON.stringify(heard.messages.at(-1));
    const isSlow = last.includes("long") && !last.includes("and on");
    if (isSlow) return { say: "slow", fault: { hang: true, afterEvents: 2 } };
    return { say: last.includes("zanzibar") ? "Paris." : "Hello." };
  });
  await say("hi");
  await host.submit(id, { input: { text: "a long one" }, payload: {} });
  const { session_id } = await act("/btw what is the zanzibar?");
  await idle(host, session_id);
  assert.deepEqual(await textsIn(host, session_id), [
    "hi",
    "Hello.",
    "what is the zanzibar?",
    "Paris.",
  ]);
  const sidecar = await host.store.sessions.get(session_id);
  assert.deepEqual(
    [sidecar?.parent_id, JSON.parse(sidecar?.metadata_json ?? "{}").ephemeral],
    [id, true],
  );
  assert.equal((await host.sessions.status(id)).state, "busy");
  await host.sessions.abort(id);
  await idle(host, id);
  await say("and on");
  const sent = new TextDecoder().decode(rehearsal.received.at(-1)?.body);
  assert.match(sent, /and on/);
  assert.doesNotMatch(sent, /zanzibar|Paris/);
});

test("a sidecar's request begins with the same bytes as its parent's", async (t) => {
  const { host, say, act, rehearsal } = await setUp(t, () => ({ say: "Hello." }));
  await say("hi");
  const { session_id } = await act("/btw and?");
  await idle(host, session_id);
  const [one = "", two = ""] = rehearsal.received.map(({ body }) => new TextDecoder().decode(body));
  const head = one.slice(0, one.indexOf('"hi"') + 4);
  assert.ok(head.length > 100 && two.startsWith(head));
});
