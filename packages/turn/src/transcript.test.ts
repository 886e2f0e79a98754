import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { ContextMessage, Loader, UserContext } from "@galley/assemble";
import type { MessageId, SessionRow, UserPart } from "@galley/parts";
import { openSqliteStore, type Store } from "@galley/persist";
import { NO_FILES, SESSION, stageDeps } from "./stage.ts";
import { createTranscripts, type TranscriptLimits } from "./transcript.ts";

type Scene = Awaited<ReturnType<typeof scene>>;

async function scene(t: TestContext, loader: Loader = NO_FILES, limits?: TranscriptLimits) {
  const store = await openSqliteStore({ path: ":memory:" });
  t.after(() => store.close());
  const session = await store.sessions.create({ id: SESSION, agent: "a", at: 1 });
  const base = stageDeps(store);
  const deps = { ...base, surroundings: { ...base.surroundings, loader: () => loader } };
  const open = () => createTranscripts(deps, limits);
  const transcripts = open();
  return { store, session, transcripts, open, transcript: transcripts.of(session) };
}

const ask = (store: Store, id: MessageId, parts: UserPart[], session = SESSION, over = {}) =>
  store.messages.admit({
    id,
    session_id: session,
    metadata_json: '{"schema_version":1}',
    parts: parts.map((part, index) => ({
      id: `prt_${id}${index}`,
      data_json: JSON.stringify(part),
    })),
    disposition: "fired",
    at: 5,
    ...over,
  });

async function answer(store: Store, id: MessageId, text: string, session = SESSION) {
  await store.messages.begin({
    id,
    session_id: session,
    role: "assistant",
    metadata_json: "{}",
    at: 6,
  });
  const data_json = JSON.stringify({ type: "text", text });
  if (text)
    await store.parts.upsert([{ id: `prt_${id}`, message_id: id, index: 0, data_json, at: 6 }]);
}

const text = (said: string): UserPart => ({ type: "text", text: said });
const idsOf = (messages: readonly ContextMessage[]) => messages.map(({ id }) => id);

async function twoTurns({ store }: Scene): Promise<void> {
  await ask(store, "msg_1", [text("one")]);
  await answer(store, "msg_a1", "first");
  await ask(store, "msg_2", [text("two")]);
}

test("a history has the visible messages up to the one that is answered", async (t) => {
  const { store, transcript, ...rest } = await scene(t);
  await twoTurns({ store, transcript, ...rest });
  await answer(store, "msg_a2", "in the making");
  assert.deepEqual(await transcript.upTo("msg_2"), [
    { role: "user", id: "msg_1", parts: [text("one")], materials: [] },
    { role: "assistant", id: "msg_a1", parts: [{ type: "text", text: "first" }] },
    { role: "user", id: "msg_2", parts: [text("two")], materials: [] },
  ]);
  await assert.rejects(transcript.upTo("msg_no"), /there is no message msg_no/);
});

test("what no model is shown is not in it: settled messages, and answers without a word", async (t) => {
  const { store, transcript } = await scene(t);
  await ask(store, "msg_1", [text("one")]);
  await ask(store, "msg_h", [text("/help")], SESSION, { disposition: "settled" });
  await answer(store, "msg_a1", "");
  await ask(store, "msg_2", [text("two")]);
  assert.deepEqual(idsOf(await transcript.upTo("msg_2")), ["msg_1", "msg_2"]);
});

test("later histories are made of the same objects, and only what is new is read", async (t) => {
  const it = await scene(t);
  await twoTurns(it);
  const before = await it.transcript.upTo("msg_2");
  assert.deepEqual(await it.transcript.upTo("msg_2"), before);
  await answer(it.store, "msg_a2", "second");
  await ask(it.store, "msg_3", [text("three")]);
  const after = await it.transcripts.of(it.session).upTo("msg_3");
  assert.deepEqual(idsOf(after), ["msg_1", "msg_a1", "msg_2", "msg_a2", "msg_3"]);
  for (const [index, message] of before.entries()) assert.equal(after[index], message);
  it.transcript.forget();
  assert.notEqual((await it.transcript.upTo("msg_3"))[0], before[0]);
});

test("a rewind cuts what is remembered, whether or not the message is asked for again", async (t) => {
  const it = await scene(t);
  await twoTurns(it);
  await it.transcript.upTo("msg_2");
  const rewind = { id: "rew_1", session_id: SESSION, to_message_id: "msg_1", inclusive: false };
  it.transcripts.cut(SESSION, await it.store.messages.rewind({ ...rewind, at: 9 }));
  await ask(it.store, "msg_3", [text("three")]);
  assert.deepEqual(idsOf(await it.transcript.upTo("msg_3")), ["msg_1", "msg_3"]);
  assert.deepEqual(idsOf(await it.transcript.upTo("msg_1")), ["msg_1"]);
});

test("what a message refers to is decided once and kept, also for the next process", async (t) => {
  let reads = 0;
  const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, reads]);
  const loader: Loader = {
    ...NO_FILES,
    read: async (ref) => {
      reads += 1;
      if (ref.kind !== "path") return { kind: "unavailable", reason: "not here" };
      const bytes = ref.path === "a.png" ? png : new TextEncoder().encode(`read ${reads}`);
      return { kind: "whole", bytes };
    },
  };
  const it = await scene(t, loader);
  const file = (path: string): UserPart => ({ type: "file-ref", ref: { kind: "path", path } });
  const skill: UserPart = { type: "mention", target: { kind: "skill", name: "s" } };
  await ask(it.store, "msg_1", [text("see"), file("a.txt"), file("a.png"), skill]);
  const [first] = (await it.transcript.upTo("msg_1")) as UserContext[];
  assert.deepEqual(
    first?.materials.map((material) => material?.kind),
    [undefined, "text", "bytes", undefined],
  );
  const records = await it.store.lowerings.ofMessage("msg_1");
  assert.deepEqual(
    records.map(({ record_json }) => JSON.parse(record_json).kind),
    ["none", "text", "bytes", "none"],
  );
  assert.equal(records[2]?.record_json.includes("base64"), false);
  const [again] = (await it.open().of(it.session).upTo("msg_1")) as UserContext[];
  assert.deepEqual(again, first);
  assert.equal(reads, 2);
});

test("bytes that left their row are found in the store", async (t) => {
  const it = await scene(t);
  const content_id = await it.store.blobs.put(new TextEncoder().encode("kept"), 1);
  const part: UserPart = { type: "file-attachment", name: "a", mime: "text/plain", content_id };
  await ask(it.store, "msg_1", [part]);
  const [first] = (await it.transcript.upTo("msg_1")) as UserContext[];
  const material = first?.materials[0];
  assert.deepEqual(material, {
    kind: "text",
    text: "kept",
    mime: "text/plain",
    size: 4,
    sha256: content_id.slice(7),
  });
});

test("a row that breaks its schema is shown as an unsupported part", async (t) => {
  const it = await scene(t);
  const broken = { type: "file-ref", text: "x" } as unknown as UserPart;
  await ask(it.store, "msg_1", [broken]);
  const [first] = await it.transcript.upTo("msg_1");
  assert.deepEqual(first?.parts, [{ type: "unreadable/file-ref", text: "x", original: broken }]);
});

test("the sessions used last are remembered, and the one in use always is", async (t) => {
  const it = await scene(t, NO_FILES, { sessions: 2, weight: 1000 });
  const sessions: SessionRow[] = [];
  const objects = async (session: SessionRow) =>
    (await it.transcripts.of(session).upTo(`msg_${session.id}`))[0];
  for (const [name, length] of [
    ["a", 1],
    ["b", 1],
    ["c", 1],
    ["d", 2000],
  ] as const) {
    const id = `ses_${name}`;
    sessions.push(await it.store.sessions.create({ id, agent: "a", at: 1 }));
    await ask(it.store, `msg_${id}`, [text("x".repeat(length))], id);
  }
  const [a, b, c, d] = sessions as [SessionRow, SessionRow, SessionRow, SessionRow];
  const firsts = [await objects(a), await objects(b), await objects(c)];
  assert.equal(await objects(c), firsts[2]);
  assert.equal(await objects(b), firsts[1]);
  assert.notEqual(await objects(a), firsts[0]);
  const large = await objects(d);
  assert.equal(await objects(d), large);
  assert.notEqual(await objects(b), firsts[1]);
});

const selected = (id: string): UserPart => ({
  type: "editor-context",
  kind: "selection",
  payload: { ids: [id] },
  emitted_at: 1,
});

const payloadsOf = (messages: readonly ContextMessage[]) =>
  messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "editor-context" ? [part.payload] : [])),
  );

test("editor context that was told before costs nothing, until it changes", async (t) => {
  const { store, transcript, open, session } = await scene(t);
  const said = ["a", "a", "b", "a"];
  for (const [index, id] of said.entries()) await ask(store, `msg_${index}`, [selected(id)]);
  const told = [{ ids: ["a"] }, { unchanged: true }, { ids: ["b"] }, { ids: ["a"] }];
  for (const index of said.keys()) await transcript.upTo(`msg_${index}`);
  assert.deepEqual(payloadsOf(await transcript.upTo("msg_3")), told);
  assert.deepEqual(payloadsOf(await open().of(session).upTo("msg_3")), told);
});

test("editor context is told again when the message that told it is hidden", async (t) => {
  const { store, session, transcripts, transcript } = await scene(t);
  await ask(store, "msg_0", [text("zero")]);
  await ask(store, "msg_1", [selected("a")]);
  await ask(store, "msg_2", [text("held"), selected("a")], SESSION, { disposition: "queued" });
  await transcript.upTo("msg_1");
  const order = { session_id: session.id, to_message_id: "msg_0", inclusive: false };
  const hidden = await store.messages.rewind({ id: "rewind_1", ...order, at: 9 });
  transcripts.cut(session.id, hidden);
  await store.queue.fire("msg_2", 10);
  assert.deepEqual(payloadsOf(await transcript.upTo("msg_2")), [{ ids: ["a"] }]);
});
