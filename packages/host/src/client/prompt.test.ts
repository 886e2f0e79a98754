/** A prompt and its turn, over connections that break, queues and turns that are over. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { UiChunk } from "@galley/parts";
import { createClient } from "./create-client.ts";
import {
  events,
  json,
  nothing,
  type Reply,
  type Script,
  scriptedServer,
} from "./scripted-server.ts";

const SESSION = "/v1/sessions/ses_1";

const CHUNKS: readonly UiChunk[] = [
  { type: "start", messageId: "msg_2" },
  { type: "text-start", id: "0" },
  { type: "text-delta", id: "0", delta: "one " },
  { type: "text-delta", id: "0", delta: "two" },
  { type: "text-end", id: "0" },
  { type: "finish" },
];
const JOINED: readonly UiChunk[] = [
  ...CHUNKS.slice(0, 2),
  { type: "text-delta", id: "0", delta: "one two" },
  ...CHUNKS.slice(4),
];

const submitted = (disposition: string): Reply => json({ message_id: "msg_1", disposition }, 202);
const status = (value: object): Reply => json(value);
const RUNS = { [`GET ${SESSION}/status`]: status({ state: "busy", message_id: "msg_1" }) };
const queue = (...ids: readonly string[]): Reply =>
  json({ entries: ids.map((id) => ({ id })), paused: null, stop_policy: "drain" });
const history = (parts: readonly object[], metadata: object): Reply =>
  json({
    messages: [
      { id: "msg_1", role: "user", metadata: {}, parts: [{ type: "text", text: "hi" }] },
      { id: "msg_2", role: "assistant", metadata, parts },
    ],
  });
const TEXT = { type: "text", text: "one two", state: "done" };

async function prompted(t: Parameters<typeof scriptedServer>[0], script: Script) {
  const server = await scriptedServer(t, script);
  const client = createClient({ url: server.url, token: "a-token-for-tests" });
  const chunks: UiChunk[] = [];
  for await (const chunk of client.prompt("ses_1", "hi", { id: "msg_1" })) chunks.push(chunk);
  return { chunks, lines: server.lines() };
}

function textOf(chunks: readonly UiChunk[]): string {
  return chunks.flatMap((each) => (each.type === "text-delta" ? [each.delta] : [])).join("");
}

test("a message that fires is three requests: its submit, its stream, and whose that is", async (t) => {
  const { chunks, lines } = await prompted(t, {
    ...RUNS,
    [`POST ${SESSION}/messages`]: submitted("fired"),
    [`GET ${SESSION}/stream`]: events(CHUNKS, "done"),
  });
  assert.deepEqual(chunks, CHUNKS);
  assert.deepEqual(lines, [
    `POST ${SESSION}/messages`,
    `GET ${SESSION}/stream`,
    `GET ${SESSION}/status`,
  ]);
});

test("a stream that breaks goes on where it was, also when its deltas were joined", async (t) => {
  const { chunks } = await prompted(t, {
    ...RUNS,
    [`POST ${SESSION}/messages`]: submitted("fired"),
    [`GET ${SESSION}/stream`]: [events(CHUNKS.slice(0, 3), "break"), events(JOINED, "done")],
  });
  assert.deepEqual(chunks, CHUNKS);
});

test("a turn that ends while the connection is lost is told to its end off the store", async (t) => {
  const { chunks } = await prompted(t, {
    ...RUNS,
    [`POST ${SESSION}/messages`]: submitted("fired"),
    [`GET ${SESSION}/stream`]: [events(CHUNKS.slice(0, 3), "break"), nothing],
    [`GET ${SESSION}/messages`]: history([TEXT], { finished_at: 1 }),
  });
  assert.deepEqual(chunks, CHUNKS);
});

test("the next turn of the session is not taken for the one that was lost", async (t) => {
  const { chunks } = await prompted(t, {
    ...RUNS,
    [`POST ${SESSION}/messages`]: submitted("fired"),
    [`GET ${SESSION}/stream`]: [
      events(CHUNKS.slice(0, 3), "break"),
      events([{ type: "start", messageId: "msg_9" }], "done"),
    ],
    [`GET ${SESSION}/messages`]: history([TEXT], { finished_at: 1 }),
  });
  assert.deepEqual(chunks, CHUNKS);
});

test("a queued message is followed when its time comes", async (t) => {
  const started = { type: "turn-started", session_id: "ses_1", at: 1, message_id: "msg_1" };
  const { chunks } = await prompted(t, {
    [`POST ${SESSION}/messages`]: submitted("queued"),
    [`GET ${SESSION}/stream`]: events(CHUNKS, "done"),
    [`GET ${SESSION}/queue`]: [queue("msg_1"), queue()],
    [`GET ${SESSION}/status`]: status({ state: "busy", message_id: "msg_1" }),
    "GET /v1/events": events([started], "open"),
  });
  assert.deepEqual(chunks, CHUNKS);
});

test("a turn that ended while its stream was opened is known by its answer", async (t) => {
  const over = {
    [`POST ${SESSION}/messages`]: submitted("fired"),
    [`GET ${SESSION}/status`]: status({ state: "idle" }),
    [`GET ${SESSION}/messages`]: history([TEXT], { finished_at: 1 }),
    [`GET ${SESSION}/queue`]: queue(),
    "GET /v1/events": events([], "open"),
  };
  const ours = { ...over, [`GET ${SESSION}/stream`]: events(CHUNKS, "done") };
  assert.deepEqual((await prompted(t, ours)).chunks, CHUNKS);
  const next = events([{ type: "start", messageId: "msg_9" }], "done");
  const others = await prompted(t, { ...over, [`GET ${SESSION}/stream`]: next });
  assert.equal(textOf(others.chunks), "one two");
  assert.deepEqual(others.chunks[0], { type: "start", messageId: "msg_2" });
});

test("a turn that waits to try again is known as the last that fired", async (t) => {
  const { chunks } = await prompted(t, {
    [`POST ${SESSION}/messages`]: submitted("fired"),
    [`GET ${SESSION}/stream`]: events(CHUNKS, "done"),
    [`GET ${SESSION}/status`]: status({ state: "retrying", attempt: 2 }),
    [`GET ${SESSION}/messages`]: json({
      messages: [
        { id: "msg_0", role: "user", disposition: "fired" },
        { id: "msg_1", role: "user", disposition: "fired" },
        { id: "msg_3", role: "user", disposition: "settled" },
      ],
    }),
  });
  assert.deepEqual(chunks, CHUNKS);
});

test("a turn that is over before anybody could listen is told off the store", async (t) => {
  const { chunks } = await prompted(t, {
    [`POST ${SESSION}/messages`]: submitted("fired"),
    [`GET ${SESSION}/stream`]: nothing,
    [`GET ${SESSION}/queue`]: queue(),
    [`GET ${SESSION}/status`]: status({ state: "idle" }),
    [`GET ${SESSION}/messages`]: history([TEXT], { aborted_at: 1 }),
    "GET /v1/events": events([], "open"),
  });
  assert.equal(textOf(chunks), "one two");
  assert.deepEqual(chunks.at(-1), { type: "abort" });
});

test("a turn that failed without a word ends with the session's sentence", async (t) => {
  const { chunks } = await prompted(t, {
    [`POST ${SESSION}/messages`]: submitted("fired"),
    [`GET ${SESSION}/stream`]: nothing,
    [`GET ${SESSION}/queue`]: queue(),
    [`GET ${SESSION}/status`]: status({ state: "error", message_id: "msg_1", message: "no key" }),
    [`GET ${SESSION}/messages`]: json({ messages: [{ id: "msg_1", role: "user", parts: [] }] }),
    "GET /v1/events": events([], "open"),
  });
  assert.deepEqual(chunks, [{ type: "error", errorText: "no key" }]);
});

test("a message that was cancelled while it waited is an error that names it", async (t) => {
  const run = prompted(t, {
    [`POST ${SESSION}/messages`]: submitted("queued"),
    [`GET ${SESSION}/stream`]: nothing,
    [`GET ${SESSION}/queue`]: queue(),
    [`GET ${SESSION}/status`]: status({ state: "idle" }),
    [`GET ${SESSION}/messages`]: json({ messages: [] }),
    "GET /v1/events": events([], "open"),
  });
  await assert.rejects(run, { code: "client.gone", data: { message_id: "msg_1" } });
});

test("a message of host actions alone has no turn to follow", async (t) => {
  const { chunks, lines } = await prompted(t, {
    [`POST ${SESSION}/messages`]: submitted("settled"),
  });
  assert.deepEqual([chunks, lines.length], [[], 1]);
});

test("a submit whose answer was lost is sent again under the same id", async (t) => {
  const script: Script = {
    ...RUNS,
    [`POST ${SESSION}/messages`]: [(response) => void response.destroy(), submitted("fired")],
    [`GET ${SESSION}/stream`]: events(CHUNKS, "done"),
  };
  const server = await scriptedServer(t, script);
  const client = createClient({ url: server.url, token: "a-token-for-tests" });
  for await (const _ of client.prompt("ses_1", "hi")) break;
  const bodies = server.asked.slice(0, 2).map(({ body }) => JSON.parse(body));
  assert.match(bodies[0].id, /^msg_[0-9a-f]{14}[0-9A-Za-z]{12}$/);
  assert.deepEqual(bodies[0], bodies[1]);
});

test("attachments are parts that name their path for the host to resolve", async (t) => {
  const server = await scriptedServer(t, { [`POST ${SESSION}/messages`]: submitted("settled") });
  const client = createClient({ url: server.url, token: "a-token-for-tests" });
  const attachments = [
    { path: "/workspace/file.py", mime: "text/x-python", filename: "file.py" },
    { path: "file:///tmp/a%20b.png" },
    { path: "src/a.ts" },
  ];
  const options = { attachments, model: "anthropic/x", id: "msg_1" } as const;
  for await (const _ of client.prompt("ses_1", "Review", options)) assert.fail("no turn");
  const ref = (path: string) => ({ type: "file-ref", ref: { kind: "path", path } });
  assert.deepEqual(JSON.parse(server.asked[0]?.body ?? ""), {
    id: "msg_1",
    text: "Review",
    parts: [
      { ...ref("/workspace/file.py"), mime: "text/x-python", name: "file.py" },
      ref("/tmp/a b.png"),
      ref("src/a.ts"),
    ],
    model: "anthropic/x",
  });
});

test("who stops listening ends its requests and nothing else", async (t) => {
  const server = await scriptedServer(t, {
    [`POST ${SESSION}/messages`]: submitted("queued"),
    [`GET ${SESSION}/stream`]: nothing,
    [`GET ${SESSION}/queue`]: queue("msg_1"),
    "GET /v1/events": events([], "open"),
  });
  const client = createClient({ url: server.url, token: "a-token-for-tests" });
  const stop = new AbortController();
  const next = client.prompt("ses_1", "hi", { id: "msg_1", signal: stop.signal }).next();
  while (!server.lines().includes(`GET ${SESSION}/queue`)) await new Promise(setImmediate);
  stop.abort(new Error("enough"));
  await assert.rejects(next, /enough/);
  assert.ok(server.lines().every((line) => !/abort|DELETE/.test(line)));
});
