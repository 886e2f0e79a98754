import assert from "node:assert/strict";
import { test } from "node:test";
import { ClientError } from "./client-error.ts";
import { createClient } from "./create-client.ts";
import { events, json, nothing, type Script, scriptedServer } from "./scripted-server.ts";

const TOKEN = "a-token-for-tests";

async function clientOf(t: Parameters<typeof scriptedServer>[0], script: Script) {
  const server = await scriptedServer(t, script);
  return { ...server, client: createClient({ url: `${server.url}/`, token: TOKEN }) };
}

async function all<T>(from: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const each of from) found.push(each);
  return found;
}

test("a call carries the token, its body in JSON, and gives the answer as it is", async (t) => {
  const row = { id: "ses_1", title: "x" };
  const { client, asked } = await clientOf(t, { "POST /v1/sessions": json(row, 201) });
  assert.deepEqual(await client.sessions.create({ title: "x", model: "a/b" }), row);
  assert.equal(asked[0]?.headers.authorization, `Bearer ${TOKEN}`);
  assert.equal(asked[0]?.headers["content-type"], "application/json");
  assert.equal(asked[0]?.body, '{"title":"x","model":"a/b"}');
});

test("a refusal is an error with the server's status, code, sentence and issues", async (t) => {
  const document = { type: "about:blank", title: "x", detail: "Do this.", code: "http.bad_shape" };
  const { client } = await clientOf(t, {
    "GET /v1/sessions/ses_1": json({ ...document, issues: ["text: odd"] }, 422),
  });
  await assert.rejects(client.sessions.get("ses_1"), (error: unknown) => {
    assert.ok(ClientError.is(error, "problem"));
    assert.equal(error.message, "Do this.");
    assert.deepEqual(error.data, {
      status: 422,
      code: "http.bad_shape",
      detail: "Do this.",
      issues: ["text: odd"],
    });
    return true;
  });
});

test("a page of a proxy is told by its status, and what is not JSON is nobody's answer", async (t) => {
  const page = (status: number) => (response: { writeHead(s: number): { end(t: string): void } }) =>
    response.writeHead(status).end("<html>");
  const { client, url } = await clientOf(t, {
    "GET /v1/sessions/ses_1": page(502),
    "GET /v1/sessions/ses_2": page(200),
  });
  await assert.rejects(client.sessions.get("ses_1"), {
    code: "client.problem",
    message: `${url} answered 502`,
  });
  await assert.rejects(client.sessions.get("ses_2"), { code: "client.not_ours" });
});

test("nobody there is an error that names the address, and a redirect is not followed", async (t) => {
  const nobody = createClient({ url: "http://127.0.0.1:1", token: TOKEN });
  await assert.rejects(nobody.models(), {
    code: "client.unreachable",
    message: /^cannot reach http:\/\/127\.0\.0\.1:1: .*(?:ECONNREFUSED|bad port)/,
  });
  const { client, asked } = await clientOf(t, {
    "GET /v1/models": (response) =>
      void response.writeHead(307, { location: "/v1/elsewhere" }).end(),
    "GET /v1/elsewhere": json({ models: [] }),
  });
  await assert.rejects(client.models(), { code: "client.unreachable" });
  assert.equal(asked.length, 1);
});

test("ids and words cannot leave their place in an address", async (t) => {
  const { client, lines } = await clientOf(t, { "GET /v1/mentions": json({ mentions: [] }) });
  await client.mentions("a&limit=9 #x", 5);
  await client.sessions.get("../x?y" as never).catch(() => undefined);
  assert.deepEqual(lines(), [
    "GET /v1/mentions?q=a%26limit%3D9%20%23x&limit=5",
    "GET /v1/sessions/..%2Fx%3Fy",
  ]);
});

test("an aborted signal ends a call with its own reason", async (t) => {
  const { client } = await clientOf(t, { "GET /v1/events": events([], "open") });
  const stop = new AbortController();
  const next = client.events(stop.signal).next();
  stop.abort(new Error("enough"));
  await assert.rejects(next, /enough/);
});

test("an export comes line by line, to the byte", async (t) => {
  const lines = ['{"type":"session","data":"é"}\n', '{"type":"part","data":"\\u2028"}\n', "cut"];
  const { client, asked } = await clientOf(t, {
    "GET /v1/sessions/ses_1/export": async (response) => {
      const bytes = Buffer.from(lines.join(""));
      response.write(bytes.subarray(0, 28));
      response.end(bytes.subarray(28));
    },
  });
  assert.deepEqual(await all(client.export("ses_1")), lines);
  assert.match(asked[0]?.line ?? "", /\?format=jsonl$/);
});

test("an export that is cut off is an error, not a short export", async (t) => {
  const { client } = await clientOf(t, {
    "GET /v1/sessions/ses_1/export": async (response) => {
      response.writeHead(200, { "content-length": "100" });
      await new Promise((sent) => response.write("{}\n", sent));
      response.destroy();
    },
  });
  await assert.rejects(all(client.export("ses_1")), { code: "client.cut" });
});

test("blobs go and come as bytes", async (t) => {
  const bytes = Uint8Array.of(0, 255, 10, 13);
  const { client, asked } = await clientOf(t, {
    "POST /v1/blobs": json({ content_id: "sha256:00", size: 4 }, 201),
    "GET /v1/blobs/sha256%3A00": (response) => void response.end(bytes),
  });
  assert.deepEqual(await client.blobs.put(bytes), { content_id: "sha256:00", size: 4 });
  assert.equal(asked[0]?.headers["content-type"], "application/octet-stream");
  assert.deepEqual(await client.blobs.get("sha256:00"), bytes);
});

test("events go on over a lost connection", async (t) => {
  const event = (turn: number) => ({ type: "manifest", session_id: "ses_1", at: 1, turn });
  const { client } = await clientOf(t, {
    "GET /v1/events": [events([event(1)], "break"), events([event(2)], "open")],
  });
  const heard = client.events();
  assert.deepEqual((await heard.next()).value, event(1));
  assert.deepEqual((await heard.next()).value, event(2));
  await heard.return();
});

test("what runs is aborted, retried, resumed, answered and dismissed by one call each", async (t) => {
  const { client, asked } = await clientOf(t, {
    "POST /v1/sessions/ses_1/abort": nothing,
    "POST /v1/sessions/ses_1/retry": json({ message_id: "msg_1", disposition: "fired" }, 202),
    "POST /v1/sessions/ses_1/resume": nothing,
    "POST /v1/sessions/ses_1/answers": nothing,
    "POST /v1/sessions/ses_1/dismiss": nothing,
    "DELETE /v1/sessions/ses_1/queue/msg_2": nothing,
    "PATCH /v1/sessions/ses_1/queue/msg_2": nothing,
  });
  await client.abort("ses_1", { clear_queue: true });
  assert.equal((await client.retry("ses_1")).message_id, "msg_1");
  await client.resume("ses_1");
  await client.answer("ses_1", { tool_call_id: "c", answers: [["yes"]] });
  await client.dismiss("ses_1", "c");
  await client.queue.cancel("ses_1", "msg_2");
  await client.queue.edit("ses_1", "msg_2", [{ type: "text", text: "x" }]);
  await client.queue.move("ses_1", "msg_2", { before: "msg_3" });
  assert.deepEqual(
    asked.map(({ body }) => body),
    [
      '{"clear_queue":true}',
      "{}",
      "{}",
      '{"tool_call_id":"c","answers":[["yes"]]}',
      '{"tool_call_id":"c"}',
      "",
      '{"parts":[{"type":"text","text":"x"}]}',
      '{"before":"msg_3"}',
    ],
  );
});
