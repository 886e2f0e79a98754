/** The streams of a turn and of all events: from the first chunk, for everybody, and to the end. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { AUTHORIZED, TOKEN } from "./test-server.ts";
import { type SessionServer, sessionServer } from "./test-sessions.ts";
import { openStream } from "./test-stream.ts";

async function opened(
  t: Parameters<typeof sessionServer>[0],
  input: Parameters<typeof sessionServer>[1] = {},
): Promise<SessionServer> {
  const server = await sessionServer(t, input);
  await server.ask("POST", "/v1/sessions", { id: "ses_a" });
  return server;
}

const say = ({ ask }: SessionServer, text: string, id = "msg_1") =>
  ask("POST", "/v1/sessions/ses_a/messages", { id, text });

const types = (data: readonly string[]) =>
  data.map((each) => (each === "[DONE]" ? each : JSON.parse(each).type));

const WHOLE = [
  "start",
  "start-step",
  "text-start",
  "text-delta",
  "text-delta",
  "text-end",
  "message-metadata",
  "finish-step",
  "finish",
  "[DONE]",
];

test("whoever comes to a turn, and whenever, reads it from its first chunk to its end", async (t) => {
  const server = await opened(t);
  await say(server, "wait");
  const early = await openStream(`${server.url}/v1/sessions/ses_a/stream`);
  assert.equal(early.headers["content-type"], "text/event-stream");
  assert.equal(early.headers["x-vercel-ai-ui-message-stream"], "v1");
  const first = await early.until((data) => data.includes("text-delta"));
  const late = await openStream(`${server.url}/v1/sessions/ses_a/stream`);
  server.sessions.release();
  const whole = await late.rest();
  assert.deepEqual(types(whole), WHOLE);
  assert.deepEqual([...first, ...(await early.rest())], whole);
});

test("where nothing runs there is nothing to stream, and an unknown session is told", async (t) => {
  const { ask } = await opened(t);
  assert.deepEqual(await ask("GET", "/v1/sessions/ses_a/stream"), { status: 204, json: "" });
  assert.equal((await ask("GET", "/v1/sessions/ses_b/stream")).status, 404);
});

test("a client that leaves ends nothing", async (t) => {
  const server = await opened(t);
  await say(server, "wait");
  const left = await openStream(`${server.url}/v1/sessions/ses_a/stream`);
  await left.next();
  left.leave();
  const stays = await openStream(`${server.url}/v1/sessions/ses_a/stream`);
  server.sessions.release();
  assert.deepEqual(types(await stays.rest()), WHOLE);
});

test("after an answer of a person's, whoever comes anew reads the turn from its beginning", async (t) => {
  const server = await opened(t);
  await say(server, "ask and wait");
  const before = await openStream(`${server.url}/v1/sessions/ses_a/stream`);
  if (before.status === 200) await before.rest();
  const answer = { tool_call_id: "call_ask", answers: [["red"]] };
  await server.ask("POST", "/v1/sessions/ses_a/answers", answer);
  const stream = await openStream(`${server.url}/v1/sessions/ses_a/stream`);
  const first = await stream.until((data) => data.includes("text-delta"));
  assert.deepEqual(types(first).slice(0, 4), [
    "start",
    "start-step",
    "tool-input-available",
    "tool-output-available",
  ]);
  server.sessions.release();
  assert.equal((await stream.rest()).at(-1), "[DONE]");
});

test("events begin with the sessions that do not rest, then come as they happen", async (t) => {
  const server = await opened(t);
  await server.ask("POST", "/v1/sessions", { id: "ses_b" });
  await say(server, "wait");
  const events = await openStream(`${server.url}/v1/events`);
  const first = JSON.parse((await events.next()) ?? "");
  assert.deepEqual(
    [first.type, first.session_id, first.status.state, first.status.message_id],
    ["status-changed", "ses_a", "busy", "msg_1"],
  );
  await say(server, "hi", "msg_2");
  server.sessions.release();
  const heard = await events.until(
    (data) => data.includes("turn-finished") && data.includes("msg_2"),
  );
  const told = heard
    .map((data) => JSON.parse(data))
    .filter(({ type }) => type.startsWith("turn-") || type === "queue-changed")
    .map(({ type, message_id, reason }) => [type, message_id, reason].filter(Boolean).join(" "));
  assert.deepEqual(
    told.filter((each) => each.startsWith("turn-")),
    ["turn-finished msg_1 finish", "turn-started msg_2", "turn-finished msg_2 finish"],
  );
  assert.equal(told[0], "queue-changed");
  events.leave();
});

test("the events of one session are those of no other", async (t) => {
  const server = await opened(t);
  await server.ask("POST", "/v1/sessions", { id: "ses_b" });
  const events = await openStream(`${server.url}/v1/events?session_id=ses_b`);
  await say(server, "hi");
  await server.ask("POST", "/v1/sessions/ses_b/messages", { text: "ho" });
  const heard = await events.until((data) => data.includes("turn-finished"));
  assert.deepEqual(new Set(heard.map((data) => JSON.parse(data).session_id)), new Set(["ses_b"]));
  events.leave();
});

test("streams are counted: one too many is told to come later, and one that left makes room", async (t) => {
  const server = await opened(t, { limits: { streams: 2 } });
  const one = await openStream(`${server.url}/v1/events`);
  await openStream(`${server.url}/v1/events`);
  const refused = await server.call("/v1/events", { headers: AUTHORIZED });
  assert.deepEqual(
    [refused.status, JSON.parse(refused.body).code, refused.headers["retry-after"]],
    [503, "http.too_many_streams", "2"],
  );
  // Everything else goes on.
  assert.equal((await say(server, "hi")).status, 202);
  one.leave();
  while (server.sessions.reported.length === 0) {
    const { status } = await openStream(`${server.url}/v1/events`);
    if (status === 200) return;
  }
  assert.fail("a seat was not given back");
});

test("closing ends the streams of events at once, and that of a turn with the turn", async (t) => {
  const server = await opened(t);
  await say(server, "wait");
  const events = await openStream(`${server.url}/v1/events`);
  const turn = await openStream(`${server.url}/v1/sessions/ses_a/stream`);
  await turn.next();
  const closed = server.close();
  await events.rest();
  server.sessions.release();
  assert.equal((await turn.rest()).at(-1), "[DONE]");
  await closed;
});

test("a turn that outlasts the grace is cut off, so that its reader knows of more", async (t) => {
  const server = await opened(t, { limits: { graceMs: 20 } });
  await say(server, "wait");
  const turn = await openStream(`${server.url}/v1/sessions/ses_a/stream`);
  const closed = server.close();
  await assert.rejects(turn.rest(), { code: "ECONNRESET" });
  await closed;
});

test("while it closes, a connection that stayed open is given nothing new to begin", async (t) => {
  const server = await opened(t);
  await say(server, "wait");
  const turn = await openStream(`${server.url}/v1/sessions/ses_a/stream`);
  const socket = connect(server.port, "127.0.0.1");
  await once(socket, "connect");
  // A request that is under way when the closing begins.
  socket.write(`POST /v1/sessions HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n`);
  await new Promise((resolve) => setImmediate(resolve));
  const closed = server.close();
  socket.write(`Authorization: Bearer ${TOKEN}\r\nContent-Length: 0\r\n\r\n`);
  const [said] = await once(socket, "data");
  assert.match(String(said), /^HTTP\/1\.1 503 [\s\S]*"code":"http\.closing"/);
  server.sessions.release();
  await turn.rest();
  await closed;
});

test("a HEAD of a stream is answered without one", async (t) => {
  const server = await opened(t);
  const socket = connect(server.port, "127.0.0.1");
  const head = (line: string) =>
    `${line} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${TOKEN}\r\n`;
  socket.write(`${head("HEAD /v1/events")}\r\n${head("GET /healthz")}Connection: close\r\n\r\n`);
  const said = await text(socket);
  assert.match(said, /^HTTP\/1\.1 200 OK\r\n[\s\S]*content-type: text\/event-stream/i);
  assert.match(said, /\{"status":"ok"\}$/);
});
