/** What can be looked at afterwards: accounts, bytes, the trace, an export that can come back. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { AUTHORIZED } from "./test-server.ts";
import { type SessionServer, sessionServer } from "./test-sessions.ts";

const SESSION = "/v1/sessions/ses_a";

async function spoken(t: Parameters<typeof sessionServer>[0]): Promise<SessionServer> {
  const server = await sessionServer(t);
  await server.ask("POST", "/v1/sessions", { id: "ses_a" });
  for (const id of ["msg_1", "msg_2"]) {
    await server.ask("POST", `${SESSION}/messages`, { id, text: `hi ${id}` });
    while ((await server.sessions.live.status("ses_a")).state !== "idle") {
      await new Promise(setImmediate);
    }
  }
  return server;
}

test("manifests are listed for all turns and for one", async (t) => {
  const { ask } = await spoken(t);
  const places = (json: { manifests: { turn: number; round: number; message_id: string }[] }) =>
    json.manifests.map(({ turn, round, message_id }) => [turn, round, message_id]);
  assert.deepEqual(places((await ask("GET", `${SESSION}/manifests`)).json), [
    [1, 1, "msg_1"],
    [2, 1, "msg_2"],
  ]);
  const { json } = await ask("GET", `${SESSION}/manifests/2`);
  assert.deepEqual(places(json), [[2, 1, "msg_2"]]);
  assert.equal(json.manifests[0].manifest.over_limit, false);
  for (const turn of ["3", "0", "x", "1e1"]) {
    const { status, json: problem } = await ask("GET", `${SESSION}/manifests/${turn}`);
    assert.deepEqual([status, problem.code], [404, "http.no_such"], turn);
  }
});

test("the bytes of a request are given with the hash that they have", async (t) => {
  const { ask } = await spoken(t);
  const { json } = await ask("GET", `${SESSION}/requests/1`);
  assert.equal(json.requests.length, 1);
  const [{ body_text, sha256, headers, size, url, method }] = json.requests;
  assert.equal(sha256, createHash("sha256").update(body_text).digest("hex"));
  assert.deepEqual(
    [headers, size, url, method],
    [{ authorization: "***" }, Buffer.byteLength(body_text), "http://model.test/", "POST"],
  );
  assert.equal((await ask("GET", `${SESSION}/requests/9`)).status, 404);
});

test("the trace tells turn by turn what was said and sent, with the texts behind it", async (t) => {
  const { ask } = await spoken(t);
  const { json } = await ask("GET", `${SESSION}/trace`);
  assert.equal(json.session.id, "ses_a");
  assert.deepEqual(
    json.turns.map((turn: { message_id: string; messages: unknown[]; calls: unknown[] }) => [
      turn.message_id,
      turn.messages.length,
      turn.calls.length,
    ]),
    [
      ["msg_1", 2, 1],
      ["msg_2", 2, 1],
    ],
  );
  const answer = json.turns[0].messages[1];
  const digest = answer.metadata.system_prompt_digest;
  assert.deepEqual(json.texts[digest], {
    kind: "system",
    body: '[{"id":"agent","text":"be brief"}]',
  });
});

test("a message recorded while another is answered takes no part of its turn", async (t) => {
  const server = await sessionServer(t);
  await server.ask("POST", "/v1/sessions", { id: "ses_a" });
  await server.ask("POST", `${SESSION}/messages`, { id: "msg_1", text: "hi, wait" });
  await server.ask("POST", `${SESSION}/messages`, { id: "msg_2", text: "/help" });
  server.sessions.release();
  while ((await server.sessions.live.status("ses_a")).state !== "idle") {
    await new Promise(setImmediate);
  }
  const { json } = await server.ask("GET", `${SESSION}/trace`);
  assert.deepEqual(
    json.turns.map(({ messages, calls }: { messages: { role: string }[]; calls: unknown[] }) => [
      messages.map(({ role }) => role).join(" "),
      calls.length,
    ]),
    [
      ["user assistant", 1],
      ["user", 0],
    ],
  );
});

test("an export is taken back somewhere else and gives the same export, to the byte", async (t) => {
  const one = await spoken(t);
  const first = await one.call(`${SESSION}/export`, { headers: AUTHORIZED });
  assert.deepEqual(
    [first.status, first.headers["content-type"], first.headers["content-disposition"]],
    [200, "application/jsonl", 'attachment; filename="ses_a.jsonl"'],
  );
  const other = await sessionServer(t);
  const headers = { ...AUTHORIZED, "content-type": "application/jsonl" };
  const taken = await other.call("/v1/import", { method: "POST", headers, body: first.body });
  assert.deepEqual([taken.status, JSON.parse(taken.body).id], [201, "ses_a"]);
  const again = await other.call(`${SESSION}/export?format=jsonl`, { headers: AUTHORIZED });
  assert.equal(again.body, first.body);
  const cut = first.body.split("\n").slice(0, 3).join("\n");
  const refused = await one.call("/v1/import", { method: "POST", headers, body: cut });
  assert.deepEqual([refused.status, JSON.parse(refused.body).code], [422, "store.import-refused"]);
});

test("an import says what of the file it did not take, and holds what waits in it", async (t) => {
  const one = await spoken(t);
  const { body } = await one.call(`${SESSION}/export`, { headers: AUTHORIZED });
  const [first = ""] = body.split("\n");
  const { type, data } = JSON.parse(first);
  const rule = { permission: "*", pattern: "*", action: "allow", source: "user" };
  const session = { ...data, permissions_json: JSON.stringify([rule]) };
  const waiting = {
    ...{ id: "msg_w", session_id: "ses_a", role: "user", seq: null, metadata_json: "{}" },
    ...{ hidden_at: null, created_at: 1, updated_at: 1, queue_order: 1, disposition: "queued" },
  };
  const lines = [
    { type, data: session },
    { type: "message", data: waiting },
  ];
  const other = await sessionServer(t);
  const headers = { ...AUTHORIZED, "content-type": "application/jsonl" };
  const file = lines.map((line) => JSON.stringify(line)).join("\n");
  const taken = await other.call("/v1/import", { method: "POST", headers, body: file });
  const said = JSON.parse(taken.body);
  assert.deepEqual(
    [taken.status, said.notes, said.metadata.pause.reason],
    [
      201,
      [
        "1 messages wait: they fire when somebody resumes the session",
        "1 rules allow something: they count for nothing here",
      ],
      "hold",
    ],
  );
  assert.deepEqual(JSON.parse(said.permissions_json), [{ ...rule, imported: true }]);
});

test("an export as one value holds the rows with their parts", async (t) => {
  const { ask } = await spoken(t);
  const { json } = await ask("GET", `${SESSION}/export?format=json`);
  assert.equal(json.session.id, "ses_a");
  assert.equal(json.messages.length, 4);
  assert.equal(json.messages[0].parts[0].data_json, '{"type":"text","text":"hi msg_1"}');
  assert.equal((await ask("GET", `${SESSION}/export?format=csv`)).status, 422);
});

test("blobs are kept by their hash and go out as files, pictures as pictures", async (t) => {
  const { call, ask } = await sessionServer(t);
  const put = async (body: Uint8Array | string) =>
    JSON.parse((await call("/v1/blobs", { method: "POST", headers: AUTHORIZED, body })).body);
  const look = async (body: Uint8Array | string) => {
    const { content_id } = await put(body);
    const { headers, status } = await call(`/v1/blobs/${content_id}`, { headers: AUTHORIZED });
    const names = ["content-type", "content-disposition", "x-content-type-options"];
    return [status, ...names.map((name) => headers[name])];
  };
  const sha256 = createHash("sha256").update("hello").digest("hex");
  assert.deepEqual(await put("hello"), { content_id: `sha256:${sha256}`, size: 5 });
  const asFile = [200, "application/octet-stream", "attachment", "nosniff"];
  assert.deepEqual(await look("<!doctype html><script>alert(1)</script>"), asFile);
  assert.deepEqual(await look("<svg xmlns='http://www.w3.org/2000/svg'/>"), asFile);
  const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
  assert.deepEqual(await look(png), [200, "image/png", "inline", "nosniff"]);
  for (const id of [`sha256:${"0".repeat(64)}`, "..%2f..%2fgalley.db", "sha256:x"]) {
    const { status, json } = await ask("GET", `/v1/blobs/${id}`);
    assert.deepEqual([status, json.code], [404, "http.no_such"], id);
  }
});

test("a blob over the limit is refused", async (t) => {
  const { call } = await sessionServer(t, { limits: { bodyBytes: 10 } });
  const { status } = await call("/v1/blobs", {
    method: "POST",
    headers: AUTHORIZED,
    body: "x".repeat(11),
  });
  assert.equal(status, 413);
});

test("counters are given without a token, and name nothing of anybody's", async (t) => {
  const { call, ask } = await spoken(t);
  await ask("GET", "/v1/sessions/ses_secret");
  await call("/nowhere");
  const { status, headers, body } = await call("/metrics");
  assert.equal(status, 200);
  assert.match(String(headers["content-type"]), /^text\/plain; version=0\.0\.4/);
  const lines = body.split("\n");
  for (const line of [
    'galley_http_requests_total{method="POST",route="/v1/sessions/:id/messages",status="202"} 2',
    'galley_http_requests_total{method="GET",route="/v1/sessions/:id",status="404"} 1',
    'galley_http_requests_total{method="GET",route="none",status="404"} 1',
    "galley_turns_started_total 2",
    'galley_turns_finished_total{reason="finish"} 2',
    'galley_turns_finished_total{reason="error"} 0',
    "galley_queued_messages 0",
    "galley_sse_streams 0",
  ]) {
    assert.ok(lines.includes(line), line);
  }
  assert.match(body, /^process_resident_memory_bytes \d+$/m);
  assert.doesNotMatch(body, /ses_|msg_|secret|hi msg/);
});

test("messages that wait are counted in all sessions", async (t) => {
  const server = await sessionServer(t);
  for (const id of ["ses_a", "ses_b"]) {
    await server.ask("POST", "/v1/sessions", { id });
    for (const _ of [1, 2, 3]) {
      await server.ask("POST", `/v1/sessions/${id}/messages`, { text: "wait" });
    }
  }
  const depth = async () =>
    /^galley_queued_messages (.*)$/m.exec((await server.call("/metrics")).body)?.[1];
  assert.equal(await depth(), "4");
  await server.ask("POST", "/v1/sessions/ses_b/abort", { clear_queue: true });
  assert.equal(await depth(), "2");
  await server.ask("DELETE", "/v1/sessions/ses_a");
  assert.equal(await depth(), "0");
});
