/** A client that means no good: refused cheaply, and the others do not notice. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { StoreError } from "@galley/persist";
import { AUTHORIZED, type Called, problem, TOKEN } from "./test-server.ts";
import { type SessionServer, sessionServer, smallSessions } from "./test-sessions.ts";
import { openStream } from "./test-stream.ts";

const PATHS = [
  ["GET", "/v1/sessions"],
  ["GET", "/v1/events"],
  ["GET", "/v1/sessions/ses_a/stream"],
  ["POST", "/v1/sessions/ses_a/messages"],
  ["POST", "/v1/chat"],
  ["POST", "/v1/blobs"],
  ["POST", "/v1/import"],
  ["DELETE", "/v1/sessions/ses_a"],
] as const;

const GUISES = [
  ["no token", { authorization: "" }, "401 application/problem+json http.no_token"],
  ["a wrong one", { authorization: "Bearer x" }, "401 application/problem+json http.wrong_token"],
  ["a foreign Host", { host: "evil.example" }, "403 application/problem+json http.foreign_host"],
  [
    "a foreign Origin",
    { origin: "https://evil.example" },
    "403 application/problem+json http.foreign_origin",
  ],
] as const;

for (const [guise, headers, expected] of GUISES) {
  test(`nothing of a session is reached with ${guise}`, async (t) => {
    const { call, sessions } = await sessionServer(t);
    await sessions.live.create({ id: "ses_a" });
    for (const [method, path] of PATHS) {
      const answer = await call(path, { method, headers: { ...AUTHORIZED, ...headers } });
      assert.equal(problem(answer), expected, `${method} ${path}`);
    }
    assert.ok(await sessions.store.sessions.get("ses_a"));
  });
}

const IDS = [
  "..%2f..%2fetc%2fpasswd",
  "..%5c..%5cwin.ini",
  "ses_a%00",
  "ses_%ff%fe",
  "ses_'%20OR%201=1--",
  `ses_${"a".repeat(5_000)}`,
  "__proto__",
  "%F0%9F%92%A9",
];

test("an id that is none names nothing, wherever it stands", async (t) => {
  const { call } = await sessionServer(t);
  for (const id of IDS) {
    for (const path of ["", "/messages", "/stream", "/export", "/queue", "/manifests/1"]) {
      const answer = await call(`/v1/sessions/${id}${path}`, { headers: AUTHORIZED });
      assert.equal(problem(answer), "404 application/problem+json turn.no-session", id + path);
      assert.ok(answer.body.length < 600);
    }
    const queued = await call(`/v1/sessions/ses_a/queue/${id}`, {
      method: "DELETE",
      headers: AUTHORIZED,
    });
    assert.equal(problem(queued), "404 application/problem+json turn.no-message", id);
  }
});

test("bodies that are too large, too deep or not JSON are refused by every call", async (t) => {
  const { call } = await sessionServer(t, { limits: { bodyBytes: 1_000 } });
  const send = (path: string, body: string): Promise<Called> =>
    call(path, { method: "POST", headers: AUTHORIZED, body });
  const paths = [
    "/v1/sessions",
    "/v1/sessions/ses_a/messages",
    "/v1/sessions/ses_a/abort",
    "/v1/sessions/ses_a/answers",
    "/v1/chat",
  ];
  for (const path of paths) {
    const problems = await Promise.all([
      send(path, `{"text":"${"a".repeat(2_000)}"}`),
      send(path, "[".repeat(70)),
      send(path, "{nope"),
    ]);
    assert.deepEqual(
      problems.map((each) => problem(each).split(" ").at(-1)),
      ["http.too_large", "http.too_deep", "http.not_json"],
      path,
    );
  }
});

async function trickle({ port }: SessionServer): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.write(
    `POST /v1/chat HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${TOKEN}\r\n` +
      "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
  );
  return socket;
}

test("bodies that never end are cut off, a hundred of them, and others are served meanwhile", async (t) => {
  const server = await sessionServer(t, { limits: { requestMs: 300, headersMs: 300 } });
  const slow = await Promise.all(Array.from({ length: 100 }, () => trickle(server)));
  const said = slow.map(async (socket) => String((await once(socket, "data"))[0]));
  assert.equal((await server.ask("POST", "/v1/sessions")).status, 201);
  for (const answer of await Promise.all(said)) assert.match(answer, /^HTTP\/1\.1 408 /);
});

test("streams by the hundred are refused beyond the cap, and turns go on", async (t) => {
  const server = await sessionServer(t, { limits: { streams: 50 } });
  await server.ask("POST", "/v1/sessions", { id: "ses_a" });
  const streams = await Promise.all(
    Array.from({ length: 300 }, () => openStream(`${server.url}/v1/events`)),
  );
  const taken = streams.filter(({ status }) => status === 200);
  assert.equal(taken.length, 50);
  assert.equal(streams.filter(({ status }) => status === 503).length, 250);
  const sent = await server.ask("POST", "/v1/sessions/ses_a/messages", { text: "hi" });
  assert.equal(sent.status, 202);
  const heard = await taken[49]?.until((data) => data.includes("turn-finished"));
  assert.match(heard?.at(-1) ?? "", /"reason":"finish"/);
  for (const { leave } of streams) leave();
});

test("a chat that finds no seat has handed nothing in", async (t) => {
  const server = await sessionServer(t, { limits: { streams: 0 } });
  const parts = [{ type: "text", text: "hi" }];
  const { status, json } = await server.ask("POST", "/v1/chat", {
    id: "c",
    messages: [{ id: "u", role: "user", parts }],
  });
  assert.deepEqual([status, json.code], [503, "http.too_many_streams"]);
  assert.equal((await server.ask("GET", "/v1/sessions")).json.sessions.length, 0);
});

const at = { path: "galley.db", detail: "it is" };
const FAULTS = [
  [StoreError.make("full", at), 507, undefined],
  [StoreError.make("busy", { ...at, waited_ms: 5 }), 503, "2"],
  [StoreError.make("read-only", at), 503, "2"],
  [StoreError.make("corrupt", at), 500, undefined],
] as const;

for (const [fault, status, retry] of FAULTS) {
  test(`a store that says ${fault.code} is told as it is, with ${status}`, async (t) => {
    const sessions = await smallSessions(t);
    const submit = () => Promise.reject(fault);
    const server = await sessionServer(t, { sessions: { ...sessions, submit } });
    const answer = await server.post("/v1/sessions/ses_a/messages", { text: "hi" });
    assert.equal(problem(answer), `${status} application/problem+json ${fault.code}`);
    assert.equal(answer.headers["retry-after"], retry);
  });
}
